import { ClientError } from "../../client/errors.ts";
import { describeLinkFailure } from "../parts/failures.ts";
import { MAIL } from "../texts/mail.ts";

const { mail } = MAIL;

/** Says why a code was not sent, or not accepted. */
export function describeRefusal(error: unknown): string {
  switch (error instanceof ClientError ? error.code : "") {
    case "code_invalid":
      return mail.wrong;
    case "code_expired":
      return mail.over;
    case "rate_limited":
      return mail.limited;
    case "schema_mismatch":
      return mail.malformed;
    default:
      return describeLinkFailure(error).text;
  }
}
