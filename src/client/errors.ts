import type { ErrorCode } from "../contract/errors.ts";

/** What went wrong, as far as a caller can do something about it: it decides the exit code of the command line. */
export type ClientErrorKind = "usage" | "credential" | "gone" | "decryption" | "network" | "failure";

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
  | "unsafe_archive"
  | "recipient_swapped"
  | "stale_page"
  | "other_person"
  | "file_unreadable"
  | "bad_file_name"
  | "interrupted";

/** What an error says to people: what happened, and apart from it what to do, which does not fit everywhere. */
export interface Explanation {
  readonly meaning: string;
  /** Empty when there is nothing to do. */
  readonly advice: string;
}

/** A call failed. The message says what to do, and has nothing of what was sent or of what a server wrote. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly code: ErrorCode | LocalCode;
  readonly kind: ClientErrorKind;
  /** The message without what to do. */
  readonly meaning: string;
  /** The id of the call in the server's log, if it came so far. */
  readonly requestId: string | undefined;

  constructor(code: ErrorCode | LocalCode, kind: ClientErrorKind, message: string | Explanation, requestId?: string) {
    const { meaning, advice } = typeof message === "string" ? { meaning: message, advice: "" } : message;
    super(advice === "" ? meaning : `${meaning} ${advice}`);
    this.code = code;
    this.kind = kind;
    this.meaning = meaning;
    this.requestId = requestId;
  }
}
