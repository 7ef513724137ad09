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
