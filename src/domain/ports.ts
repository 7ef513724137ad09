import type { CiphertextFormat } from "../contract/envelopes.ts";
import type { EventType } from "../contract/events.ts";
import type { IdKind } from "../contract/id-prefixes.ts";
import type { Scope } from "../contract/scopes.ts";
import type { RequestState } from "../contract/requests.ts";
import type { SecretState } from "../contract/secrets.ts";

/** Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number;
}

/** A source of cryptographically secure random bytes. */
export interface Random {
  bytes(length: number): Uint8Array;
}

/** A source of ids that ascend. */
export interface Ids {
  next(kind: IdKind): string;
}

/** The metadata of a secret as it is stored. Times are epoch milliseconds. */
export interface SecretRecord {
  readonly id: string;
  readonly teamId: string;
  readonly state: SecretState;
  readonly envelopeVersion: number;
  readonly ciphertextBytes: number;
  readonly ciphertextFormat: CiphertextFormat;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly maxClaims: number;
  readonly claims: number;
  readonly endedAt: number | null;
  readonly createdBy: string | null;
  readonly requestId: string | null;
}

export interface EventRecord {
  readonly id: string;
  readonly teamId: string;
  readonly type: EventType;
  readonly createdAt: number;
  /** Null when it happened to a request. */
  readonly secretId: string | null;
  readonly requestId: string | null;
  readonly identityId: string | null;
}

/** The metadata of a request as it is stored. Times are epoch milliseconds. */
export interface RequestRecord {
  readonly id: string;
  readonly teamId: string;
  readonly state: RequestState;
  readonly recipient: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly maxSubmissions: number;
  /** How many were handed in. */
  readonly submissions: number;
  readonly endedAt: number | null;
  readonly createdBy: string | null;
}

/** A call that may be repeated. Both are SHA-256: of credential, route and key; and of what was asked. */
export interface IdempotentCall {
  readonly digest: Uint8Array;
  readonly fingerprint: Uint8Array;
}

export interface NewSecret {
  readonly record: SecretRecord;
  readonly ciphertext: string;
  readonly claimTokenHash: Uint8Array;
  /** How much the team may take up in the database, this included. */
  readonly quotaBytes: number;
  readonly call: IdempotentCall | undefined;
}

export type CreateOutcome =
  | { readonly kind: "created" | "replayed"; readonly secret: SecretRecord }
  | { readonly kind: "conflict" | "quota_exceeded" };

export interface ClaimInput {
  readonly id: string;
  readonly teamId: string;
  readonly identityId: string | null;
  /** The call, and until when it may be replayed; undefined makes a claim that cannot be. */
  readonly call: (IdempotentCall & { readonly replayUntil: number }) | undefined;
  /** Whoever is gone when the transaction begins gets nothing, and nothing is used up. */
  readonly signal?: AbortSignal | undefined;
}

export type ClaimOutcome =
  | {
      readonly kind: "claimed" | "replayed";
      readonly secret: SecretRecord;
      readonly ciphertext: string;
      readonly replayUntil: number | null;
    }
  /** The claim of this call was made, and can no longer be replayed. */
  | { readonly kind: "conflict" | "replay_over" }
  /** The caller was gone; nothing has happened. */
  | { readonly kind: "abandoned" }
  | { readonly kind: "ended"; readonly state: Exclude<SecretState, "available"> };

export interface ListSecretsInput {
  readonly teamId: string;
  readonly state: SecretState | undefined;
  /** Only those that this identity made. */
  readonly createdBy: string | undefined;
  readonly limit: number;
  /** Only secrets older than the one with this id. */
  readonly before: string | undefined;
}

/**
 * Keeps secrets. Every method is whole: it happens entirely or not at all, and is on disk when its promise resolves.
 * Rejects with a Refusal `storage_unavailable` when it cannot be committed; then nothing has happened.
 */
