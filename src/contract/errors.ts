/** Every error of the contract, section 8: code -> status and title. The only place that knows. */
export const ERRORS = {
  malformed_json: { status: 400, title: "The body is not valid JSON" },
  credential_in_query: { status: 400, title: "A credential was sent in the query string" },
  invalid_header: { status: 400, title: "A header is not valid" },
  credential_missing: { status: 401, title: "A credential is missing" },
  credential_invalid: { status: 401, title: "The credential is not valid" },
  credential_expired: { status: 401, title: "The credential has expired" },
  human_credential: { status: 401, title: "This credential is for the page only" },
  insufficient_scope: { status: 403, title: "The credential may not do this" },
  team_quota_exceeded: { status: 403, title: "The team has no storage left" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  idempotency_conflict: { status: 409, title: "The idempotency key was used for another call" },
  request_paused: { status: 409, title: "The request is paused" },
  secret_claimed: { status: 410, title: "The secret has been claimed" },
  secret_expired: { status: 410, title: "The secret has expired" },
  secret_revoked: { status: 410, title: "The secret has been revoked" },
  request_fulfilled: { status: 410, title: "The request has been fulfilled" },
  request_expired: { status: 410, title: "The request has expired" },
  request_revoked: { status: 410, title: "The request has been revoked" },
  body_too_slow: { status: 408, title: "The body came too slowly" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  schema_mismatch: { status: 422, title: "The call does not match the schema" },
  plaintext_rejected: { status: 422, title: "The body may contain plaintext" },
  ciphertext_unrecognized: { status: 422, title: "The ciphertext is not an age file" },
  rate_limited: { status: 429, title: "Too many calls" },
  internal: { status: 500, title: "Internal error" },
  server_busy: { status: 503, title: "The server is busy" },
  storage_unavailable: { status: 503, title: "The storage is unavailable" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Every code, in the order of the contract. */
export const ERROR_CODES = Object.keys(ERRORS).filter(isErrorCode);

/** Whether `value` is a code of the contract. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERRORS, value);
}

/** What each error means and what to do about it: the text of `/problems/{code}` and the default `detail`. */
export const ERROR_EXPLANATIONS: Record<ErrorCode, string> = {
  malformed_json:
    "The body must be one JSON document in UTF-8, without a byte order mark, duplicate members or deep nesting.",
  credential_in_query:
    "Send the credential in the Authorization header. Treat the one in the query string as leaked and rotate it: query strings end up in logs and histories.",
  invalid_header:
    "A header is missing or malformed, or the call comes from another site than the page. Check Host, Origin and Idempotency-Key (1 to 255 visible ASCII characters).",
  credential_missing: "Send the header 'Authorization: Bearer <token>'.",
  credential_invalid: "The token is mistyped, revoked, unknown, or not of this server.",
  credential_expired:
    "The credential has expired. For an API key, ask an admin for a new one ('handoff admin key create').",
  human_credential: "Tokens and sessions of people are for the page. Use an API key here.",
  insufficient_scope: "The credential lacks the scope that this operation needs. WWW-Authenticate names the scope.",
  team_quota_exceeded:
    "What is stored for the team fills its quota. Claim or revoke secrets, wait until records of ended ones are erased, or ask for a larger quota.",
  not_found: "It does not exist, or this credential cannot access it.",
  method_not_allowed: "The path exists, but not with this method. The Allow header lists those it has.",
  idempotency_conflict: "Use a new Idempotency-Key for a new call.",
  request_paused: "The request accepts no submissions until it is resumed.",
  secret_claimed: "The secret has been claimed as often as its sender allowed.",
  secret_expired: "The secret expired. Ask for a new link.",
  secret_revoked: "The secret was revoked. Ask the sender if you need it.",
  request_fulfilled: "Everything that was asked for has been handed in.",
  request_expired: "The request expired. Ask for a new request link.",
  request_revoked: "The request was revoked. It accepts no more submissions.",
  body_too_slow: "The body did not arrive in time. Check the connection and try again.",
  payload_too_large: "The body is larger than this server accepts.",
  unsupported_media_type: "Send 'Content-Type: application/json' in UTF-8, without a Content-Encoding.",
  schema_mismatch: "The members of 'errors' say where the call differs from the schema in /openapi.json.",
  plaintext_rejected:
    "The body has a member that looks like unencrypted content. Encrypt first; the server accepts only envelopes.",
  ciphertext_unrecognized: "This server accepts only ciphertexts that are unpadded base64url of an age v1 file.",
  rate_limited: "Retry after Retry-After seconds.",
  internal: "Something went wrong on the server. Its log has the request ID.",
  server_busy: "The server has no memory left for another large call right now. Retry after Retry-After seconds.",
  storage_unavailable:
    "The server cannot use its storage now. The detail says whether the outcome is known. Retry after Retry-After seconds, with the same Idempotency-Key.",
};
