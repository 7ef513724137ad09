import type { Scope } from "../../contract/scopes.ts";

// What is kept of teams, identities and their keys. Times are epoch milliseconds.

export interface TeamRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** The bytes that it takes up in the database: ciphertexts and notes as stored, and the rows of all that it has. */
  readonly storedBytes: number;
  /** The quota of its own, in bytes; null where that of the server counts. */
  readonly quotaBytes: number | null;
}

/** The kind of an identity: a script or the like, which holds API keys, or a person, who signs in at the page. */
export type IdentityKind = "automation" | "person";

export interface IdentityRecord {
  readonly id: string;
  readonly kind: IdentityKind;
  readonly teamId: string;
  readonly teamName: string;
  /** Of a person the address, or what else they were added as. */
  readonly name: string;
  /** The name of a person as others read it; null for an automation, and for whom none was given. */
  readonly personName: string | null;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly disabledAt: number | null;
}

export interface KeyRecord {
  readonly id: string;
  readonly identity: IdentityRecord;
  readonly name: string | null;
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  readonly exposedAt: number | null;
  /** The key that a rotation put in its place; its own end is that of the overlap then. */
  readonly successorId: string | null;
}
