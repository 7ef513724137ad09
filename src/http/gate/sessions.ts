import { BACKGROUND_HEADER } from "../../contract/operations.ts";
import type { BrowserName } from "../../domain/sessions.ts";
import { Refusal } from "../../domain/values/errors.ts";

/** With this prefix browsers take the cookie over TLS only, and for the whole of this host alone (RFC 6265bis). */
export const SESSION_COOKIE = "__Host-handoff";

/** A cookie of the browser that has begun to use a passkey. */
export const ATTEMPT_COOKIE = "__Host-handoff-attempt";

/**
 * Cookies of the browser that has asked for a code, and of one that was sent to the provider. They aren't the one
 * before: another tab that offers passkeys would replace it while its person looks for the mail, or signs in there.
 */
export const MAIL_COOKIE = "__Host-handoff-mail";
export const OIDC_COOKIE = "__Host-handoff-oidc";

/** Enough for a passkey's answer with the longest names. */
export const MAX_SESSION_BODY_BYTES = 16 * 1024;

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** The value of `Set-Cookie` for a cookie that ends after `seconds`; with 0, the browser deletes it. */
export function toCookie(name: string, value: string, seconds: number): string {
  return `${name}=${value}; ${ATTRIBUTES}; Max-Age=${seconds}`;
}

/** True for a read that waits for news, or that nobody caused. An open tab makes them when nobody uses it. */
export function isPassive({ headers, method }: Request, search: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const isStream = headers.get("accept")?.includes("text/event-stream") ?? false;
  return isStream || /(?:^|&)wait=/.test(search) || headers.get(BACKGROUND_HEADER) === "1";
}

/** The session that a request carries; undefined when it carries none. */
export function readSession(headers: Headers): string | undefined {
  return readCookie(headers, SESSION_COOKIE);
}

/** The value of a cookie that a request carries; undefined when it carries none. */
export function readCookie(headers: Headers, name: string): string | undefined {
  return new Bun.CookieMap(headers.get("cookie") ?? "").get(name) ?? undefined;
}

// In this order: those further down name the others too.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** The browser that sends a request, by the names that browsers give themselves. Others are null. */
export function describeBrowser(headers: Headers): BrowserName {
  const agent = headers.get("user-agent") ?? "";
  const nameIn = (names: typeof BROWSERS) => names.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
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
