import type { ErrorCode } from "./error-codes.ts";
import type { Scope } from "./scopes.ts";
import type { LinkTokenKind } from "./tokens.ts";

// The schemas are in operation-schemas.ts, a record for each operation: they would bring their library into the page.

/** The path prefix of operations for scripts and links. */
export const API_PREFIX = "/api/v1";
/** The path prefix of the same operations for the page, with a session instead of a key. */
export const APP_PREFIX = "/app";

/**
 * The callers of an operation. With "any", every live credential. Otherwise people, keys whose identity has the `scope`
 * or the `orScope`, and holders of the link `token` of the resource in the path. Without a scope, only those holders.
 */
export type Callers =
  | "any"
  | { readonly scope: Scope; readonly orScope?: Scope; readonly token?: LinkTokenKind }
  | { readonly scope?: never; readonly orScope?: never; readonly token: LinkTokenKind };

/** The facts about an operation that gate, routes and client need. */
export interface Operation {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path after the prefix, with parameters in braces, as in OpenAPI. */
  readonly path: string;
  readonly callers: Callers;
  /** True when the operation takes a JSON body; otherwise a body is refused. */
  readonly takesBody?: true;
  /** The errors of this operation beside those of every operation. */
  readonly errors?: readonly ErrorCode[];
}

// The table has no spread: the bundler keeps code that runs on loading, even in a bundle that doesn't need it.
const OF_STORING = ["team_quota_exceeded", "team_rule", "ciphertext_unrecognized", "idempotency_conflict"] as const;

const OF_CLAIMING = [
  "envelope_version_unsupported",
  "proof_required",
  "approval_required",
  "secret_claimed",
  "secret_expired",
  "secret_revoked",
  "idempotency_conflict",
  "server_busy",
] as const;

