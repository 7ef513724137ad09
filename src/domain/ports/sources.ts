import type { IdKind } from "../../contract/ids.ts";

/** Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number;
}

/** A source of cryptographically secure random bytes. */
export interface Random {
  bytes(length: number): Uint8Array;
}

/** A source of ascending ids. */
export interface Ids {
  next(kind: IdKind): string;
}

/** Stores the time. */
export interface TimeStore {
  /**
   * Makes sure that the service's time never falls below `epochMs`, which is in the past, even across restarts: a
   * caller who was told that something expired must never be told otherwise. Rejects with a Refusal
   * `storage_unavailable`.
   */
  keepTime(epochMs: number): Promise<void>;
}
