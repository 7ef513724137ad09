import { ERROR_STATUSES, isErrorCode } from "../contract/error-codes.ts";
import type { ErrorCode } from "../contract/error-codes.ts";
import { errorsOf, OPERATIONS } from "../contract/operations.ts";
import type { OperationId } from "../contract/operations.ts";
import { isScope } from "../contract/scopes.ts";
import { findUrl } from "./base-urls.ts";
import { ClientError } from "./errors.ts";
import { toClientError, unknownLink } from "./explanations.ts";
import { withUnknownOutcome } from "./unknown-outcomes.ts";

/** An unparsed answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The facts about a call that explain its failure. */
export interface AnsweredCall {
  readonly baseUrl: string;
  readonly operation: OperationId;
  /** True when the credential comes from a link: a wrong credential is then a wrong link. */
  readonly isOfLink: boolean;
  /** Codes that a handoff server may answer with, beside those of the operation. */
  readonly errors?: readonly ErrorCode[];
}

/** A failure after which another attempt may succeed. */
export interface RetryableFailure {
  readonly error: ClientError;
  readonly retryAfterMs: number | undefined;
  /** True when the server may have carried out the call. */
  readonly isInDoubt: boolean;
}

/** Codes about API keys and scopes. A handoff server never answers a link token with them. */
const OF_KEYS: ReadonlySet<ErrorCode> = new Set([
  "credential_missing",
  "credential_expired",
  "human_credential",
  "insufficient_scope",
]);
const RETRYABLE: ReadonlySet<ErrorCode> = new Set(["rate_limited", "server_busy", "storage_unavailable"]);
const RETRYABLE_FOREIGN: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The JSON of a successful answer, undefined for 204. Throws ClientError unless it is JSON of a handoff server. */
export function parseAnswer({ status, text }: Answer, call: AnsweredCall): unknown {
  if (status === 204) return undefined;
  const value = parseJson(text);
  if (typeof value !== "object" || value === null) throw noHandoff(call, status);
  return value;
}

/** Returns the failure for an answer with an error status. Throws ClientError when another attempt can't succeed. */
export function toRetryableFailure(answer: Answer, call: AnsweredCall): RetryableFailure {
  const { headers } = answer;
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"));
  const code = codeOf(answer, call);
  if (code === undefined) return toForeignFailure(answer, call, retryAfterMs);
  const requestId = REQUEST_ID.exec(headers.get("x-request-id") ?? "")?.[0];
  // On a handoff server, a path without an ID is always found.
  if (code === "not_found" && !OPERATIONS[call.operation].path.includes("{id}")) throw noHandoff(call, answer.status);
  // `not_found` when the ID in the link belongs to something else.
  if (call.isOfLink && (code === "credential_invalid" || code === "not_found")) throw unknownLink(code, requestId);
  const scope = /\bscope="([a-z:]{1,40})"/.exec(headers.get("www-authenticate") ?? "")?.[1];
  const error = toClientError(code, {
    requestId,
    isOfLink: call.isOfLink,
    scope: scope !== undefined && isScope(scope) ? scope : undefined,
    rule: memberOf(answer, "rule"),
    retrySeconds: retryAfterMs === undefined ? undefined : retryAfterMs / 1000,
  });
  const isInDoubt = isChange(call) && memberOf(answer, "outcome") === "unknown";
  if (!RETRYABLE.has(code)) throw isInDoubt ? withUnknownOutcome(error, call.operation) : error;
  return { error, retryAfterMs, isInDoubt };
}

