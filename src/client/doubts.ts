import { isErrorCode } from "../contract/error-codes.ts";
import type { OperationId } from "../contract/operations.ts";
import { ClientError } from "./errors.ts";

/** The sentence for each operation that nobody knows the outcome of. */
const DOUBTS: Partial<Record<OperationId, string>> = {
  createSecret: "It's not known whether the secret was stored.",
  claimSecret: "It's not known whether the secret was handed out.",
  revokeSecret: "It's not known whether the secret was revoked.",
  createRequest: "It's not known whether the request was made.",
  submitSecret: "It's not known whether the secret was handed in.",
  patchRequest: "It's not known whether the request was changed.",
  revokeRequest: "It's not known whether the request was revoked.",
};

/**
 * The same error for a call of which the outcome is unknown. It has no advice: to try again could do it twice, and whoever
 * shows it knows better.
 */
export function inDoubt({ code, kind, meaning, requestId }: ClientError, operation: OperationId): ClientError {
  const doubt = DOUBTS[operation] ?? "It's not known whether the call was carried out.";
  const explanation = { meaning: `${meaning} ${doubt}`, advice: "" };
  return new ClientError(code, kind, explanation, { requestId, unknownOutcomeOf: operation });
}

/**
 * The outcome that `read` finds in the answer to a call that changes something. Throws ClientError `inDoubt` when that is
 * no answer of a handoff server: the call has most likely been carried out all the same.
 */
export function readOutcome<T>(operation: OperationId, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ClientError && error.code === "unexpected_answer" ? inDoubt(error, operation) : error;
  }
}

/** True of the error of a later attempt when it says what became of the earlier ones: the server has decided on this call. */
export function isDecision({ code, kind }: ClientError): boolean {
  return isErrorCode(code) && code !== "internal" && (kind === "gone" || kind === "failure");
}
