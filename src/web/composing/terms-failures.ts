import { ClientError } from "../../client/errors.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { SENDING } from "../texts/sending.ts";

/** The text about a failed call that sets terms, which the rules of the team may forbid since the page was loaded. */
export function describeTermsFailure(error: unknown): string {
  const isRuled = error instanceof ClientError && error.code === "team_rule";
  return isRuled ? SENDING.terms.ruled : describeSessionFailure(error).text;
}
