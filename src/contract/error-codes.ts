/** Every error code of the contract, section 8, with its status. Texts are elsewhere: the page doesn't need them. */
export const ERROR_STATUSES = {
  malformed_json: 400,
  credential_in_query: 400,
  invalid_header: 400,
  credential_missing: 401,
  credential_invalid: 401,
  credential_expired: 401,
  human_credential: 401,
  insufficient_scope: 403,
  sign_in_too_old: 403,
  team_quota_exceeded: 403,
  team_rule: 403,
  proof_required: 403,
  approval_required: 403,
  not_approver: 403,
  not_found: 404,
  method_not_allowed: 405,
  envelope_version_unsupported: 406,
  idempotency_conflict: 409,
  request_paused: 409,
  offset_mismatch: 409,
  upload_incomplete: 409,
  secret_claimed: 410,
  secret_expired: 410,
  secret_revoked: 410,
  request_fulfilled: 410,
  request_expired: 410,
  request_revoked: 410,
  code_expired: 410,
  upload_ended: 410,
  tus_version_unsupported: 412,
  body_too_slow: 408,
  payload_too_large: 413,
  unsupported_media_type: 415,
  schema_mismatch: 422,
  plaintext_rejected: 422,
  code_invalid: 422,
  ciphertext_unrecognized: 422,
  checksum_mismatch: 460,
  rate_limited: 429,
  internal: 500,
  provider_unavailable: 502,
  server_busy: 503,
  storage_unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUSES;

/** Every code, in the order of the contract. */
export const ERROR_CODES = Object.keys(ERROR_STATUSES).filter(isErrorCode);

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, value);
}
