import { charactersOf } from "../contract/ciphertexts.ts";
import type { Characters } from "../contract/ciphertexts.ts";
import type { Envelope, IncomingEnvelope } from "../contract/envelopes.ts";
import { DEFAULT_SUBMISSIONS } from "../contract/limits.ts";
import type { Person } from "../contract/persons.ts";
import type { CreateRequestBody, CreateRequestQuery, ListRequestsQuery } from "../contract/requests.ts";
import { isLive } from "../contract/states.ts";
import { findProvenAddress, toAddressees } from "./addressees.ts";
import { parseRecipientKind } from "./age-recipients.ts";
import { actorOf, causeOf, networkOf, rulesOf } from "./callers.ts";
import type { Caller, SubmitTokenCaller } from "./callers.ts";
import { inspectEnvelope } from "./envelopes.ts";
import { idempotentCall } from "./idempotency.ts";
import type { RepeatableCall } from "./idempotency.ts";
import type { Page } from "./ports/lists.ts";
import type { PersonStore } from "./ports/persons.ts";
import type { ProofStore, ProvenAddress } from "./ports/proofs.ts";
import type {
  CreateRequestOutcome,
  RequestRecord,
  RequestStore,
  SubmissionRecord,
  SubmitOutcome,
} from "./ports/requests.ts";
import type { SecretRecord, SecretStore } from "./ports/secrets.ts";
import { inspectSecret, newSecretRecord, outOfRange, stored } from "./secrets.ts";
import type { Inspected, SecretDeps } from "./secrets.ts";
import { findSender, namedPersonId } from "./senders.ts";
import { readPage } from "./values/cursors.ts";
import { Refusal } from "./values/errors.ts";
import { checkRules, termsWithin } from "./values/team-rules.ts";
import { linkToken, randomTokenHash } from "./values/tokens.ts";
import type { LinkToken, LinkTokenSource } from "./values/tokens.ts";

export interface RequestDeps extends Omit<SecretDeps, "store"> {
  readonly store: RequestStore &
    Pick<SecretStore, "replayCreation"> &
    Pick<PersonStore, "findPerson"> &
    Pick<ProofStore, "findProof">;
}

/** A new request. `submitToken` is undefined when the caller made the token. */
export interface CreatedRequest {
  readonly request: RequestRecord;
  readonly submitToken: string | undefined;
  /** True when an earlier call with the same idempotency key made it. */
  readonly isReplay: boolean;
}

/**
 * Creates a request. Throws a Refusal: `schema_mismatch` for an invalid recipient, terms above the maximum and people
 * who can't be chosen, `team_rule`, `payload_too_large` or `ciphertext_unrecognized` for the note,
 * `team_quota_exceeded`, `idempotency_conflict`, `storage_unavailable`.
 */
export async function createRequest(
  deps: RequestDeps,
  caller: Caller,
  input: { readonly body: CreateRequestBody; readonly query: CreateRequestQuery; readonly call: RepeatableCall },
): Promise<CreatedRequest> {
  const { body, query } = input;
  const source: LinkTokenSource = {
    kind: "submit",
    random: deps.random,
    credential: caller.token,
    idempotencyKey: input.call.idempotencyKey,
    givenHash: query.submit_token_hash,
  };
  const content = () => [
    JSON.stringify(query, Object.keys(query).toSorted()),
    body.recipient,
    String(body.note?.ciphertext ?? ""),
  ];
  const call = idempotentCall(caller, input.call, content);
  // A repetition gets the first answer, even if policy or disk would refuse the call now.
  const known = call && (await deps.store.replayRequestCreation(caller.teamId, call));
  if (known) return createdRequest(known, source);
  const id = deps.ids.next("request");
  const record = newRequestRecord(deps, caller, id, body, query);
  const token = linkToken(source, id);
  const outcome = await deps.store.createRequest({
    record,
    // A note is never large.
    note: body.note && { version: body.note.version, ciphertext: String(body.note.ciphertext) },
    submitTokenHash: token.hash,
    quotaBytes: deps.policy.teamQuotaBytes,
    call,
    network: networkOf(caller),
  });
  return createdRequest(outcome, source, token);
}

/** `token` is that of the new request; for a replay, the earlier request's token is derived again. */
function createdRequest(outcome: CreateRequestOutcome, source: LinkTokenSource, token?: LinkToken): CreatedRequest {
  const { request, kind } = stored(outcome);
  const { shown } = kind === "created" && token ? token : linkToken(source, request.id);
  return { request, submitToken: shown, isReplay: kind === "replayed" };
}

