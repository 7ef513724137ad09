import { ClientError } from "../../client/errors.ts";
import { isErrorCode } from "../../contract/error-codes.ts";

/**
 * True when a failed call may have been carried out: there was no answer, the answer was not the server's, or it says
 * so. Any other answer means that this call had no effect, but says nothing about earlier ones.
 */
export function isInDoubt(error: unknown): boolean {
  if (!(error instanceof ClientError)) return true;
  return error.unknownOutcomeOf !== undefined || error.code === "internal" || !isErrorCode(error.code);
}
