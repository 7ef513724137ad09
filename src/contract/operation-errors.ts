import type { ErrorCode } from "./error-codes.ts";
import { OPERATIONS } from "./operations.ts";
import type { Operation, OperationId } from "./operations.ts";

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
  patchRequest: ["team_quota_exceeded", "request_fulfilled", "request_expired", "request_revoked"],
  revokeSecret: ["secret_claimed", "secret_expired"],
  claimSecret: ["secret_claimed", "secret_expired", "secret_revoked", "idempotency_conflict", "server_busy"],
};

/** Every error that an operation can answer with. */
export function errorsOf(id: OperationId): ErrorCode[] {
  const operation: Operation = OPERATIONS[id];
  return [
    ...ALWAYS,
    ...(operation.body ? WITH_BODY : []),
    ...(operation.path.includes("{id}") ? (["not_found"] as const) : []),
    ...(OWN[id] ?? []),
  ];
}
