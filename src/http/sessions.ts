import { Elysia } from "elysia";
import { SignInBody } from "../contract/sessions.ts";
import { hashToken } from "../domain/tokens.ts";
import { SESSION_SECONDS, signIn } from "../domain/persons.ts";
import { Refusal } from "../domain/errors.ts";
import type { Service } from "../domain/service.ts";
import { addressGroup, clientAddress } from "./addresses.ts";
import { checkBodyHeaders, readJson } from "./bodies.ts";
import type { HttpOptions } from "./options.ts";
import type { RateLimits } from "./rate-limits.ts";
import { SESSION_PATH } from "./routes.ts";

/** The prefix makes the browser refuse it over plain http, for other hosts, and for parts of the site (RFC 6265bis). */
const COOKIE = "__Host-handoff";
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";
const MAX_BODY_BYTES = 1024;

/** Signs people in and out. What else lies under `/app` is the API with a session in place of a key. */
export function sessionRoutes(service: () => Service, options: HttpOptions, limits: RateLimits) {
  return new Elysia({ normalize: false })
    .post(
      SESSION_PATH,
      async ({ body, request, server, set }) => {
        try {
          const former = readSession(request.headers);
          const { token, person } = await signIn(service(), body.sign_in_token, former, request.signal);
          set.headers["set-cookie"] = `${COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${SESSION_SECONDS}`;
          return { name: person.name, team: person.teamName };
        } catch (error) {
          if (!(error instanceof Refusal) || !error.code.startsWith("credential_")) throw error;
          const peer = server?.requestIP(request)?.address ?? null;
          const address = clientAddress(peer, request.headers.get("x-forwarded-for"), options.trustedProxies);
          limits.countFailure(addressGroup(address), set.headers);
          throw error;
        }
      },
      { body: SignInBody, parse: ({ request }) => readJson(request, MAX_BODY_BYTES, options) },
    )
    .delete(SESSION_PATH, async ({ request, set }) => {
      const token = readSession(request.headers);
      if (token !== undefined) await service().store.deletePersonToken(hashToken(token));
      set.headers["set-cookie"] = `${COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
      set.status = 204;
    });
}

/** The session that a request carries, if it carries one. */
export function readSession(headers: Headers): string | undefined {
  return new Bun.CookieMap(headers.get("cookie") ?? "").get(COOKIE) ?? undefined;
}

/** Throws a Refusal, such as `method_not_allowed` or `unsupported_media_type`, for what is not signing in or out. */
export function checkSessionCall({ method, headers }: Request): void {
  if (method !== "POST" && method !== "DELETE") throw new Refusal("method_not_allowed", { allow: ["POST", "DELETE"] });
  if (method === "POST") checkBodyHeaders(headers, { body: true }, MAX_BODY_BYTES);
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
