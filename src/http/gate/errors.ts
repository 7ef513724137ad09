import type { ValueError } from "@sinclair/typebox/errors";
import { ValidationError } from "elysia";
import { ERRORS } from "../../contract/errors.ts";
import { PROBLEM_MEDIA_TYPE } from "../../contract/problems.ts";
import type { Problem } from "../../contract/problems.ts";
import { Refusal } from "../../domain/errors.ts";
import type { ResponseHeaders } from "../options.ts";
import { schemaRefusal } from "./schema-errors.ts";

const STORAGE_RETRY_SECONDS = 5;

/**
 * The refusal for what went wrong. Whatever is not foreseen is `internal`; `unknownRoute` says what it means that
 * nothing is routed so.
 */
export function toRefusal(code: string | number, error: unknown, unknownRoute: () => Refusal): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Error && error.cause instanceof Refusal) return error.cause;
  if (error instanceof ValidationError) return validationRefusal(error);
  if (code === "NOT_FOUND") return unknownRoute();
  if (code === "PARSE") return new Refusal("malformed_json", { cause: error });
  return new Refusal("internal", { cause: error });
}

/**
 * The same refusal with its outcome: what nobody foresaw has ended a call that changes something before the change, or after
 * it.
 */
export function withOutcome(refusal: Refusal, method: string): Refusal {
  const isInDoubt = refusal.code === "internal" && method !== "GET" && method !== "HEAD";
  return isInDoubt ? new Refusal(refusal.code, { ...refusal.options, outcome: "unknown" }) : refusal;
}

function validationRefusal(error: ValidationError): Refusal {
  switch (error.type) {
    case "params":
      return new Refusal("not_found");
    case "query":
    case "body":
      return schemaRefusal(error.type, schemaErrors(error));
    default:
      // What we were about to answer does not match our own schema.
      return new Refusal("internal", { detail: "The server made an answer that does not match its schema." });
  }
}

// Elysia's type allows for validators of other libraries; ours are all TypeBox.
function schemaErrors({ validator, value }: ValidationError): Iterable<ValueError> {
  return "Errors" in validator ? validator.Errors(value) : [];
}

/** The headers of the answer to a refusal. */
export function problemHeaders(refusal: Refusal): ResponseHeaders {
  const { code, options } = refusal;
  const authenticate = challenge(refusal);
  const retryAfter = options.retryAfterSeconds ?? (ERRORS[code].status >= 500 ? STORAGE_RETRY_SECONDS : undefined);
  return {
    "content-type": PROBLEM_MEDIA_TYPE,
    ...(authenticate === undefined ? {} : { "www-authenticate": authenticate }),
    // Whoever is hung up on cannot go on sending.
    ...(code === "body_too_slow" ? { connection: "close" } : {}),
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
