import { ClientError } from "../../client/errors.ts";
import type { Notice } from "../frame/notices.ts";
import { OPENING } from "../texts/opening.ts";
import { describeLinkFailure } from "./failures.ts";

/** The notice for a failure to open a secret, which may fail to decrypt. */
export function describeOpening(error: unknown): Notice {
  const { cannotOpen: title } = OPENING.opened;
  switch (error instanceof ClientError ? error.code : "") {
    case "decryption_failed":
      return { title, text: OPENING.opened.undecryptable };
    case "unsafe_archive":
      return { title, text: OPENING.opened.unsafe };
    case "version_unknown":
      return { title, text: OPENING.opened.refused.version };
    case "settings_refused":
      return { title, text: OPENING.opened.refused.settings };
    case "encrypted_otherwise":
      return { title, text: OPENING.opened.refused.otherwise };
    default:
      return describeLinkFailure(error);
  }
}
