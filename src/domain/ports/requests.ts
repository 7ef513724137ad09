import type { Envelope } from "../../contract/envelopes.ts";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { IdempotentCall } from "./calls.ts";
import type { ListInput, Page } from "./lists.ts";
import type { CreateSecretOutcome, NewSecret } from "./secrets.ts";

/** The metadata of a request as it is stored. Times are epoch milliseconds. */
export interface RequestRecord {
  readonly id: string;
  readonly teamId: string;
  readonly state: RequestState;
  readonly recipient: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly maxSubmissions: number;
  /** The number of secrets that were handed in. */
  readonly submissionCount: number;
  readonly endedAt: number | null;
  readonly createdBy: string | null;
  /** The person whom the holder of its link is told of; null for nobody. */
  readonly askerId: string | null;
  /** The ticket that it is about. */
  readonly reference: string | null;
}

/** A secret that was handed in for a request, as far as its requester is told without claiming it. */
export interface SubmissionRecord {
  readonly secretId: string;
  readonly state: SecretState;
  readonly createdAt: number;
}

export interface NewRequest {
  readonly record: RequestRecord;
  /** The sealed note; undefined when there is none. */
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

/** Keeps requests, as whole operations like those of SecretStore. */
export interface RequestStore {
  createRequest(request: NewRequest): Promise<CreateRequestOutcome>;
  /**
   * The outcome of the creation that this call made before; "conflict" when the same key made something else, undefined
   * when it made nothing, or nothing that is still there.
   */
  replayRequestCreation(teamId: string, call: IdempotentCall): Promise<CreateRequestOutcome | undefined>;
  /** Resolves undefined when the team has no such request. */
  findRequest(teamId: string, id: string): Promise<RequestRecord | undefined>;
  /** The requests of one page, newest first. */
  listRequests(input: ListInput<RequestState>): Promise<Page<RequestRecord>>;
  /** The submissions of a request, oldest first. */
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
