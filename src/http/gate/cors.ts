import { OPERATIONS } from "../../contract/operations.ts";
import type { ResponseHeaders } from "../options.ts";

const METHODS = [...new Set(Object.values(OPERATIONS).map(({ method }) => method))].join(", ");
/** The time that a browser need not ask again; some keep it no longer than this anyway. */
const PREFLIGHT_SECONDS = 600;
const EXPOSED =
  "Location, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Idempotency-Replayed";

const VARY = { vary: "Origin" };
const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": METHODS,
  "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key",
  "access-control-max-age": String(PREFLIGHT_SECONDS),
};

/**
 * The headers that an answer gets for the pages of other sites; `isPreflight` is true when their browser only asks what
 * it may send.
 */
interface CorsAnswer {
  readonly headers: ResponseHeaders;
  readonly isPreflight: boolean;
}

/**
 * Lets the pages of `origins` call the API (Fetch standard, CORS). Without a matching origin there is no CORS header but
 * the one that says that it would matter.
 */
export function answerCors(request: Request, origins: readonly string[]): CorsAnswer {
  if (origins.length === 0) return { headers: {}, isPreflight: false };
  const origin = request.headers.get("origin");
  if (origin === null || !origins.includes(origin)) return { headers: VARY, isPreflight: false };
  const isPreflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  return {
    headers: {
      ...VARY,
      "access-control-allow-origin": origin,
      "access-control-expose-headers": EXPOSED,
      ...(isPreflight ? PREFLIGHT_HEADERS : {}),
    },
    isPreflight,
  };
}
