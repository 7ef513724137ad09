import type { ErrorCode } from "../contract/error-codes.ts";
import type { OperationId } from "../contract/operations.ts";
import { UserError } from "../contract/user-errors.ts";
import type { ErrorKind, Explanation } from "../contract/user-errors.ts";
import type { EnvelopeRefusal } from "../crypto/envelopes.ts";

/** Codes beside those of the contract. */
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
  | "decryption_failed"
  | EnvelopeRefusal
  | "passphrase_missing"
  | "unsafe_archive"
  | "damaged_archive"
  | "recipient_swapped"
  | "stale_page"
  | "other_person"
  | "file_unreadable"
  | "bad_file_name"
  | "interrupted";

interface ClientErrorOptions {
  readonly requestId?: string | undefined;
  readonly unknownOutcomeOf?: OperationId | undefined;
  readonly cause?: unknown;
}

/** A call failed. The message says what to do, and has nothing of what was sent or of what a server wrote. */
export class ClientError extends UserError {
  override readonly name = "ClientError";
  declare readonly code: ErrorCode | LocalCode;
  /** The id of the call in the server's log, if it came so far. */
  readonly requestId: string | undefined;
  /** The operation that may have been carried out all the same; undefined when it was not, or changes nothing. */
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
