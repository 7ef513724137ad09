import { OPERATIONS } from "../../contract/operations.ts";
import type { ResponseHeaders } from "./rate-limits.ts";

const METHODS = [...new Set(Object.values(OPERATIONS).map(({ method }) => method))].join(", ");
const EXPOSED =
  "Location, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Idempotency-Replayed";

/**
 * Lets the pages of `origins` call the API (Fetch standard, CORS). Adds what the answer needs to `headers`, and returns
 * the answer to a preflight of theirs. Without a matching origin there is not one CORS header.
 */
export function answerCors(
  request: Request,
  headers: ResponseHeaders,
  origins: readonly string[],
): Response | undefined {
  if (origins.length === 0) return undefined;
  headers["vary"] = "Origin";
  const origin = request.headers.get("origin");
  if (origin === null || !origins.includes(origin)) return undefined;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-expose-headers"] = EXPOSED;
  if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return undefined;
  headers["access-control-allow-methods"] = METHODS;
  headers["access-control-allow-headers"] = "Authorization, Content-Type, Idempotency-Key";
  headers["access-control-max-age"] = "600";
  return new Response(null, { status: 204 });
}
