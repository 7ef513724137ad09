import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Credential } from "./credentials.ts";
import type { CredentialLimits } from "./credentials.ts";
import { AuditPage, EventPage, ListAuditQuery, ListEventsQuery, SecretEvents } from "./events.ts";
import { NoQuery } from "./fields.ts";
import type { HasBody, PathSchema, Success } from "./fields.ts";
import type { Operation, OperationId, OPERATIONS } from "./operations.ts";
import { OwnProofBody, Proof, proofBegun, proofCompleted } from "./persons.ts";
import {
  CreatedRequest,
  CreateRequestBody,
  CreateRequestQuery,
  Invitation,
  largeSubmission,
  ListRequestsQuery,
  PatchRequestBody,
  RequestMetadata,
  RequestPage,
  RequestPath,
  SubmittedSecret,
} from "./requests.ts";
import {
  Ask,
  AskList,
  ClaimedSecret,
  CreatedAsk,
  CreatedSecret,
  CreateSecretBody,
  CreateSecretQuery,
  DecideAskBody,
  largeClaim,
  ListSecretsQuery,
  PatchSecretBody,
  PendingAsk,
  Secret,
  SecretPage,
  SecretPath,
  UploadPath,
  WaitQuery,
} from "./secrets.ts";

/** A tag of the document. */
export type Tag = "Secrets" | "Requests" | "Events" | "Credential" | "Health";

/** The server's limits for a query parameter. */
type ParameterLimits = Readonly<{ maximum: keyof CredentialLimits; default: keyof CredentialLimits | number }>;

/** The query and the answer of an operation, and its texts in the document. */
interface Described {
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly query: TObject;
  readonly success: Success;
  /** The limits of query parameters that depend on the server's settings. */
  readonly limits?: Readonly<Record<string, ParameterLimits>>;
  /** True when it answers `Accept: text/event-stream` with a stream of events. */
  readonly hasStream?: true;
  /** True when it needs the header Idempotency-Key. */
  readonly needsIdempotencyKey?: true;
  /** True when an Idempotency-Key doesn't make it repeatable. */
  readonly isUnrepeatable?: true;
  /** True when it takes the header Handoff-Proof. */
  readonly takesProof?: true;
  /** True when it takes the header Handoff-Approval. */
  readonly takesApproval?: true;
}

/** The schemas of one operation, with those of its path and body exactly when it has them. */
export type OperationSchemas<O extends Pick<Operation, "path" | "takesBody"> = Operation> = Described &
  HasParams<O["path"]> &
  HasBody<O>;

type HasParams<Path extends string> = string extends Path
  ? { readonly params?: PathSchema }
  : Path extends `${string}{id}${string}`
    ? { readonly params: PathSchema }
    : { readonly params?: never };

const OF_LIFETIME = { maximum: "max_expires_in", default: "default_expires_in" } as const;
const OF_TERMS = {
  expires_in: OF_LIFETIME,
  max_claims: { maximum: "max_claims", default: "default_max_claims" },
} as const;

