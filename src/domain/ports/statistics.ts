import type { RequestState, SecretState } from "../../contract/states.ts";

// Figures about what is stored and how. None of them names a secret, a request, a key or a person.

/** The number of secrets, or of requests, that a team has in one state. */
export interface StateCount {
  readonly kind: "secret" | "request";
  readonly teamId: string;
  readonly state: SecretState | RequestState;
  readonly count: number;
}

/** The next end of an API key of a team that is in force and has no successor, in epoch milliseconds. */
export interface KeyEnd {
  readonly teamId: string;
  readonly expiresAt: number;
}

/** The bounds up to which transactions are counted by the number of their writes. */
export const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;

/** The figures of the writer since it began. */
export interface WriterMeasures {
  /** The transactions that were committed. */
  readonly transactions: number;
  /** The writes in them. */
  readonly writes: number;
  /** The number of transactions up to each of `BATCH_BOUNDS`, above the one before. */
  readonly batches: readonly number[];
  /** The bytes of room held back for claims, and those that are to be. */
  readonly reserveBytes: number;
  readonly wantedReserveBytes: number;
}

/** The sizes of files, in bytes. */
export interface StorageMeasures {
  readonly databaseBytes: number;
  readonly walBytes: number;
  /** The bytes of the disk that this user may still write. */
  readonly freeBytes: number;
  /** Undefined when the writer doesn't answer in time. */
  readonly writer: WriterMeasures | undefined;
}

export interface StatisticsStore {
  /**
   * Counts secrets and requests by team and state, in steps with pauses, so that calls hardly notice: it takes about a
   * millisecond for two thousand rows. States that a team has nothing in are left out.
   */
  countStates(): Promise<StateCount[]>;
  findKeyEnds(): Promise<KeyEnd[]>;
  measureStorage(): Promise<StorageMeasures>;
}
