import { isErrorCode } from "../contract/error-codes.ts";
import type { OperationId } from "../contract/operations.ts";
import { ClientError } from "./errors.ts";

/** The sentence about each operation when its outcome is unknown. */
const DOUBTS: Partial<Record<OperationId, string>> = {
  createSecret: "It's not known whether the secret was stored.",
  createLargeSecret: "It's not known whether the secret was stored.",
  claimSecret: "It's not known whether the secret was handed out.",
  claimLargeSecret: "It's not known whether the secret was handed out.",
  patchSecret: "It's not known whether the secret was changed.",
  revokeSecret: "It's not known whether the secret was revoked.",
  createRequest: "It's not known whether the request was made.",
  submitSecret: "It's not known whether the secret was handed in.",
  submitLargeSecret: "It's not known whether the secret was handed in.",
  patchRequest: "It's not known whether the request was changed.",
  revokeRequest: "It's not known whether the request was revoked.",
};

/** Adds that the outcome is unknown. It gives no advice: another attempt could repeat the change. */
export function withUnknownOutcome(
  { code, kind, meaning, requestId }: ClientError,
  operation: OperationId,
): ClientError {
  const doubt = DOUBTS[operation] ?? "It's not known whether the call was carried out.";
  const explanation = { meaning: `${meaning} ${doubt}`, advice: "" };
  return new ClientError(code, kind, explanation, { requestId, unknownOutcomeOf: operation });
}

/** Reads the answer to a change. Throws ClientError with an unknown outcome when its form is wrong. */
export function readOutcome<T>(operation: OperationId, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof ClientError && error.code === "unexpected_answer"
      ? withUnknownOutcome(error, operation)
      : error;
  }
}

/** True when the error of a later attempt settles the earlier ones: the server has decided about this call. */
export function isDecision({ code, kind }: ClientError): boolean {
  return isErrorCode(code) && code !== "internal" && (kind === "gone" || kind === "failure");
}
