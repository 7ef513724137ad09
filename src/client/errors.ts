import { ERROR_EXPLANATIONS, ERRORS, type ErrorCode } from "../contract/errors.ts";

/** What went wrong, as far as a caller can do something about it: it decides the exit code of the command line. */
export type ClientErrorKind = "usage" | "credential" | "gone" | "decryption" | "network" | "failure";

/** Codes beside those of the contract. */
export type LocalCode =
  | "connection_failed"
  | "connection_lost"
  | "host_unknown"
  | "timed_out"
  | "tls_untrusted"
  | "insecure_url"
  | "invalid_url"
  | "redirected"
  | "unexpected_answer"
  | "decryption_failed"
  | "unsafe_archive"
  | "recipient_swapped"
  | "stale_page"
  | "file_unreadable"
  | "bad_file_name"
  | "interrupted";

/** A call came to nothing. The message says what to do, and has nothing of what was sent or of what a server answered. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ErrorCode | LocalCode;
  readonly kind: ClientErrorKind;
  /** The id of the request in the server's log, if it came so far. */
  readonly requestId: string | undefined;

  constructor(code: ErrorCode | LocalCode, kind: ClientErrorKind, message: string, requestId?: string) {
    super(message);
    this.code = code;
    this.kind = kind;
    this.requestId = requestId;
  }
}

/**
 * The error of an answer with this code. It is explained in our own words: what a server writes could be meant to deceive
 * whoever reads it. `scope` is the one that the server says is missing.
 */
export function toClientError(code: ErrorCode, requestId?: string, scope?: string): ClientError {
  const missing = code === "insufficient_scope" && scope !== undefined ? ` It needs the scope ${scope}.` : "";
  const message = `${ERRORS[code].title}. ${MEANINGS[code] ?? ERROR_EXPLANATIONS[code]}${missing}`;
  return new ClientError(code, kindOf(code), message, requestId);
}

// Where the explanation for people who write clients says too little to people who use one.
const MEANINGS: Partial<Record<ErrorCode, string>> = {
  credential_missing: "Run 'handoff login', or set HANDOFF_API_KEY.",
  credential_invalid: "It is mistyped, revoked, unknown, or not of this server.",
  insufficient_scope: "Ask an admin for a key with the scope that this needs.",
};

function kindOf(code: ErrorCode): ClientErrorKind {
  const { status } = ERRORS[code];
  switch (status) {
    case 401:
      return "credential";
    case 403:
      return code === "insufficient_scope" ? "credential" : "failure";
    case 404:
    case 410:
      return "gone";
    case 408:
    case 429:
    case 503:
      return "network";
    default:
      return "failure";
  }
}
