import { SESSION_OPERATIONS } from "../../contract/operations.ts";
import { Refusal } from "../../domain/errors.ts";

/** The prefix makes the browser refuse it over plain http, for other hosts, and for parts of the site (RFC 6265bis). */
export const SESSION_COOKIE = "__Host-handoff";

type SessionOperation = (typeof SESSION_OPERATIONS)[keyof typeof SESSION_OPERATIONS];

export const MAX_SESSION_BODY_BYTES = 1024;

/** The session that a request carries, if it carries one. */
export function readSession(headers: Headers): string | undefined {
  return new Bun.CookieMap(headers.get("cookie") ?? "").get(SESSION_COOKIE) ?? undefined;
}

/** The operation of sessions that `method` stands for. Throws a Refusal `method_not_allowed` when it is none. */
export function sessionOperation({ method }: Request): SessionOperation {
  const known = Object.values(SESSION_OPERATIONS);
  const operation = known.find((each) => each.method === (method === "HEAD" ? "GET" : method));
  if (!operation) throw new Refusal("method_not_allowed", { allow: known.map((each) => each.method) });
  return operation;
}

/**
 * Throws a Refusal unless a request comes from our own page, at `baseUrl` or wherever it was called: other sites' pages
 * could have the browser send the session along. An API key is no credential here.
 */
export function checkOwnPage({ headers, method }: Request, baseUrl: string): void {
  if (headers.has("authorization")) {
    throw new Refusal("credential_invalid", { detail: "API keys and tokens of links are for /api/v1." });
  }
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const isOwnOrigin =
    origin !== null && (origin === URL.parse(baseUrl)?.origin || URL.parse(origin)?.host === headers.get("host"));
  const isPlainRead = origin === null && (method === "GET" || method === "HEAD");
  const isOwn = site === null ? isOwnOrigin || isPlainRead : site === "same-origin";
  if (!isOwn) throw new Refusal("invalid_header", { detail: "This is for the page of this server alone." });
}
