import type { Envelope } from "../contract/envelopes.ts";
import type { IdKind } from "../contract/ids.ts";
import type { CiphertextFormat, EventType, RequestState, SecretState } from "../contract/states.ts";
import type { AdminStore, KeyRecord, PersonStore, TimeStore } from "./identity-ports.ts";

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
  readonly envelopeVersion: Envelope["version"];
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
  readonly actorId: string | null;
}

/** An event that is about to be written: the store gives it its id. */
export type NewEvent = Omit<EventRecord, "id">;

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
  readonly submissionCount: number;
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

export type CreateSecretOutcome =
  | { readonly kind: "created" | "replayed"; readonly secret: SecretRecord }
  | { readonly kind: "conflict" | "quota_exceeded" };

export interface ClaimInput {
  readonly id: string;
  readonly teamId: string;
  readonly actorId: string | null;
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

/** One page of what a team has. */
export interface ListInput<State> {
  readonly teamId: string;
  readonly state: State | undefined;
  /** Only what this identity made. */
  readonly createdBy: string | undefined;
  readonly limit: number;
  /** Only what is older than the one with this id. */
  readonly before: string | undefined;
}

/**
 * Keeps secrets. Every method is whole: it happens entirely or not at all, and is on disk when its promise resolves.
 * Rejects with a Refusal `storage_unavailable` when it cannot be committed; then nothing has happened.
 */
export interface SecretStore {
  createSecret(secret: NewSecret): Promise<CreateSecretOutcome>;
  /** What came of the creation that was made by this call; undefined when there was none. */
  replayCreation(teamId: string, call: IdempotentCall): Promise<CreateSecretOutcome | undefined>;
  /** Resolves undefined when the team has no such secret. */
  findSecret(teamId: string, id: string): Promise<SecretRecord | undefined>;
  /** Newest first. */
  listSecrets(input: ListInput<SecretState>): Promise<SecretRecord[]>;
  /** Takes one claim, at most `maxClaims` times. Resolves undefined when the team has no such secret. */
  claimSecret(input: ClaimInput): Promise<ClaimOutcome | undefined>;
  /** Ends the replay window of a claim, once. Resolves undefined when no claim was made by that call. */
  acknowledgeClaim(id: string, claimDigest: Uint8Array): Promise<"acknowledged" | "repeated" | undefined>;
  /** Ends an available secret; leaves an ended one as it is. Resolves undefined when the team has no such secret. */
  revokeSecret(teamId: string, id: string, actorId: string | null): Promise<SecretRecord | undefined>;
}

export interface NewRequest {
  readonly record: RequestRecord;
  /** Sealed; undefined when there is none. */
  readonly note: Envelope | undefined;
  readonly submitTokenHash: Uint8Array;
  readonly quotaBytes: number;
  readonly call: IdempotentCall | undefined;
}

export type CreateRequestOutcome =
  | { readonly kind: "created" | "replayed"; readonly request: RequestRecord }
  | { readonly kind: "conflict" | "quota_exceeded" };

export type SubmitOutcome =
  CreateSecretOutcome | { readonly kind: "closed"; readonly state: Exclude<RequestState, "open"> };

/** What was handed in for a request, as far as its requester is told without claiming it. */
export interface SubmissionRecord {
  readonly secretId: string;
  readonly state: SecretState;
  readonly createdAt: number;
}

/** Keeps requests, as whole operations like those of SecretStore. */
export interface RequestStore {
  createRequest(request: NewRequest): Promise<CreateRequestOutcome>;
  /** What came of the creation that was made by this call; undefined when there was none. */
  replayRequestCreation(teamId: string, call: IdempotentCall): Promise<CreateRequestOutcome | undefined>;
  /** Resolves undefined when the team has no such request. */
  findRequest(teamId: string, id: string): Promise<RequestRecord | undefined>;
  /** Newest first. */
  listRequests(input: ListInput<RequestState>): Promise<RequestRecord[]>;
  /** Oldest first. */
  listSubmissions(teamId: string, requestId: string): Promise<SubmissionRecord[]>;
  /** The sealed note; undefined when there is none, or none any more. */
  findNote(teamId: string, requestId: string): Promise<Envelope | undefined>;
  /** Stores a secret for an open request, at most `maxSubmissions` times. Resolves undefined when there is no such request. */
  submitSecret(secret: NewSecret & { readonly requestId: string }): Promise<SubmitOutcome | undefined>;
  /**
   * Pauses an open request or opens a paused one, unless the team has no room left; leaves an ended one as it is. Resolves
   * undefined when there is none.
   */
  setRequestState(
    teamId: string,
    id: string,
    change: { readonly state: "open" | "paused"; readonly actorId: string | null; readonly quotaBytes: number },
  ): Promise<RequestRecord | "quota_exceeded" | undefined>;
  /** Ends a request; leaves an ended one as it is. Resolves undefined when there is none. */
  revokeRequest(teamId: string, id: string, actorId: string | null): Promise<RequestRecord | undefined>;
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

/** Something that keeps the storage from its work, or that its admin has to know of. */
export interface StorageTrouble {
  /** A word for programs. */
  readonly code: "no_room" | "locked" | "flush_failed" | "files_lost" | "unreadable" | "long_reader";
  /** What has happened and what to do, for the admin. It is shown to everybody, so it names no path and no caller. */
  readonly message: string;
  /** Whether calls are refused or wait because of it, or the disk fails. */
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
