import { ParseError } from "elysia";
import { ERRORS } from "../../contract/errors.ts";
import { PROBLEM_MEDIA_TYPE } from "../../contract/problems.ts";
import type { Problem } from "../../contract/problems.ts";
import { Refusal } from "../../domain/values/errors.ts";
import type { ResponseHeaders } from "../options.ts";

const STORAGE_RETRY_SECONDS = 5;

/** The refusal for an error that was thrown: the Refusal itself, and `internal` for everything that is none. */
export function toRefusal(error: unknown): Refusal {
  // Elysia wraps what is thrown while it parses a body.
  const thrown = error instanceof ParseError ? error.cause : error;
  return thrown instanceof Refusal ? thrown : new Refusal("internal", { cause: thrown });
}

/** Adds the call's outcome. An unforeseen error in a change may come before it or after it. */
export function withOutcome(refusal: Refusal, method: string): Refusal {
  const isInDoubt = refusal.code === "internal" && method !== "GET" && method !== "HEAD";
  return isInDoubt ? new Refusal(refusal.code, { ...refusal.options, outcome: "unknown" }) : refusal;
}

/** The headers of the answer to a refusal. */
export function problemHeaders(refusal: Refusal): ResponseHeaders {
  const { code, options } = refusal;
  const authenticate = challenge(refusal);
  const retryAfter = options.retryAfterSeconds ?? (ERRORS[code].status >= 500 ? STORAGE_RETRY_SECONDS : undefined);
  return {
    "content-type": PROBLEM_MEDIA_TYPE,
    ...(authenticate === undefined ? {} : { "www-authenticate": authenticate }),
    // The rest of the body would be read as the next request.
    ...(code === "body_too_slow" ? { connection: "close" } : {}),
    // RFC 9110, section 15.5.16.
    ...(code === "unsupported_media_type"
      ? { accept: options.accept ?? "application/json", "accept-encoding": "identity" }
      : {}),
    ...(options.allow ? { allow: options.allow.join(", ") } : {}),
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
  };
}

/** The body of the answer to a refusal. */
export function toProblem(refusal: Refusal, requestId: string, baseUrl: string): Problem {
  const { code, options } = refusal;
  const { status, title } = ERRORS[code];
  return {
    type: `${baseUrl}/problems/${code}`,
    title,
    status,
    code,
    detail: refusal.detail,
    request_id: requestId,
    ...(options.errors ? { errors: [...options.errors] } : {}),
    ...(options.rule ? { rule: options.rule } : {}),
    ...(options.outcome ? { outcome: options.outcome } : {}),
  };
}

/** The challenge of RFC 6750, section 3. */
function challenge({ code, options }: Refusal): string | undefined {
  switch (code) {
    case "credential_missing":
      return 'Bearer realm="handoff"';
    case "credential_invalid":
    case "credential_expired":
    case "human_credential":
      return 'Bearer realm="handoff", error="invalid_token"';
    case "insufficient_scope":
      return `Bearer realm="handoff", error="insufficient_scope"${options.scope ? `, scope="${options.scope}"` : ""}`;
    default:
      return undefined;
  }
}
