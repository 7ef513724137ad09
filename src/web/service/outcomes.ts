import { ClientError } from "../../client/errors.ts";
import { isErrorCode } from "../../contract/error-codes.ts";

/** True when a failed call may have been carried out: no answer came, none of handoff's, or one that says so. */
export function isInDoubt(error: unknown): boolean {
  if (!(error instanceof ClientError)) return true;
  return error.unknownOutcomeOf !== undefined || error.code === "internal" || !isErrorCode(error.code);
}
