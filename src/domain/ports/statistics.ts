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

/** The writes since the store was opened. */
export interface WriteCounts {
  /** The transactions that were committed. */
  readonly transactions: number;
  /** The writes in them. */
  readonly writes: number;
  /** The number of transactions up to each of `BATCH_BOUNDS`, above the one before. */
  readonly batches: readonly number[];
}

/** Sizes in bytes, and writes. Undefined is what the store has not, and what it isn't told in time. */
export interface StorageMeasures {
  readonly databaseBytes: number | undefined;
  /** The changes that were written ahead of the database, and are not yet in it. */
  readonly logBytes: number | undefined;
  /** The room on the disk that is left to the store. */
  readonly freeBytes: number | undefined;
  /** The room on the disk that is held back for claims, and that which is to be. */
  readonly reserveBytes: number | undefined;
  readonly wantedReserveBytes: number | undefined;
  /** The time since the oldest erasure of which the files still have something, in milliseconds; 0 when there is none. */
  readonly erasingBehindMs: number | undefined;
  readonly writes: WriteCounts | undefined;
}

export interface StatisticsStore {
  /**
   * Counts secrets and requests by team and state, so that calls hardly notice. States that a team has nothing in are left out.
   */
  countStates(): Promise<StateCount[]>;
  findKeyEnds(): Promise<KeyEnd[]>;
  measureStorage(): Promise<StorageMeasures>;
}
