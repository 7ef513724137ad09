import { OPERATIONS } from "../../contract/operations.ts";
import type { ResponseHeaders } from "../options.ts";

const METHODS = [...new Set(Object.values(OPERATIONS).map(({ method }) => method))].join(", ");
/** Browsers need not ask again for this long. Some of them keep the answer no longer anyway. */
const PREFLIGHT_SECONDS = 600;
const EXPOSED =
  "Location, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Idempotency-Replayed";

const VARY = { vary: "Origin" };
const PREFLIGHT_HEADERS = {
  "access-control-allow-methods": METHODS,
  "access-control-allow-headers":
    "Authorization, Content-Type, Handoff-Approval, Handoff-Proof, Idempotency-Key, Last-Event-ID",
  "access-control-max-age": String(PREFLIGHT_SECONDS),
};

/**
 * Sets the headers of an `answer` that let pages of `origins` call the API (Fetch standard, CORS). For any other origin
 * that is `Vary` alone. Returns "preflight" when a browser only asks what it may send.
 */
export function answerCors(
  { headers, method }: Request,
  answer: ResponseHeaders,
  origins: readonly string[],
): "preflight" | undefined {
  if (origins.length === 0) return undefined;
  Object.assign(answer, VARY);
  const origin = headers.get("origin");
  if (origin === null || !origins.includes(origin)) return undefined;
  answer["access-control-allow-origin"] = origin;
  answer["access-control-expose-headers"] = EXPOSED;
  if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
  Object.assign(answer, PREFLIGHT_HEADERS);
  return "preflight";
}
