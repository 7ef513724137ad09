import type { Scope } from "../contract/scopes.ts";

// What is kept of teams, identities, their keys, and people. Times are epoch milliseconds.

/** Keeps the time. */
export interface TimeStore {
  /**
   * Makes sure that time never falls below `epochMs` again, which has come, across restarts either: whoever has been told
   * that something expired must never be told otherwise. Rejects with a Refusal `storage_unavailable`.
   */
  keepTime(epochMs: number): Promise<void>;
}

export interface TeamRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  /** What it takes up in the database: ciphertexts and notes as stored, and the rows of all that it has. */
  readonly storedBytes: number;
}

/** Who an identity is: a script or the like, which holds API keys, or a person, who signs in at the page. */
export type IdentityKind = "automation" | "person";

/** What a human token is for: the link is used once, and traded for a session. */
export type PersonTokenPurpose = "sign_in" | "session";

export interface IdentityRecord {
  readonly id: string;
  readonly kind: IdentityKind;
  readonly teamId: string;
  readonly teamName: string;
  readonly name: string;
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

/** What the admin command does to teams, identities and keys. */
export interface AdminStore {
  createTeam(team: TeamRecord): Promise<"created" | "name_taken">;
  listTeams(): Promise<TeamRecord[]>;
  /** Resolves undefined when no team has this name or id. */
  findTeam(nameOrId: string): Promise<TeamRecord | undefined>;
  /** Keeps what each team may take up, as the server goes by it that runs now. */
  keepTeamQuota(bytes: number): Promise<void>;
  /** What was kept last; undefined when no server has. */
  findTeamQuota(): Promise<number | undefined>;
  createIdentity(identity: IdentityRecord): Promise<"created" | "name_taken">;
  listIdentities(teamId: string | undefined): Promise<IdentityRecord[]>;
  /** Those with this name or id, of one team or of all. */
  findIdentities(nameOrId: string, teamId: string | undefined): Promise<IdentityRecord[]>;
  /** Resolves what the identity is then; undefined when there is none. So do the next two. */
  disableIdentity(id: string): Promise<IdentityRecord | undefined>;
  /** Undoes `disableIdentity`. Keys and sessions that ended stay ended. */
  enableIdentity(id: string): Promise<IdentityRecord | undefined>;
  setScopes(id: string, scopes: readonly Scope[]): Promise<IdentityRecord | undefined>;
  /**
   * Stores a key, and its identity where the team has none of that name or id; where it has one, the key belongs to that.
   * Resolves the key with the identity that it has. Rejects, with nothing stored, with the AdminError of `holderOf`.
   */
  createKey(key: KeyRecord, tokenHash: Uint8Array): Promise<KeyRecord>;
  /** Resolves undefined when there is no such key. */
  findKey(id: string): Promise<KeyRecord | undefined>;
  listKeys(teamId: string | undefined): Promise<KeyRecord[]>;
  /** Ends a key; a revoked one stays as it is. Resolves what it is then; undefined when there is none. */
  revokeKey(id: string): Promise<KeyRecord | undefined>;
  /**
   * Creates `key` as the successor of the key `replacedId`, and gives that one an end. Resolves false, with nothing
   * changed, when that one has been revoked or has a successor by now.
   */
  replaceKey(key: KeyRecord, tokenHash: Uint8Array, replacedId: string, replacedExpiresAt: number): Promise<boolean>;
  /** Undoes `replaceKey`: revokes `id`, and gives the key `replacedId` its earlier end back, without a successor. */
  restoreKey(id: string, replacedId: string, replacedExpiresAt: number | null): Promise<void>;
}

/** A token of a person, as it is stored; the token itself is not among what is known of it. */
export interface PersonTokenRecord {
  readonly identity: IdentityRecord;
  readonly purpose: PersonTokenPurpose;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Keeps the sign-in links and sessions of people. */
export interface PersonStore extends TimeStore {
  /**
   * Stores a token, and the person where the team has none of that name; one who was removed is back. Also forgets tokens
   * that are over, and the earlier links of whoever gets another. Resolves the token with the person whose it is. Rejects,
   * with nothing stored, with the AdminError of `guestOf`.
   */
  createPersonToken(token: PersonTokenRecord, tokenHash: Uint8Array): Promise<PersonTokenRecord>;
  /** The token with this hash and purpose; undefined when there is none. */
  findPersonToken(tokenHash: Uint8Array, purpose: PersonTokenPurpose): Promise<PersonTokenRecord | undefined>;
  /**
   * Uses up a sign-in link and stores the session that it is traded for. Resolves undefined when there is no such link;
   * "abandoned", with nothing done, when `signal` says that the caller is gone.
   */
  tradeSignIn(
    signInHash: Uint8Array,
    session: { readonly tokenHash: Uint8Array; readonly expiresAt: number },
    signal?: AbortSignal,
  ): Promise<PersonTokenRecord | "abandoned" | undefined>;
  /** Ends a session. */
  deletePersonToken(tokenHash: Uint8Array): Promise<void>;
  /** Ends everything that a person holds. */
  deletePersonTokensOf(identityId: string): Promise<void>;
}