export interface SecretStore {
  createSecret(secret: NewSecret): Promise<CreateOutcome>;
  /** What came of the creation that was made by this call; undefined when there was none. */
  recallCreation(teamId: string, call: IdempotentCall): Promise<CreateOutcome | undefined>;
  /** Resolves undefined when the team has no such secret. */
  findSecret(teamId: string, id: string): Promise<SecretRecord | undefined>;
  /** Newest first. */
  listSecrets(input: ListSecretsInput): Promise<SecretRecord[]>;
  /** Takes one claim, at most `maxClaims` times. Resolves undefined when the team has no such secret. */
  claimSecret(input: ClaimInput): Promise<ClaimOutcome | undefined>;
  /** Ends the replay window of a claim, once. Resolves undefined when no claim was made by that call. */
  acknowledgeClaim(id: string, claimDigest: Uint8Array): Promise<"acknowledged" | "repeated" | undefined>;
  /** Ends an available secret; leaves an ended one as it is. Resolves undefined when the team has no such secret. */
  revokeSecret(teamId: string, id: string, identityId: string | null): Promise<SecretRecord | undefined>;
}

export interface NewRequest {
  readonly record: RequestRecord;
  /** The ciphertext of the sealed note; undefined when there is none. */
  readonly note: string | undefined;
  readonly submitTokenHash: Uint8Array;
  readonly quotaBytes: number;
  readonly call: IdempotentCall | undefined;
}

export type CreateRequestOutcome =
  | { readonly kind: "created" | "replayed"; readonly request: RequestRecord }
  | { readonly kind: "conflict" | "quota_exceeded" };

export type SubmitOutcome = CreateOutcome | { readonly kind: "closed"; readonly state: Exclude<RequestState, "open"> };

/** What was handed in for a request, as far as its requester is told without claiming it. */
export interface SubmissionRecord {
  readonly secretId: string;
  readonly state: SecretState;
  readonly createdAt: number;
}

export interface ListRequestsInput {
  readonly teamId: string;
  readonly state: RequestState | undefined;
  /** Only those that this identity made. */
  readonly createdBy: string | undefined;
  readonly limit: number;
  /** Only requests older than the one with this id. */
  readonly before: string | undefined;
}

/** Keeps requests, as whole operations like those of SecretStore. */
export interface RequestStore {
  createRequest(request: NewRequest): Promise<CreateRequestOutcome>;
  /** What came of the creation that was made by this call; undefined when there was none. */
  recallRequest(teamId: string, call: IdempotentCall): Promise<CreateRequestOutcome | undefined>;
  /** Resolves undefined when the team has no such request. */
  findRequest(teamId: string, id: string): Promise<RequestRecord | undefined>;
  /** Newest first. */
  listRequests(input: ListRequestsInput): Promise<RequestRecord[]>;
  /** Oldest first. */
  listSubmissions(teamId: string, requestId: string): Promise<SubmissionRecord[]>;
  /** The ciphertext of the note; undefined when there is none, or none any more. */
  findNote(teamId: string, requestId: string): Promise<string | undefined>;
  /** Stores a secret for an open request, at most `maxSubmissions` times. Resolves undefined when there is no such request. */
  submitSecret(secret: NewSecret & { readonly requestId: string }): Promise<SubmitOutcome | undefined>;
  /**
   * Pauses an open request or opens a paused one, unless the team has no room left; leaves an ended one as it is. Resolves
   * undefined when there is none.
   */
  setRequestState(
    teamId: string,
    id: string,
    change: { readonly state: "open" | "paused"; readonly identityId: string | null; readonly quotaBytes: number },
  ): Promise<RequestRecord | "quota_exceeded" | undefined>;
  /** Ends a request; leaves an ended one as it is. Resolves undefined when there is none. */
  revokeRequest(teamId: string, id: string, identityId: string | null): Promise<RequestRecord | undefined>;
}

export interface EventStore {
  /** Events after `after`, oldest first. */
  listEvents(teamId: string, after: string | undefined, limit: number): Promise<EventRecord[]>;
  /** The id of the latest event; undefined when there is none. */
  lastEventId(teamId: string): Promise<string | undefined>;
}

/** Told of every committed event. Returns what ends the subscription. */
export interface EventFeed {
  subscribe(listener: (event: EventRecord) => void): () => void;
}

/** What is due by time alone. Each call does a bounded step and resolves true when there is more to do. */
export interface SweepStore {
  sweep(limit: number): Promise<boolean>;
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
export type HumanTokenPurpose = "sign_in" | "session";

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
}

/** Keeps the time. */
export interface TimeStore {
  /**
   * Makes sure that time never falls below `epochMs` again, which has come, across restarts either: whoever has been told
   * that something expired must never be told otherwise. Rejects with a Refusal `storage_unavailable`.
   */
  keepTime(epochMs: number): Promise<void>;
}

