import type { ErrorCode } from "../contract/error-codes.ts";
import type { OperationId } from "../contract/operations.ts";
import { UserError } from "../contract/user-errors.ts";
import type { ErrorKind, Explanation } from "../contract/user-errors.ts";
import type { EnvelopeRefusal } from "../crypto/envelopes.ts";

/** Codes of errors that the client finds itself. */
export type LocalCode =
  | "connection_failed"
  | "connection_lost"
  | "host_unknown"
  | "timed_out"
  | "tls_untrusted"
  | "tls_failed"
  | "proxy_failed"
  | "insecure_url"
  | "invalid_url"
  | "redirected"
  | "gateway_refused"
  | "gateway_unavailable"
  | "unexpected_answer"
  | "other_terms"
  | "decryption_failed"
  | EnvelopeRefusal
  | "passphrase_missing"
  | "unsafe_archive"
  | "damaged_archive"
  | "recipient_swapped"
  | "approval_refused"
  | "stale_page"
  | "other_person"
  | "file_unreadable"
  | "file_unwritable"
  | "bad_file_name"
  | "interrupted";

interface ClientErrorOptions {
  readonly requestId?: string | undefined;
  readonly unknownOutcomeOf?: OperationId | undefined;
  readonly cause?: unknown;
}

/** A call failed. The message says what to do. It never quotes what was sent or what a server wrote. */
export class ClientError extends UserError {
  override readonly name = "ClientError";
  declare readonly code: ErrorCode | LocalCode;
  /** The id of the call in the server's log; undefined when the server named none. */
  readonly requestId: string | undefined;
  /** The operation whose outcome is unknown; undefined when the outcome is known, or the operation changes nothing. */
  readonly unknownOutcomeOf: OperationId | undefined;

  constructor(
    code: ErrorCode | LocalCode,
    kind: ErrorKind,
    message: string | Explanation,
    { requestId, unknownOutcomeOf, cause }: ClientErrorOptions = {},
  ) {
    super(kind, message, { code, cause });
    this.requestId = requestId;
    this.unknownOutcomeOf = unknownOutcomeOf;
  }
}
