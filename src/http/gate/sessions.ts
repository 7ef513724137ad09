import { Refusal } from "../../domain/values/errors.ts";

/** With this prefix browsers take the cookie over TLS only, and for the whole of this host alone (RFC 6265bis). */
export const SESSION_COOKIE = "__Host-handoff";

export const MAX_SESSION_BODY_BYTES = 1024;

/** The session that a request carries; undefined when it carries none. */
export function readSession(headers: Headers): string | undefined {
  return new Bun.CookieMap(headers.get("cookie") ?? "").get(SESSION_COOKIE) ?? undefined;
}

/**
 * Throws a Refusal unless a request comes from our own page, at `baseUrl` or at the address it was called at. The
 * browser would send the session along with a call of another site's page. An API key is no credential here.
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
