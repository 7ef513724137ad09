import type { RequestState, SecretState } from "../../contract/states.ts";

// Figures about the storage. None of them names a secret, a request, a key or a person.

/** The number of a team's secrets or requests in one state. */
export interface StateCount {
  readonly kind: "secret" | "request";
  readonly teamId: string;
  readonly state: SecretState | RequestState;
  readonly count: number;
}

/** The next expiry among a team's valid API keys without a successor, in epoch milliseconds. */
export interface KeyEnd {
  readonly teamId: string;
  readonly expiresAt: number;
}

/** The upper bounds of the histogram of writes in a transaction. */
export const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;

/** Counts since the store was opened. */
export interface WriteCounts {
  /** Committed transactions. */
  readonly transactions: number;
  /** Writes in these transactions. */
  readonly writes: number;
  /** The number of transactions in each bucket of `BATCH_BOUNDS`. */
  readonly batches: readonly number[];
}

/**
 * Sizes in bytes, and counts of writes. Undefined for figures that the engine doesn't have, or couldn't read in time.
 */
export interface StorageMeasures {
  readonly databaseBytes: number | undefined;
  /** The size of the write-ahead log that isn't in the database file yet. */
  readonly logBytes: number | undefined;
  /** The free space on the disk. */
  readonly freeBytes: number | undefined;
  /** The disk space that is reserved for claims, and its target. */
  readonly reserveBytes: number | undefined;
  readonly wantedReserveBytes: number | undefined;
  /** Milliseconds since the oldest erasure whose data is still in the files; 0 for none. */
  readonly erasingBehindMs: number | undefined;
  readonly writes: WriteCounts | undefined;
}

export interface StatisticsStore {
  /** Counts secrets and requests by team and state, without slowing down calls. Zero counts are left out. */
  countStates(): Promise<StateCount[]>;
  findKeyEnds(): Promise<KeyEnd[]>;
  measureStorage(): Promise<StorageMeasures>;
}
