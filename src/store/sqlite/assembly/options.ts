import type { Operator } from "../../../domain/ports/admin-log.ts";
import type { Ids } from "../../../domain/ports/sources.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import type { BackgroundReport } from "../engine/background-failures.ts";

/** The settings of a store, as data. */
export interface StoreSettings {
  /** The data folder, with the database; created if it is missing. */
  readonly folder: string;
  readonly tombstoneSeconds: number;
  /** The admin, whose changes are logged; undefined in a server. */
  readonly operator?: Operator | undefined;
  /** The disk space reserved for claims; 0 for a process that only administers. */
  readonly ballastBytes: number;
  /** How long a statement waits for another process. In a server it shouldn't wait, as everybody would wait with it. */
  readonly busyTimeoutMs?: number | undefined;
  /** How long opening and writes wait for another process; five seconds by default. */
  readonly lockPatienceMs?: number | undefined;
  /** How long a call may wait for the disk before it is given up; ten seconds by default. */
  readonly answerPatienceMs?: number | undefined;
  /** How long another process may read before that is a trouble; a minute by default. */
  readonly readerPatienceMs?: number | undefined;
  /** The time from an erasure until the WAL is emptied; a second by default. */
  readonly truncationDelayMs?: number | undefined;
  /** The maximum number of writes in a transaction; only the benchmark sets it, to measure the cost of 1. */
  readonly maxBatch?: number | undefined;
}

export interface StoreOptions extends StoreSettings {
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  /** Called with failures of background work that is tried again, such as a checkpoint. They may quote content. */
  readonly onFailure?: BackgroundReport;
  /**
   * Called at the opening with the latest time that the database has seen, before `clock` is raised to it; 0 for a new
   * one.
   */
  readonly onLatestTime?: ((epochMs: number) => void) | undefined;
}
