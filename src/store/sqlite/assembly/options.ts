import type { Operator } from "../../../domain/ports/admin-log.ts";
import type { Ids } from "../../../domain/ports/sources.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import type { BackgroundReport } from "../engine/background-failures.ts";

/** The settings of a store, as data. */
export interface StoreSettings {
  /** Holds the database and what belongs to it; made if it is not there. */
  readonly folder: string;
  readonly tombstoneSeconds: number;
  /** The one who administers, whose changes are written down; undefined in a server. */
  readonly operator?: Operator | undefined;
  /** Room on the disk held back for claims; 0 for a process that only administers. */
  readonly ballastBytes: number;
  /** The time that a statement waits for another process, as none of a server should: everybody would wait with it. */
  readonly busyTimeoutMs?: number | undefined;
  /** The time that opening, and writes, wait for another process; five seconds unless a test says otherwise. */
  readonly lockPatienceMs?: number | undefined;
  /** The time after which a call is given up that the disk keeps waiting; ten seconds unless a test says otherwise. */
  readonly answerPatienceMs?: number | undefined;
  /** The time that another process may read before that is a trouble; a minute unless a test says otherwise. */
  readonly readerPatienceMs?: number | undefined;
  /** The time from an erasure until the WAL is emptied; a second unless a test says otherwise. */
  readonly truncationDelayMs?: number | undefined;
  /** The most writes that share a transaction; only the benchmark says, to see what 1 costs. */
  readonly maxBatch?: number | undefined;
}

export interface StoreOptions extends StoreSettings {
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  /**
   * The listener to failures of work beside the calls that is tried again, such as a checkpoint. What it is told may
   * quote content.
   */
  readonly onFailure?: BackgroundReport;
  /**
   * Hears at the opening of the latest time that the database has seen, before `clock` is raised to it; 0 of a new one.
   */
  readonly onLatestTime?: ((epochMs: number) => void) | undefined;
}
