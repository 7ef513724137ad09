import { ERROR_EXPLANATIONS, ERRORS, type ErrorCode } from "../contract/errors.ts";
import { type OperationId, OPERATIONS, type Operation } from "../contract/operations.ts";
import { PROBLEM_MEDIA_TYPE } from "../contract/problems.ts";
import { type JsonObject, schemaRef } from "./openapi-schemas.ts";

/** The headers that answers have, by the name of their component. */
export const RESPONSE_HEADERS: JsonObject = {
  RequestId: header("The id of this request in the server's log.", "01a1fc1d-7f33-7162-b8d5-22c3bb3c6d3c"),
  RateLimit: header("What is left (draft-ietf-httpapi-ratelimit-headers).", '"calls";r=99;t=1'),
  RateLimitPolicy: header("The limit that applies.", '"calls";q=100;w=1'),
  RetryAfter: header("Seconds to wait before another try.", "5"),
  WwwAuthenticate: header("What is missing (RFC 6750).", 'Bearer realm="handoff"'),
  Location: header("Where the new thing is.", "/api/v1/secrets/sec_069q6gv7k1rqf8a0c2m4e6g8io"),
};

const ALWAYS: readonly ErrorCode[] = [
  "credential_in_query",
  "invalid_header",
  "credential_missing",
  "credential_invalid",
  "credential_expired",
  "human_credential",
  "insufficient_scope",
  "schema_mismatch",
  "rate_limited",
  "internal",
  "storage_unavailable",
];
const WITH_BODY: readonly ErrorCode[] = [
  "malformed_json",
  "body_too_slow",
  "payload_too_large",
  "unsupported_media_type",
  "plaintext_rejected",
  "server_busy",
];
const OWN: Partial<Record<OperationId, readonly ErrorCode[]>> = {
  createSecret: ["team_quota_exceeded", "ciphertext_unrecognized", "idempotency_conflict"],
  createRequest: ["team_quota_exceeded", "ciphertext_unrecognized", "idempotency_conflict"],
  getInvitation: ["request_paused", "request_fulfilled", "request_expired", "request_revoked"],
  submitSecret: [
    "team_quota_exceeded",
    "ciphertext_unrecognized",
    "idempotency_conflict",
    "request_paused",
    "request_fulfilled",
    "request_expired",
    "request_revoked",
  ],
  patchRequest: ["request_fulfilled", "request_expired", "request_revoked"],
  revokeSecret: ["secret_claimed", "secret_expired"],
  claimSecret: ["secret_claimed", "secret_expired", "secret_revoked", "idempotency_conflict"],
};

/** The errors that an operation can answer with, as responses by status. */
export function problemResponses(id: OperationId): JsonObject {
  const operation: Operation = OPERATIONS[id];
  const codes = [
    ...ALWAYS,
    ...(operation.body ? WITH_BODY : []),
    ...(operation.path.includes("{id}") ? (["not_found"] as const) : []),
    ...(OWN[id] ?? []),
  ];
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, some]) => [String(status), problemResponse(status, some)]),
  );
}

/** The headers of every answer of the API. */
export function commonHeaders(): JsonObject {
  return {
    "X-Request-Id": headerRef("RequestId"),
    RateLimit: headerRef("RateLimit"),
    "RateLimit-Policy": headerRef("RateLimitPolicy"),
  };
}

/** The reference to one of RESPONSE_HEADERS. */
export function headerRef(name: keyof typeof RESPONSE_HEADERS): JsonObject {
  return { $ref: `#/components/headers/${name}` };
}

function problemResponse(status: number, codes: readonly ErrorCode[]): JsonObject {
  const headers = commonHeaders();
  if (status === 401 || status === 403) headers["WWW-Authenticate"] = headerRef("WwwAuthenticate");
  if (status === 429 || status >= 500) headers["Retry-After"] = headerRef("RetryAfter");
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_EXPLANATIONS[code]}`).join("\n\n"),
    headers,
    content: { [PROBLEM_MEDIA_TYPE]: { schema: schemaRef("Problem") } },
  };
}

function header(description: string, example: string): JsonObject {
  return { description, schema: { type: "string" }, example };
}
