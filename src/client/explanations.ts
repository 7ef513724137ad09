import { ERROR_STATUSES } from "../contract/error-codes.ts";
import type { ErrorCode } from "../contract/error-codes.ts";
import type { ErrorKind } from "../contract/user-errors.ts";
import { explain } from "./error-texts.ts";
import type { ErrorFacts } from "./error-texts.ts";
import { ClientError } from "./errors.ts";

/** The error for this code, in our own words: a hostile server's text could deceive a reader or an agent. */
export function toClientError(code: ErrorCode, facts: ErrorFacts = {}): ClientError {
  return new ClientError(code, kindOf(code), explain(code, facts), { requestId: facts.requestId });
}

/** The error for a link whose token the server doesn't know, or knows for something else. */
export function unknownLink(code: ErrorCode, requestId: string | undefined): ClientError {
  const meaning = "This link doesn't work: it's mistyped, or ended long ago.";
  const advice = "Copy the whole link again, or ask for a new one.";
  return new ClientError(code, "gone", { meaning, advice }, { requestId });
}

function kindOf(code: ErrorCode): ErrorKind {
  switch (ERROR_STATUSES[code]) {
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
