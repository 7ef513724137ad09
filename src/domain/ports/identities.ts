import type { Scope } from "../../contract/scopes.ts";
import type { TeamRules } from "./teams.ts";

// Teams, identities and their keys, as they are stored. Times are epoch milliseconds.

export interface TeamRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** The bytes that its ciphertexts, notes and other rows take up in the database. */
  readonly storedBytes: number;
  /** Its own quota, in bytes; null for the default of the server. */
  readonly quotaBytes: number | null;
  /** Null without any. */
  readonly rules: TeamRules | null;
}

/** An automation, such as a script, which has API keys, or a person, who signs in at the page. */
export type IdentityKind = "automation" | "person";

export interface IdentityRecord {
  readonly id: string;
  readonly kind: IdentityKind;
  readonly teamId: string;
  readonly teamName: string;
  /** For a person the address, or another text by which they were added. */
  readonly name: string;
  /** The displayed name of a person; null for an automation, and for a person without one. */
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
  /** The key that replaced it in a rotation: then `expiresAt` is the end of the overlap. */
  readonly successorId: string | null;
  /** The networks that it works from (CIDR), with a space between them; null for everywhere. */
  readonly networks: string | null;
}