/** Every operation of the API, contract section 5, by operationId. No other routes exist. */
export const OPERATIONS = {
  createSecret: {
    method: "POST",
    path: "/secrets",
    callers: { scope: "secrets:create" },
    takesBody: true,
    errors: OF_STORING,
  },
  createLargeSecret: {
    method: "POST",
    path: "/uploads/{id}/secret",
    callers: { scope: "secrets:create" },
    errors: [
      "team_quota_exceeded",
      "team_rule",
      "ciphertext_unrecognized",
      "idempotency_conflict",
      "upload_incomplete",
      "upload_ended",
    ],
  },
  listSecrets: { method: "GET", path: "/secrets", callers: { scope: "secrets:read" } },
  getSecret: { method: "GET", path: "/secrets/{id}", callers: { scope: "secrets:read", token: "claim" } },
  listSecretEvents: {
    method: "GET",
    path: "/secrets/{id}/events",
    callers: { scope: "secrets:read", orScope: "events:read", token: "claim" },
  },
  claimSecret: {
    method: "POST",
    path: "/secrets/{id}/claim",
    callers: { scope: "secrets:claim", token: "claim" },
    errors: OF_CLAIMING,
  },
  claimLargeSecret: {
    method: "POST",
    path: "/secrets/{id}/large-claim",
    callers: { scope: "secrets:claim", token: "claim" },
    errors: OF_CLAIMING,
  },
  acknowledgeClaim: {
    method: "POST",
    path: "/secrets/{id}/acknowledgement",
    callers: { scope: "secrets:claim", token: "claim" },
  },
  beginSecretProof: {
    method: "POST",
    path: "/secrets/{id}/proofs",
    callers: { token: "claim" },
    takesBody: true,
    errors: ["secret_claimed", "secret_expired", "secret_revoked"],
  },
  completeSecretProof: {
    method: "POST",
    path: "/secrets/{id}/proofs/code",
    callers: { token: "claim" },
    takesBody: true,
    errors: ["code_invalid", "code_expired"],
  },
  askApproval: {
    method: "POST",
    path: "/secrets/{id}/asks",
    callers: { scope: "secrets:claim", token: "claim" },
    errors: ["proof_required", "secret_claimed", "secret_expired", "secret_revoked"],
  },
  getAsk: {
    method: "GET",
    path: "/secrets/{id}/ask",
    callers: { scope: "secrets:claim", token: "claim" },
    errors: ["secret_claimed", "secret_expired", "secret_revoked"],
  },
  decideAsk: {
    method: "PATCH",
    path: "/secrets/{id}/asks",
    callers: { scope: "secrets:approve" },
    takesBody: true,
    errors: ["not_approver"],
  },
  listAsks: { method: "GET", path: "/asks", callers: { scope: "secrets:approve" } },
  patchSecret: {
    method: "PATCH",
    path: "/secrets/{id}",
    callers: { scope: "secrets:revoke" },
    takesBody: true,
    errors: ["team_quota_exceeded", "team_rule", "secret_claimed", "secret_expired", "secret_revoked"],
  },
  revokeSecret: {
    method: "DELETE",
    path: "/secrets/{id}",
    callers: { scope: "secrets:revoke" },
    errors: ["secret_claimed", "secret_expired"],
  },
  createRequest: {
    method: "POST",
    path: "/requests",
    callers: { scope: "requests:create" },
    takesBody: true,
    errors: OF_STORING,
  },
  listRequests: { method: "GET", path: "/requests", callers: { scope: "requests:read" } },
  getRequest: { method: "GET", path: "/requests/{id}", callers: { scope: "requests:read" } },
  getInvitation: {
    method: "GET",
    path: "/requests/{id}/invitation",
    callers: { token: "submit" },
    errors: ["request_paused", "request_fulfilled", "request_expired", "request_revoked"],
  },
  submitSecret: {
    method: "POST",
    path: "/requests/{id}/submissions",
    callers: { token: "submit" },
    takesBody: true,
    errors: [
      "team_quota_exceeded",
      "ciphertext_unrecognized",
      "idempotency_conflict",
      "proof_required",
      "request_paused",
      "request_fulfilled",
      "request_expired",
      "request_revoked",
    ],
  },
  submitLargeSecret: {
    method: "POST",
    path: "/uploads/{id}/submission",
    callers: { token: "submit" },
    errors: [
      "team_quota_exceeded",
      "ciphertext_unrecognized",
      "idempotency_conflict",
      "upload_incomplete",
      "upload_ended",
      "request_paused",
      "request_fulfilled",
      "request_expired",
      "request_revoked",
    ],
  },
  beginRequestProof: {
    method: "POST",
    path: "/requests/{id}/proofs",
    callers: { token: "submit" },
    takesBody: true,
    errors: ["request_paused", "request_fulfilled", "request_expired", "request_revoked"],
  },
  completeRequestProof: {
    method: "POST",
    path: "/requests/{id}/proofs/code",
    callers: { token: "submit" },
    takesBody: true,
    errors: ["code_invalid", "code_expired"],
  },
  patchRequest: {
    method: "PATCH",
    path: "/requests/{id}",
    callers: { scope: "requests:revoke" },
    takesBody: true,
    errors: ["team_quota_exceeded", "request_fulfilled", "request_expired", "request_revoked"],
  },
  revokeRequest: { method: "DELETE", path: "/requests/{id}", callers: { scope: "requests:revoke" } },
  listEvents: { method: "GET", path: "/events", callers: { scope: "events:read" } },
  listAudit: { method: "GET", path: "/audit", callers: { scope: "events:read" } },
  createProof: { method: "POST", path: "/proofs", callers: "any", takesBody: true, errors: ["proof_required"] },
  getCredential: { method: "GET", path: "/credential", callers: "any" },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;

/** With `1` it marks a read of the page that nobody caused, which is no use of the session (contract section 11). */
export const BACKGROUND_HEADER = "handoff-background";

/** The token of a proof, at a claim or a submission that is for chosen people (contract section 16). */
export const PROOF_HEADER = "handoff-proof";

/** The token of an approval, at a claim, and at a look at what one asked for (contract section 17). */
export const APPROVAL_HEADER = "handoff-approval";

/** The path of a browser's session, contract section 11: to sign in and out, and find it. `/api/v1` has none. */
export const SESSION_PATH = `${APP_PREFIX}/session`;

/** The operations at `SESSION_PATH`, with their methods. */
export const SESSION_OPERATIONS = {
  findSession: { method: "GET" },
  signIn: { method: "POST", takesBody: true },
  signOut: { method: "DELETE" },
} as const satisfies Record<string, Pick<Operation, "method" | "takesBody">>;

/** The operation that begins a sign-in with a passkey. */
export const PASSKEY_SIGN_IN = { method: "POST", path: `${SESSION_PATH}/passkey` } as const;

/** The operation that begins a sign-in at a provider. */
export const OIDC_SIGN_IN = { method: "POST", path: `${SESSION_PATH}/oidc`, takesBody: true } as const;

/** The operation by which a provider ends sessions (OpenID Connect Back-Channel Logout 1.0). */
export const OIDC_LOGOUT = { method: "POST", path: "/oidc/backchannel-logout" } as const;
/** The operation that asks for a code by mail. */
export const MAIL_SIGN_IN = { method: "POST", path: `${SESSION_PATH}/mail`, takesBody: true } as const;

/** The operations by which a terminal is logged in, contract section 11, below `/api/v1`. */
export const LOGIN_OPERATIONS = {
  beginLogin: { method: "POST", path: "/logins", takesBody: true },
  pollLogin: { method: "POST", path: "/logins/token", takesBody: true },
  endLogin: { method: "DELETE", path: "/logins" },
} as const satisfies Record<string, Pick<Operation, "method" | "path" | "takesBody">>;

/** The operations of a person on their own account, contract section 11, below `/app` alone. */
export const ACCOUNT_OPERATIONS = {
  listSessions: { method: "GET", path: "/sessions" },
  endSession: { method: "DELETE", path: "/sessions/{id}" },
  endOtherSessions: { method: "DELETE", path: "/sessions" },
  listPasskeys: { method: "GET", path: "/passkeys" },
  beginAddingPasskey: { method: "POST", path: "/passkeys/options" },
  addPasskey: { method: "POST", path: "/passkeys", takesBody: true },
  removePasskey: { method: "DELETE", path: "/passkeys/{id}" },
  getNotices: { method: "GET", path: "/notices" },
  setNotices: { method: "PATCH", path: "/notices", takesBody: true },
  getLogin: { method: "GET", path: "/logins/{id}" },
  approveLogin: { method: "POST", path: "/logins/{id}" },
  refuseLogin: { method: "DELETE", path: "/logins/{id}" },
} as const satisfies Record<string, Pick<Operation, "method" | "path" | "takesBody">>;

/** The path of uploads (tus 1.0.0), below each prefix. One upload has its id behind it. */
export const UPLOADS_PATH = "/uploads";

/** The path, below `API_PREFIX`, at which the holder of a request's link begins an upload. */
export function requestUploadsPath(requestId: string): string {
  return `/requests/${requestId}${UPLOADS_PATH}`;
}

/** The path of the ciphertext of a claimed large secret, below `API_PREFIX`. */
export function ciphertextPath(secretId: string): string {
  return `/secrets/${secretId}/ciphertext`;
}

/** The errors of every call with a credential. */
export const ALWAYS: readonly ErrorCode[] = [
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

/** The operation `id`, typed as any operation. */
export function operationOf(id: OperationId): Operation {
  return OPERATIONS[id];
}

/** Every error that an operation can answer with. */
export function errorsOf(id: OperationId): ErrorCode[] {
  const { takesBody, path, errors = [] } = operationOf(id);
  return [
    ...ALWAYS,
    ...(takesBody ? WITH_BODY : []),
    ...(path.includes("{id}") ? (["not_found"] as const) : []),
    ...errors,
  ];
}
