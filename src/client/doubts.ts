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

/** True of the error of a later attempt when it says what became of the earlier ones: the server has decided on this call. */
export function isDecision({ code, kind }: ClientError): boolean {
  return isErrorCode(code) && code !== "internal" && (kind === "gone" || kind === "failure");
}
