import type { Envelope } from "../../contract/envelopes.ts";
import type { ProofWay, RequestState, SecretState } from "../../contract/states.ts";
import type { IdempotentCall } from "./calls.ts";
import type { ListInput, Page } from "./lists.ts";
import type { CreateSecretOutcome, NewSecret } from "./secrets.ts";

/** The stored metadata of a request. Times are epoch milliseconds. */
export interface RequestRecord {
  readonly id: string;
  readonly teamId: string;
  readonly state: RequestState;
  readonly recipient: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly maxSubmissions: number;
  /** The number of submissions. */
  readonly submissionCount: number;
  readonly endedAt: number | null;
  readonly createdBy: string | null;
  /** The person named to the holder of its link; null for nobody. */
  readonly askerId: string | null;
  /** The ticket of the request; null for none. */
  readonly reference: string | null;
  /** As `SecretRecord.addressees`, for those who may hand in. */
  readonly addressees: string | null;
}

/** A submission as its requester sees it before claiming it. */
export interface SubmissionRecord {
  readonly secretId: string;
  readonly state: SecretState;
  readonly createdAt: number;
}

/** A secret to hand in to a request. */
export interface Submission extends NewSecret {
  readonly requestId: string;
  /** The address that the caller has proven, and how; undefined for none. */
  readonly address?: string | undefined;
  readonly proof?: ProofWay | undefined;
}

export interface NewRequest {
  readonly record: RequestRecord;
  /** The sealed note; undefined when there is none. */
  readonly note: Envelope | undefined;
  readonly submitTokenHash: Uint8Array;
  readonly quotaBytes: number;
  readonly call: IdempotentCall | undefined;
  readonly network?: string | null;
}

export type CreateRequestOutcome =
  | { readonly kind: "created" | "replayed"; readonly request: RequestRecord }
  | { readonly kind: "conflict" | "quota_exceeded" };

export type SubmitOutcome =
  | CreateSecretOutcome
  | { readonly kind: "closed"; readonly state: Exclude<RequestState, "open"> }
  /** It is for other people, or nobody has proven who they are; nothing has happened. */
  | { readonly kind: "unproven" };

/** Stores requests. Methods are atomic, like those of SecretStore. */
export interface RequestStore {
  createRequest(request: NewRequest): Promise<CreateRequestOutcome>;
  /**
   * The outcome of the call's earlier creation; "conflict" when the key belongs to another call; undefined when nothing
   * was created, or it isn't kept any more.
   */
  replayRequestCreation(teamId: string, call: IdempotentCall): Promise<CreateRequestOutcome | undefined>;
  /** Finds a request of the team; undefined when there is none. */
  findRequest(teamId: string, id: string): Promise<RequestRecord | undefined>;
  /** One page of requests, newest first. */
  listRequests(input: ListInput<RequestState>): Promise<Page<RequestRecord>>;
  /** The submissions of a request, oldest first. */
  listSubmissions(teamId: string, requestId: string): Promise<SubmissionRecord[]>;
  /** The sealed note; undefined when there is none, or it was erased. */
  findNote(teamId: string, requestId: string): Promise<Envelope | undefined>;
  /**
   * Stores a submission for an open request, at most `maxSubmissions` times. Resolves undefined when there is no such
   * request.
   */
  submitSecret(secret: Submission): Promise<SubmitOutcome | undefined>;
  /**
   * Pauses or resumes a request, unless the team's quota is full. An ended request stays as it is. Resolves undefined
   * when there is none.
   */
  setRequestState(
    teamId: string,
    id: string,
    change: {
      readonly state: "open" | "paused";
      readonly actorId: string | null;
      readonly network?: string | null;
      readonly quotaBytes: number;
    },
  ): Promise<RequestRecord | "quota_exceeded" | undefined>;
  /** Revokes a request. An ended request stays as it is. Resolves undefined when there is none. */
  revokeRequest(
    teamId: string,
    id: string,
    actorId: string | null,
    network?: string | null,
  ): Promise<RequestRecord | undefined>;
}