function newRequestRecord(
  deps: RequestDeps,
  caller: Caller,
  id: string,
  { recipient, note }: CreateRequestBody,
  query: CreateRequestQuery,
): RequestRecord {
  const { policy } = deps;
  if (parseRecipientKind(recipient) === undefined) {
    throw new Refusal("schema_mismatch", { errors: [{ pointer: "/recipient", code: "format" }] });
  }
  if (note) inspectEnvelope(policy, note, "note");
  const rules = rulesOf(caller);
  const ttlSeconds = query.expires_in ?? termsWithin(policy, rules).defaultTtlSeconds;
  const maxSubmissions = query.max_submissions ?? DEFAULT_SUBMISSIONS;
  if (ttlSeconds > policy.maxTtlSeconds) throw outOfRange("/query/expires_in");
  if (maxSubmissions > policy.maxClaims) throw outOfRange("/query/max_submissions");
  const { reference = null } = query;
  const addressees = toAddressees(policy, query.for);
  checkRules(rules, { ttlSeconds, maxClaims: maxSubmissions, reference, addressees });
  const now = deps.clock.now();
  return {
    id,
    teamId: caller.teamId,
    state: "open",
    recipient,
    createdAt: now,
    expiresAt: now + ttlSeconds * 1000,
    maxSubmissions,
    submissionCount: 0,
    endedAt: null,
    createdBy: actorOf(caller),
    askerId: namedPersonId(caller, query.anonymous),
    reference,
    addressees,
  };
}

/** A request with its submissions. */
export interface RequestWithSubmissions {
  readonly request: RequestRecord;
  readonly submissions: readonly SubmissionRecord[];
}

/**
 * Gets a request. With `waitSeconds`, resolves when it is paused, resumed or ended, or has a submission to claim, and
 * after that time at the latest. Throws a Refusal `not_found`.
 */
export async function getRequest(
  deps: RequestDeps,
  caller: Caller,
  input: { readonly id: string; readonly waitSeconds: number; readonly signal: AbortSignal },
): Promise<RequestWithSubmissions> {
  return deps.waits.until({
    topic: input.id,
    credentialId: caller.credentialId,
    seconds: input.waitSeconds,
    signal: input.signal,
    read: () => findWithSubmissions(deps, caller, input.id),
    settled: ({ request, submissions }, first) =>
      request.state !== first.request.state ||
      !isLive(request.state) ||
      submissions.some(({ state }) => state === "available"),
    changesAt: ({ request }) => request.expiresAt,
  });
}

async function findWithSubmissions(deps: RequestDeps, caller: Caller, id: string): Promise<RequestWithSubmissions> {
  const request = await deps.store.findRequest(caller.teamId, id);
  if (!request) throw new Refusal("not_found");
  return { request, submissions: await deps.store.listSubmissions(caller.teamId, id) };
}

/**
 * Lists requests of the caller's team, newest first, with the cursor of the next page or null. Throws a Refusal
 * `schema_mismatch` for a cursor from the future.
 */
export async function listRequests(
  deps: RequestDeps,
  caller: Caller,
  query: ListRequestsQuery,
): Promise<Page<RequestRecord>> {
  return readPage(deps.clock, "request", (input) => deps.store.listRequests(input), { teamId: caller.teamId, query });
}

/** The part of a request that the holder of its link may see. */
export interface Invitation {
  readonly recipient: string;
  readonly note: Envelope | null;
  readonly expiresAt: number;
  readonly submissionsLeft: number;
  readonly askedBy: Person | null;
  /** Those who may hand in; null for everybody with the link. */
  readonly addressees: string | null;
}

/**
 * The invitation of an open request. Throws a Refusal: `request_paused`, `request_fulfilled`, `request_expired` or
 * `request_revoked`.
 */
export async function getInvitation(deps: RequestDeps, caller: SubmitTokenCaller): Promise<Invitation> {
  const { request, teamId } = caller;
  if (request.state !== "open") throw new Refusal(`request_${request.state}`);
  const note = await deps.store.findNote(teamId, request.id);
  return {
    recipient: request.recipient,
    note: note ?? null,
    expiresAt: request.expiresAt,
    submissionsLeft: request.maxSubmissions - request.submissionCount,
    askedBy: await findSender(deps, caller),
    addressees: request.addressees,
  };
}

