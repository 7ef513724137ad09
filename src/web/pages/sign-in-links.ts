import { parseTokenKind, TOKEN_PREFIXES } from "../../contract/tokens.ts";
import { takeFragment } from "../browser/fragments.ts";
import type { KeptLink } from "../browser/fragments.ts";

/** The key of tab storage under which the link is kept until it is used. */
export const KEPT_AS = "sign-in";

/** The fault of a sign-in link: the token is missing, cut off, too long, or has a wrong character. */
export type SignInFault = "missing" | "cut" | "long" | "mistyped";

const LENGTH = TOKEN_PREFIXES.person.length + 38;

/** Returns the sign-in link of the address or of this tab, or its fault. */
export function takeSignInLink(): KeptLink | SignInFault {
  const given = location.hash.slice(1);
  const kept = takeFragment(KEPT_AS, (fragment) => findToken(fragment) !== undefined);
  const token = kept === undefined || kept === "broken" ? undefined : findToken(kept.fragment);
  return kept === undefined || kept === "broken" || token === undefined
    ? findFault(given)
    : { ...kept, fragment: token };
}

/**
 * Returns the token in a fragment, without punctuation that followed the link; undefined when there is no whole one.
 */
function findToken(fragment: string): string | undefined {
  const token = withoutPunctuation(fragment);
  return parseTokenKind(token) === "person" ? token : undefined;
}

/** Returns the fault of a fragment without a whole token. */
function findFault(fragment: string): SignInFault {
  const text = withoutPunctuation(fragment);
  if (text === "") return "missing";
  if (text.length > LENGTH && findToken(text.slice(0, LENGTH)) !== undefined) return "long";
  const isBeginning = text.startsWith(TOKEN_PREFIXES.person) || TOKEN_PREFIXES.person.startsWith(text);
  return text.length < LENGTH && isBeginning ? "cut" : "mistyped";
}

function withoutPunctuation(fragment: string): string {
  return fragment.replace(/(?:%[0-9A-Fa-f]{2}|[^0-9A-Za-z_])+$/, "");
}
