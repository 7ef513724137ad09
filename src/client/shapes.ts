import { answerSchema } from "../contract/answer-schemas.ts" with { type: "macro" };
import type { Credential } from "../contract/credentials.ts";
import type { Invitation, RequestMetadata, RequestSummary, SubmittedSecret } from "../contract/requests.ts";
import type { ClaimedSecret, Secret } from "../contract/secrets.ts";
import { unexpected } from "./answers.ts";
import { parseBySchema } from "./schemas.ts";

// An answer is checked before it is used, because a server may be hostile, or not be a handoff server at all. The schemas
// are those of the contract, as data. Each function throws ClientError `unexpected_answer`.

const SECRET = answerSchema("Secret");
const CLAIM = answerSchema("ClaimedSecret");
const REQUEST = answerSchema("RequestMetadata");
const SUMMARY = answerSchema("RequestSummary");
const RECEIPT = answerSchema("SubmittedSecret");
const INVITATION = answerSchema("Invitation");
const EVENT = answerSchema("SeenEvent");
const CREDENTIAL = answerSchema("Credential");

/** An event as a client has it. A later server may send types, and kinds of actors, that this version does not know. */
export type SeenEvent = NonNullable<(typeof EVENT)["answer"]>;

/** Parses the metadata of a secret, which has to be `id` if that is given. */
export function parseSecret(value: unknown, id?: string): Secret {
  return withId(parseBySchema(SECRET, value), id);
}

/** Parses the answer to a claim of the secret `id`. The version of its envelope may be any. */
export function parseClaim(value: unknown, id: string): ClaimedSecret {
  const claim = parseBySchema(CLAIM, value);
  withId(claim.secret, id);
  return claim;
}

/** Parses the metadata of a request, which has to be `id` if that is given. */
export function parseRequest(value: unknown, id?: string): RequestMetadata {
  return withId(parseBySchema(REQUEST, value), id);
}

/** Parses a request of a list. */
export function parseRequestSummary(value: unknown): RequestSummary {
  return parseBySchema(SUMMARY, value);
}

/** Parses an event of the log. */
export function parseEvent(value: unknown): SeenEvent {
  return parseBySchema(EVENT, value);
}

/** Parses an invitation, which is all that the holder of a request link may know. */
export function parseInvitation(value: unknown): Invitation {
  return parseBySchema(INVITATION, value);
}

/** Parses the receipt of a submission. */
export function parseReceipt(value: unknown): SubmittedSecret {
  return parseBySchema(RECEIPT, value);
}

/** Parses a credential, without the scopes that this version does not know. */
export function parseCredential(value: unknown): Credential {
  return parseBySchema(CREDENTIAL, value);
}

function withId<Answer extends { readonly id: string }>(answer: Answer, id: string | undefined): Answer {
  if (id !== undefined && answer.id !== id) throw unexpected();
  return answer;
}