/** A submission. `isReplay` is true when an earlier call with the same idempotency key made it. */
export interface SubmittedSecret {
  readonly secret: SecretRecord;
  readonly isReplay: boolean;
}

/**
 * Hands in a secret. It belongs to the requester's team, and has the default lifetime of secrets, however soon the
 * request ends. Throws the Refusals of `getInvitation` and `createSecret`, and `proof_required`.
 */
export async function submitSecret(
  deps: RequestDeps,
  caller: SubmitTokenCaller,
  input: {
    readonly envelope: IncomingEnvelope;
    readonly call: RepeatableCall;
    /** The token of a proof; undefined without one. */
    readonly proofToken?: string | undefined;
  },
): Promise<SubmittedSecret> {
  const { envelope, call, proofToken } = input;
  return storeSubmission(deps, caller, {
    ciphertext: charactersOf(envelope.ciphertext),
    call,
    inspect: async () => ({
      inspected: inspectSecret(deps, envelope),
      proven: await findProvenAddress(deps, caller, caller.request.id, proofToken),
    }),
  });
}

/** A secret to be handed in: its ciphertext, or the id of its upload, and what `inspect` finds out or refuses. */
interface SubmissionToStore {
  readonly ciphertext: Characters;
  readonly call: RepeatableCall;
  readonly inspect: () => Promise<{ readonly inspected: Inspected; readonly proven: ProvenAddress | undefined }>;
}

/** Stores a submission. Throws the Refusals of `submitSecret`, and `upload_ended`. */
export async function storeSubmission(
  deps: RequestDeps,
  caller: SubmitTokenCaller,
  { ciphertext, call: repeatable, inspect }: SubmissionToStore,
): Promise<SubmittedSecret> {
  const { policy } = deps;
  const { id: requestId, reference } = caller.request;
  const call = idempotentCall(caller, repeatable, () => [ciphertext]);
  // A repetition gets the first answer, even if the policy would refuse the call now.
  const known = call && (await deps.store.replayCreation(caller.teamId, call));
  if (known) return submittedSecret(known);
  const { inspected, proven } = await inspect();
  const of = { teamId: caller.teamId, createdBy: null, requestId, senderId: null, reference };
  const origin = { id: deps.ids.next("secret"), ...of, addressees: null, approval: null };
  const terms = { ttlSeconds: policy.defaultTtlSeconds, maxClaims: 1 };
  const outcome = await deps.store.submitSecret({
    record: newSecretRecord(deps, { ...origin, ...terms, ...inspected }),
    ciphertext,
    // A submission has no claim token: the team's credentials claim it.
    claimTokenHash: randomTokenHash(deps.random),
    quotaBytes: policy.teamQuotaBytes,
    call,
    requestId,
    ...proven,
    network: networkOf(caller),
  });
  return submittedSecret(outcome);
}

function submittedSecret(outcome: SubmitOutcome | undefined): SubmittedSecret {
  if (!outcome) throw new Refusal("not_found");
  if (outcome.kind === "unproven") throw new Refusal("proof_required");
  const known = stored(outcome);
  if (known.kind === "closed") throw new Refusal(`request_${known.state}`);
  return { secret: known.secret, isReplay: known.kind === "replayed" };
}

/**
 * Pauses or resumes a request. Throws a Refusal: `not_found`, `team_quota_exceeded`, or the code of the request's end.
 */
export async function setRequestState(
  deps: RequestDeps,
  caller: Caller,
  id: string,
  state: "open" | "paused",
): Promise<RequestWithSubmissions> {
  const request = await deps.store.setRequestState(caller.teamId, id, {
    state,
    ...causeOf(caller),
    quotaBytes: deps.policy.teamQuotaBytes,
  });
  if (!request) throw new Refusal("not_found");
  if (request === "quota_exceeded") throw new Refusal("team_quota_exceeded");
  if (!isLive(request.state)) throw new Refusal(`request_${request.state}`);
  return findWithSubmissions(deps, caller, id);
}

/** Revokes a request. An ended request stays as it is, and so do all submissions. Throws a Refusal `not_found`. */
export async function revokeRequest(deps: RequestDeps, caller: Caller, id: string): Promise<RequestWithSubmissions> {
  const request = await deps.store.revokeRequest(caller.teamId, id, actorOf(caller), networkOf(caller));
  if (!request) throw new Refusal("not_found");
  return findWithSubmissions(deps, caller, id);
}
