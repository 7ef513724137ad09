import { UserError } from "../../contract/user-errors.ts";
import { ClientError } from "../errors.ts";

/** Codes of the API: each has a page at `{server}/problems/{code}`. */
type ProblemCode =
  | "malformed_json"
  | "credential_in_query"
  | "invalid_header"
  | "credential_missing"
  | "credential_invalid"
  | "credential_expired"
  | "human_credential"
  | "insufficient_scope"
  | "proof_required"
  | "approval_required"
  | "not_approver"
  | "sign_in_too_old"
  | "team_quota_exceeded"
  | "team_rule"
  | "not_found"
  | "method_not_allowed"
  | "envelope_version_unsupported"
  | "offset_mismatch"
  | "upload_incomplete"
  | "idempotency_conflict"
  | "request_paused"
  | "secret_claimed"
  | "secret_expired"
  | "secret_revoked"
  | "request_fulfilled"
  | "request_expired"
  | "request_revoked"
  | "code_expired"
  | "upload_ended"
  | "tus_version_unsupported"
  | "checksum_mismatch"
  | "code_invalid"
  | "body_too_slow"
  | "payload_too_large"
  | "unsupported_media_type"
  | "schema_mismatch"
  | "plaintext_rejected"
  | "ciphertext_unrecognized"
  | "rate_limited"
  | "internal"
  | "provider_unavailable"
  | "server_busy"
  | "storage_unavailable";

/** Codes of what the client finds itself. */
type OwnCode =
  | "usage"
  | "invalid_url"
  | "insecure_url"
  | "bad_file_name"
  | "bad_form"
  | "passphrase_missing"
  | "connection_failed"
  | "connection_lost"
  | "host_unknown"
  | "timed_out"
  | "tls_untrusted"
  | "tls_failed"
  | "proxy_failed"
  | "redirected"
  | "gateway_refused"
  | "gateway_unavailable"
  | "unexpected_answer"
  | "other_terms"
  | "decryption_failed"
  | "version_unknown"
  | "settings_refused"
  | "encrypted_otherwise"
  | "unsafe_archive"
  | "recipient_swapped"
  | "approval_refused"
  | "interrupted";

/** The stable code of a failure. */
export type ErrorCode = ProblemCode | OwnCode;

interface HandoffErrorFacts {
  readonly advice?: string;
  readonly requestId?: string | undefined;
  readonly outcome?: "unknown" | undefined;
  readonly cause?: unknown;
}

/** A call failed. The message is for people, and quotes nothing that was sent, nor what a server wrote. */
export class HandoffError extends Error {
  override readonly name: string = "HandoffError";
  readonly code: ErrorCode;
  /** What to do about it, which the message says too; empty for nothing. */
  readonly advice: string;
  /** The id of the call in the server's log; undefined when the server named none. */
  readonly requestId: string | undefined;
  /**
   * `unknown` when the server may have carried out the call all the same. Otherwise nothing has changed, with one
   * exception: a DecryptionError of `open` comes after the claim, which counts. The same call with the
   * `idempotencyKey` that the first one had repeats the claim for some minutes, such as with the right passphrase.
   */
  readonly outcome: "unknown" | undefined;

  constructor(code: ErrorCode, message: string, { advice = "", requestId, outcome, cause }: HandoffErrorFacts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.advice = advice;
    this.requestId = requestId;
    this.outcome = outcome;
  }
}

/** An argument is wrong, such as a link or a URL. Nothing has changed. */
export class UsageError extends HandoffError {
  override readonly name = "UsageError";
}

/** The API key is missing, wrong, or may not do this. */
export class CredentialError extends HandoffError {
  override readonly name = "CredentialError";
}

/** A secret or a request has ended, or there is none. */
export class GoneError extends HandoffError {
  override readonly name = "GoneError";
}

/** A secret or a note can't be decrypted or unpacked, or a server has changed a recipient. See `outcome`. */
export class DecryptionError extends HandoffError {
  override readonly name = "DecryptionError";
}

/** The server can't be reached, is too busy, or isn't a handoff server. */
export class NetworkError extends HandoffError {
  override readonly name = "NetworkError";
}

/** The signal was aborted. */
export class InterruptedError extends HandoffError {
  override readonly name = "InterruptedError";
}

const CLASSES = {
  usage: UsageError,
  credential: CredentialError,
  gone: GoneError,
  decryption: DecryptionError,
  network: NetworkError,
  interrupted: InterruptedError,
  failure: HandoffError,
} as const;

/** The advice of messages that name flags of the command line. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  insecure_url: "Use https://, or set allowHttp.",
  credential_missing: "Set apiKey.",
  team_rule: "Change the options of the call, or ask an admin about the rules.",
};

/** Codes of the page and the command line, which nothing here fails with. */
type CodeElsewhere = "stale_page" | "other_person" | "file_unreadable" | "file_unwritable" | "damaged_archive";

function codeOf(error: UserError): ErrorCode {
  // The compiler compares both lists.
  return (error instanceof ClientError ? (error.code satisfies ErrorCode | CodeElsewhere) : error.code) as ErrorCode;
}

/**
 * Converts an expected failure of a call that changes something, or only looks. Others, which are mistakes in a
 * program, stay as they are. @internal
 */
export function toHandoffError(error: unknown, kind: "change" | "look", signal: AbortSignal | undefined): unknown {
  if (!(error instanceof UserError)) return error;
  const code = codeOf(error);
  const advice = ADVICE[code] ?? error.advice;
  // The server may have got an aborted call.
  const isUnknown =
    (error instanceof ClientError && error.unknownOutcomeOf !== undefined) ||
    (error.kind === "interrupted" && kind === "change");
  const message = advice === error.advice ? error.message : `${error.meaning} ${advice}`;
  const Kind = error.kind in CLASSES ? CLASSES[error.kind as keyof typeof CLASSES] : HandoffError;
  return new Kind(code, message, {
    advice,
    requestId: error instanceof ClientError ? error.requestId : undefined,
    outcome: isUnknown ? "unknown" : undefined,
    cause: error.kind === "interrupted" ? signal?.reason : undefined,
  });
}