/** The other half of each operation's record. A missing one doesn't compile. */
const OPERATION_SCHEMAS = {
  createSecret: {
    tag: "Secrets",
    summary: "Store an envelope",
    description:
      "Stores an encrypted envelope. A 201 means that it is on disk. The body has one member, the envelope. Other members are rejected.",
    query: CreateSecretQuery,
    body: CreateSecretBody,
    limits: OF_TERMS,
    success: { status: 201, schema: CreatedSecret, hasLocation: true },
  },
  createLargeSecret: {
    tag: "Secrets",
    summary: "Make a secret of an upload",
    description: "Makes a secret of a complete upload, which must be a binary age file. Otherwise as `POST /secrets`.",
    params: UploadPath,
    query: CreateSecretQuery,
    limits: OF_TERMS,
    success: { status: 201, schema: CreatedSecret, hasLocation: true },
  },
  listSecrets: {
    tag: "Secrets",
    summary: "List secrets",
    description:
      "The metadata of the team's secrets, newest first. Those that have ended are listed until they are deleted (`--tombstones`). With `created_by` or `reference`, and a second condition, a page can have fewer rows than `limit`: continue as long as there is a `next_cursor`.",
    query: ListSecretsQuery,
    success: { status: 200, schema: SecretPage },
  },
  getSecret: {
    tag: "Secrets",
    summary: "Get a secret",
    description:
      "The metadata of one secret. With `wait` it responds on a state change, or after `wait` seconds. It uses up no claim.",
    params: SecretPath,
    query: WaitQuery,
    success: { status: 200, schema: Secret },
  },
  listSecretEvents: {
    tag: "Secrets",
    summary: "List the events of a secret",
    description:
      "The events of one secret that are still kept (`--tombstones`), oldest first. For the holder of the claim token, they have no actor, request or ticket.",
    params: SecretPath,
    query: NoQuery,
    success: { status: 200, schema: SecretEvents },
  },
  claimSecret: {
    tag: "Secrets",
    summary: "Claim a secret",
    description:
      "Returns the envelope and uses up one claim. Of a secret that is for chosen people, it needs the proof of an address in the header `Handoff-Proof`, or the session of a person with one. Where somebody has to approve it, it needs the token of an approval in the header `Handoff-Approval`. With an `Idempotency-Key` the same call can be repeated until `replay_until`, in case the answer did not arrive.",
    params: SecretPath,
    query: NoQuery,
    takesProof: true,
    takesApproval: true,
    success: { status: 200, schema: ClaimedSecret },
  },
  claimLargeSecret: largeClaim,
  acknowledgeClaim: {
    tag: "Secrets",
    summary: "Acknowledge a claim",
    description:
      "Confirms that the recipient has stored the secret. Its ciphertext is erased now instead of at `replay_until`, unless claims are left. Send the `Idempotency-Key` of the claim.",
    params: SecretPath,
    query: NoQuery,
    needsIdempotencyKey: true,
    success: { status: 204, description: "Acknowledged." },
  },
  beginSecretProof: proofBegun("secret", SecretPath),
  completeSecretProof: proofCompleted("secret", SecretPath),
  askApproval: {
    tag: "Secrets",
    summary: "Ask for approval",
    description:
      "Asks the sender, or their team, to approve one claim with the token of this answer. Of a secret that is for chosen people, it needs a proof, as a claim does. It waits for an hour. One identity with one proven address has one ask: the next call goes on with it, by a new token. Of one secret, five count at once; an ask that was refused, or has waited for ten minutes, gives way to the next one.",
    params: SecretPath,
    query: NoQuery,
    takesProof: true,
    isUnrepeatable: true,
    success: { status: 201, schema: CreatedAsk },
  },
  getAsk: {
    tag: "Secrets",
    summary: "Get what was decided",
    description:
      "The ask whose token is in the header `Handoff-Approval`. With `wait` it responds once it is decided, or after `wait` seconds. It is `not_found` once its time is over.",
    params: SecretPath,
    query: WaitQuery,
    takesApproval: true,
    success: { status: 200, schema: Ask },
  },
  decideAsk: {
    tag: "Secrets",
    summary: "Approve or refuse",
    description:
      "Decides an ask for approval. Approved, it allows one claim within ten minutes. A refusal is final; an approval can be refused until the claim. Nobody decides what they have asked for themselves.",
    params: SecretPath,
    query: NoQuery,
    body: DecideAskBody,
    success: { status: 200, schema: PendingAsk },
  },
  listAsks: {
    tag: "Secrets",
    summary: "List what waits for approval",
    description: "The asks for approval that wait, and that the caller may decide, oldest first.",
    query: WaitQuery,
    success: { status: 200, schema: AskList },
  },
  patchSecret: {
    tag: "Secrets",
    summary: "Change how long and how often",
    description:
      "Sets how much longer an available secret can be claimed, counted from now, and how often in all. Both may be more or less than before, within the limits of this server. An ended secret stays ended. A submission keeps its terms (`schema_mismatch`).",
    params: SecretPath,
    query: NoQuery,
    body: PatchSecretBody,
    success: { status: 200, schema: Secret },
  },
  revokeSecret: {
    tag: "Secrets",
    summary: "Revoke a secret",
    description:
      "Ends a secret and erases it. A revoked secret stays as it is. For one that was claimed or has expired it is too late: 410 with that code.",
    params: SecretPath,
    query: NoQuery,
    success: { status: 200, schema: Secret },
  },
  createRequest: {
    tag: "Requests",
    summary: "Ask for a secret",
    description:
      "Creates the request behind a request link, through which people without an account hand in secrets, encrypted to the recipient. The note is sealed, and its key is in the link.",
    query: CreateRequestQuery,
    body: CreateRequestBody,
    limits: { expires_in: OF_LIFETIME, max_submissions: { maximum: "max_claims", default: 1 } },
    success: { status: 201, schema: CreatedRequest, hasLocation: true },
  },
  listRequests: {
    tag: "Requests",
    summary: "List requests",
    description:
      "The metadata of the team's requests, newest first. Those that have ended are listed until they are deleted (`--tombstones`). With `created_by` or `reference`, and a second condition, a page can have fewer rows than `limit`: continue as long as there is a `next_cursor`.",
    query: ListRequestsQuery,
    success: { status: 200, schema: RequestPage },
  },
  getRequest: {
    tag: "Requests",
    summary: "Get a request",
    description:
      "The metadata of one request and its submissions. With `wait` it responds on a state change, or after `wait` seconds, and at once while a submission waits to be claimed.",
    params: RequestPath,
    query: WaitQuery,
    success: { status: 200, schema: RequestMetadata },
  },
  getInvitation: {
    tag: "Requests",
    summary: "Get an invitation",
    description:
      "What the holder of a request link needs to hand in a secret. Compare the recipient with the pin in the link before encrypting to it.",
    params: RequestPath,
    query: NoQuery,
    success: { status: 200, schema: Invitation },
  },
  submitSecret: {
    tag: "Requests",
    summary: "Hand in a secret",
    description:
      "Stores an envelope for the person who asked. Where only chosen people may hand in, it needs the proof of an address in the header `Handoff-Proof`. A 201 means that it is on disk. Send an `Idempotency-Key`, so that a repeated call hands in nothing twice.",
    params: RequestPath,
    query: NoQuery,
    body: CreateSecretBody,
    takesProof: true,
    success: { status: 201, schema: SubmittedSecret },
  },
  submitLargeSecret: largeSubmission,
  beginRequestProof: proofBegun("request", RequestPath),
  completeRequestProof: proofCompleted("request", RequestPath),
  patchRequest: {
    tag: "Requests",
    summary: "Pause or resume a request",
    description: "A paused request accepts no submissions until it is resumed (`open`). An ended request stays ended.",
    params: RequestPath,
    query: NoQuery,
    body: PatchRequestBody,
    success: { status: 200, schema: RequestMetadata },
  },
  revokeRequest: {
    tag: "Requests",
    summary: "Revoke a request",
    description: "Ends a request. Its submissions stay. An ended request stays as it is.",
    params: RequestPath,
    query: NoQuery,
    success: { status: 200, schema: RequestMetadata },
  },
  listEvents: {
    tag: "Events",
    summary: "List events",
    description:
      "The events of the team, oldest first. With `wait` it responds when something happens, or after `wait` seconds. With `Accept: text/event-stream` it is a stream (server-sent events) that goes on until one side ends it: `id` is the ID of the event, `event` its type, `data` the event as JSON in one line, and a comment comes after 15 seconds without an event. `limit` and `wait` mean nothing then, and it counts as one waiting call. Where no more may wait, it is `rate_limited`.",
    query: ListEventsQuery,
    hasStream: true,
    success: { status: 200, schema: EventPage },
  },
  listAudit: {
    tag: "Events",
    summary: "Read the audit",
    description:
      "The events of the team between two times, oldest first, each as a flat line with the name of its actor, how an address was proven, and the network where the server logs addresses: as `handoff admin audit` prints them.",
    query: ListAuditQuery,
    success: { status: 200, schema: AuditPage },
  },
  createProof: {
    tag: "Credential",
    summary: "Prove the address of the signed-in person",
    description:
      "Proves the address of the person who is signed in, or whose terminal it is, for one secret or request and ten minutes. For any other credential it is `proof_required`.",
    query: NoQuery,
    body: OwnProofBody,
    isUnrepeatable: true,
    success: { status: 201, schema: Proof },
  },
  getCredential: {
    tag: "Credential",
    summary: "Get this credential",
    description:
      "Kind, identity, team, person, scopes, expiry and limits of the credential of the call, and the storage that the team uses.",
    query: NoQuery,
    success: { status: 200, schema: Credential },
  },
} as const satisfies { readonly [Id in OperationId]: OperationSchemas<(typeof OPERATIONS)[Id]> };

type Schemas = typeof OPERATION_SCHEMAS;

/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = Static<Schemas[Id]["query"]>;

/** The request body of an operation; undefined for none. */
export type BodyOf<Id extends OperationId> = Schemas[Id] extends { readonly body: infer Body extends TSchema }
  ? Static<Body>
  : undefined;

/** The id in the path of an operation; undefined for none. */
export type IdOf<Id extends OperationId> = Schemas[Id] extends { readonly params: TSchema } ? string : undefined;

/** The body of an operation's answer; undefined for none. */
export type AnswerOf<Id extends OperationId> = Schemas[Id]["success"] extends {
  readonly schema: infer Answer extends TSchema;
}
  ? Static<Answer>
  : undefined;

/** Every operationId, in the order of the contract. */
export const OPERATION_IDS = Object.keys(OPERATION_SCHEMAS).filter((id): id is OperationId =>
  Object.hasOwn(OPERATION_SCHEMAS, id),
);

/** The schemas and texts of the operation `id`, typed as those of any operation. */
export function schemasOf(id: OperationId): OperationSchemas {
  return OPERATION_SCHEMAS[id];
}
