import type { Credential } from "../contract/credentials.ts";
import type { Envelope } from "../contract/envelopes.ts";
import type { Request as RequestMetadata, RequestSummary } from "../contract/requests.ts";
import type { Secret } from "../contract/secrets.ts";
import { unexpected } from "./http-client.ts";

// What is used of an answer is looked at before it is used: whoever answers may not be a handoff server, or mean harm.

const SECRET_STATES = ["available", "claimed", "expired", "revoked"];
const REQUEST_STATES = ["open", "paused", "fulfilled", "expired", "revoked"];

/** Throws ClientError `unexpected_answer` unless `value` is the metadata of the secret `id`, or of any. */
export function checkSecret<T extends Secret>(value: T, id?: string): T {
  const isSecret =
    isId("sec", value.id) &&
    SECRET_STATES.includes(value.state) &&
    [value.claims, value.max_claims, value.ciphertext_bytes].every(Number.isInteger) &&
    [value.created_at, value.expires_at].every(isTime) &&
    (value.ended_at === null || isTime(value.ended_at));
  if (!isSecret || (id !== undefined && value.id !== id)) throw unexpected();
  return value;
}

/** Throws ClientError `unexpected_answer` unless `value` is an envelope. */
export function checkEnvelope(value: Envelope | undefined): Envelope {
  if (typeof value?.ciphertext !== "string" || !Number.isInteger(value.version)) throw unexpected();
  return value;
}

/** Throws ClientError `unexpected_answer` unless `value` is the metadata of the request `id`, or of any. */
export function checkRequest<T extends RequestMetadata>(value: T, id?: string): T {
  const isRequest =
    hasRequestMembers(value) &&
    Array.isArray(value.submissions) &&
    value.submissions.every((each) => isId("sec", each?.secret_id) && SECRET_STATES.includes(each.state));
  if (!isRequest || (id !== undefined && value.id !== id)) throw unexpected();
  return value;
}

/** Throws ClientError `unexpected_answer` unless `value` is a request as lists have it. */
export function checkRequestSummary(value: RequestSummary): RequestSummary {
  if (!hasRequestMembers(value) || !Number.isInteger(value.submissions)) throw unexpected();
  return value;
}

function hasRequestMembers(value: RequestMetadata | RequestSummary): boolean {
  return (
    isId("req", value.id) &&
    REQUEST_STATES.includes(value.state) &&
    Number.isInteger(value.max_submissions) &&
    [value.created_at, value.expires_at].every(isTime) &&
    (value.ended_at === null || isTime(value.ended_at))
  );
}

/** Throws ClientError `unexpected_answer` unless `value` says what a credential may do. */
export function checkCredential(value: Credential): Credential {
  const isCredential =
    Array.isArray(value.scopes) &&
    value.scopes.every((scope) => /^[a-z]+:[a-z]+$/.test(scope)) &&
    Number.isInteger(value.limits?.max_ciphertext_bytes) &&
    (value.expires_at === null || isTime(value.expires_at)) &&
    [value.identity, value.team].every((each) => each === null || typeof each?.name === "string") &&
    (value.key_id === null || isId("key", value.key_id));
  if (!isCredential) throw unexpected();
  return value;
}

function isId(prefix: string, value: unknown): boolean {
  return typeof value === "string" && new RegExp(`^${prefix}_[0-9a-v]{26}$`).test(value);
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