/** The failure for an answer by a proxy or another program. Throws ClientError when another attempt can't succeed. */
function toForeignFailure(
  { status, headers }: Answer,
  call: AnsweredCall,
  retryAfterMs: number | undefined,
): RetryableFailure {
  if (status >= 300 && status < 400) throw redirected(call, headers.get("location"));
  // A proxy that answers 429 hasn't passed the call on, so its outcome is known.
  if (RETRYABLE_FOREIGN.has(status)) return { error: unavailable(status), retryAfterMs, isInDoubt: status !== 429 };
  if (status >= 500)
    throw isChange(call) ? withUnknownOutcome(unavailable(status), call.operation) : unavailable(status);
  if (status === 413) {
    throw refused(status, "too large", "Send less, or ask the server's admin to raise the limit of the proxy.");
  }
  if (status === 401 || status === 403 || status === 407 || status === 451) {
    throw refused(status, "forbidden", "Ask the server's admin what stands in front of it.");
  }
  throw noHandoff(call, status);
}

/** True for a call that changes something on the server. */
export function isChange({ operation }: Pick<AnsweredCall, "operation">): boolean {
  return OPERATIONS[operation].method !== "GET";
}

/** The error for an answer of a proxy whose server is away. */
export function unavailable(status: number): ClientError {
  const meaning = `The server is unavailable: something in front of it answered with HTTP ${status}.`;
  return new ClientError("gateway_unavailable", "network", { meaning, advice: "Try again in a minute." });
}

function refused(status: number, what: string, advice: string): ClientError {
  const meaning = `Something in front of the server, such as a proxy, refused the call as ${what} (HTTP ${status}).`;
  return new ClientError("gateway_refused", "failure", { meaning, advice });
}

function redirected({ baseUrl, isOfLink }: AnsweredCall, location: string | null): ClientError {
  if (isOfLink) {
    const ofLink = "The server of this link redirects the call, and a link is used only at the server that it names.";
    return new ClientError("redirected", "network", { meaning: ofLink, advice: "Ask the sender for a new link." });
  }
  const [from, to] = [new URL(baseUrl), findUrl(location ?? "", baseUrl)];
  const isUpgrade = from.protocol === "http:" && to?.protocol === "https:" && to.hostname === from.hostname;
  const meaning = "The server redirects this call, and a credential is sent only to the server you name.";
  // Any other target is the server's claim, so it isn't repeated.
  const advice = isUpgrade ? `Use ${to.origin} as the server URL.` : "If it has moved, ask its admin for the new URL.";
  return new ClientError("redirected", "network", { meaning, advice });
}

/** The error for an answer that doesn't come from a handoff server, with a hint at what is wrong with the URL. */
function noHandoff({ baseUrl }: AnsweredCall, status: number): ClientError {
  const { origin, pathname, protocol } = new URL(baseUrl);
  const meaning = `What answers at this URL isn't a handoff server, or not of this version (HTTP ${status}).`;
  if (pathname !== "/") return unexpected(meaning, `The server URL has a path: check whether ${origin} is right.`);
  if (status === 400 && protocol === "http:") {
    return unexpected(meaning, "If it expects TLS, its URL begins with https://.");
  }
  return unexpected(meaning);
}

/** The error for an answer that doesn't come from a handoff server. */
export function unexpected(
  meaning = "What answers at this URL isn't a handoff server, or not of this version.",
  advice = "Check the server URL.",
): ClientError {
  return new ClientError("unexpected_answer", "network", { meaning, advice });
}

/** A member of the problem that an answer is; undefined when it has none, or is no problem. */
function memberOf({ text }: Answer, name: "code" | "outcome" | "rule"): unknown {
  const problem = parseJson(text);
  return typeof problem === "object" && problem !== null ? (problem as { readonly [name]?: unknown })[name] : undefined;
}

/** The error code of an answer; undefined when no handoff server answers this operation with it. */
function codeOf(answer: Answer, { operation, isOfLink, errors }: AnsweredCall): ErrorCode | undefined {
  const code = memberOf(answer, "code");
  if (typeof code !== "string" || !isErrorCode(code) || ERROR_STATUSES[code] !== answer.status) return undefined;
  if (isOfLink && OF_KEYS.has(code)) return undefined;
  // The server answers these two before it knows the operation.
  const isPossible =
    code === "not_found" ||
    code === "method_not_allowed" ||
    errorsOf(operation).includes(code) ||
    errors?.includes(code);
  return isPossible ? code : undefined;
}

function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
