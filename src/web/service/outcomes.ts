import { ClientError } from "../../client/errors.ts";
import { isErrorCode } from "../../contract/error-codes.ts";

/**
 * True for the failure of a call that may have been carried out all the same: no answer came, or none of the server's, or one
 * that says so. Any other answer says that nothing came of the call, though not of another one before it.
 */
export function isInDoubt(error: unknown): boolean {
  if (!(error instanceof ClientError)) return true;
  return error.unknownOutcomeOf !== undefined || error.code === "internal" || !isErrorCode(error.code);
}
