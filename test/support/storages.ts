import type { Operator } from "../../src/domain/ports/admin-log.ts";
import type { Ids } from "../../src/domain/ports/sources.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import type { LargeStorage } from "../../src/domain/ports/uploads.ts";
import type { MonotonicClock } from "../../src/domain/values/clocks.ts";
import type { LogState } from "../../src/domain/values/log-checks.ts";

/** What a store under test is opened with. */
interface StoreSources {
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  readonly tombstoneSeconds: number;
  /** The admin; undefined in a server. */
  readonly operator?: Operator;
}

/** What a store keeps. */
export interface Kept {
  /** The lengths of the stored ciphertexts, by the ids of their secrets. */
  readonly ciphertexts: ReadonlyMap<string, number>;
  /** The ids of the requests whose notes are stored, in order. */
  readonly notes: readonly string[];
  /**
   * The bytes that the teams take up, as they are counted from call to call, and counted anew from all that is there.
   */
  readonly storedBytes: number;
  readonly recountedBytes: number;
  /** The latest time that was kept. */
  readonly latestAt: number;
}

/** Keeps everybody else from writing until it is disposed of. */
export interface WriteLock extends AsyncDisposable {
  /** Resolves once a write of the store waits for it. */
  waitedFor(): Promise<void>;
}

/**
 * Where a store under test keeps everything, in any engine. Disposing of it removes that; the store is closed before.
 */
export interface TestStorage extends AsyncDisposable {
  /** The environment in which admin commands find it. */
  readonly env: Readonly<Record<string, string>>;
  /** The bytes that a team is charged for an event. */
  readonly eventBytes: number;
  /** Opens a store over what is kept; one at a time. */
  open(sources: StoreSources): Promise<Store>;
  /** Where large secrets are, over the store that is open; undefined in an engine that keeps none. */
  readonly large?: () => LargeStorage;
  /** Runs a statement past the store, as an admin with access to the database can, and returns its rows. */
  run<T>(sql: string): Promise<T[]>;
  /** Compares the log with its seals, past the store, as `admin check` does. */
  checkLog(hash?: string): Promise<LogState | undefined>;
  /** Looks past the store at what is kept. */
  look(): Promise<Kept>;
  /**
   * True when `text` can be read anywhere in what is kept, once the engine has done all that it does about what was
   * erased. Throws when it is where nothing is to be kept.
   */
  holds(text: string): Promise<boolean>;
  lockWrites(): Promise<WriteLock>;
  /**
   * Writes so many events of a team into the log, as if they had happened; their ids are `evt_` and their number in 26
   * digits.
   */
  addEvents(teamId: string, count: number): Promise<void>;
}