/** What the service needs of credentials while it runs. */
export interface CredentialStore extends TimeStore {
  findKeyByHash(tokenHash: Uint8Array): Promise<KeyRecord | undefined>;
  /** The secret that a claim token opens; of several with the same token, the one named. */
  findSecretByClaimToken(tokenHash: Uint8Array, secretId: string | undefined): Promise<SecretRecord | undefined>;
  /** The request that a submit token belongs to; of several with the same token, the one named. */
  findRequestBySubmitToken(tokenHash: Uint8Array, requestId: string | undefined): Promise<RequestRecord | undefined>;
  /** Notes the use of a key, to the minute. Never fails the call that it belongs to. */
  recordKeyUse(keyId: string): void;
  /** What the team takes up in the database, as it counts against its quota. */
  findStoredBytes(teamId: string): Promise<number>;
  /** Notes that a key was seen in a query string. */
  markKeyExposed(tokenHash: Uint8Array): Promise<void>;
}

/** What the admin command does to teams, identities and keys. */
export interface AdminStore {
  createTeam(team: TeamRecord): Promise<"created" | "name_taken">;
  listTeams(): Promise<TeamRecord[]>;
  createIdentity(identity: IdentityRecord): Promise<"created" | "name_taken">;
  listIdentities(teamId: string | undefined): Promise<IdentityRecord[]>;
  disableIdentity(id: string): Promise<void>;
  /** Undoes `disableIdentity`. Keys and sessions that ended stay ended. */
  enableIdentity(id: string): Promise<void>;
  createKey(key: KeyRecord, tokenHash: Uint8Array): Promise<void>;
  listKeys(teamId: string | undefined): Promise<KeyRecord[]>;
  revokeKey(id: string): Promise<void>;
  /** Creates `key` and gives the key `replacedId` an end, in one transaction. */
  replaceKey(key: KeyRecord, tokenHash: Uint8Array, replacedId: string, replacedExpiresAt: number): Promise<void>;
}

/** A token of a person, as it is stored; the token itself is not among what is known of it. */
export interface HumanTokenRecord {
  readonly identity: IdentityRecord;
  readonly purpose: HumanTokenPurpose;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Keeps the sign-in links and sessions of people. */
export interface PersonStore extends TimeStore {
  /** Also forgets those that are over. */
  createHumanToken(token: HumanTokenRecord, tokenHash: Uint8Array): Promise<void>;
  /** The token with this hash and purpose; undefined when there is none. */
  findHumanToken(tokenHash: Uint8Array, purpose: HumanTokenPurpose): Promise<HumanTokenRecord | undefined>;
  /**
   * Uses up a sign-in link and stores the session that it is traded for. Resolves undefined when there is no such link;
   * "abandoned", with nothing done, when `signal` says that the caller is gone.
   */
  tradeSignIn(
    signInHash: Uint8Array,
    session: { readonly tokenHash: Uint8Array; readonly expiresAt: number },
    signal?: AbortSignal,
  ): Promise<HumanTokenRecord | "abandoned" | undefined>;
  /** Ends a session. */
  deleteHumanToken(tokenHash: Uint8Array): Promise<void>;
  /** Ends everything that a person holds. */
  deleteHumanTokensOf(identityId: string): Promise<void>;
}

/** Something that keeps the storage from its work, or that its admin has to know of. */
export interface StorageTrouble {
  /** A word for programs. */
  readonly code: "no_room" | "locked" | "flush_failed" | "files_lost" | "unreadable" | "long_reader";
  /** What has happened and what to do, for the admin. It is shown to everybody, so it names no path and no caller. */
  readonly message: string;
  /** Whether calls are refused or wait because of it. */
  readonly isSerious: boolean;
}

export interface HealthStore {
  /** What is wrong now; empty when all is well. */
  findTroubles(): Promise<StorageTrouble[]>;
}

export type Store = SecretStore &
  PersonStore &
  RequestStore &
  EventStore &
  EventFeed &
  SweepStore &
  CredentialStore &
  AdminStore &
  HealthStore & {
    /** Commits what is under way, erases what is to be erased and closes the database. */
    close(): Promise<void>;
  };
