import { parseTokenKind, TOKEN_PREFIXES } from "../../contract/tokens.ts";
import { takeFragment } from "../browser/fragments.ts";
import type { KeptLink } from "../browser/fragments.ts";

/** The name under which this tab keeps the link until it has been used. */
export const KEPT_AS = "sign-in";

/** A sign-in link without its token, one that was cut off, has something more at its end, or has a wrong sign in it. */
export type SignInFault = "missing" | "cut" | "long" | "mistyped";

const LENGTH = TOKEN_PREFIXES.person.length + 38;

/** The sign-in link that leads here, which this tab keeps; or what is wrong with it. */
export function takeSignInLink(): KeptLink | SignInFault {
  const given = location.hash.slice(1);
  const kept = takeFragment(KEPT_AS, (fragment) => findToken(fragment) !== undefined);
  const token = kept === undefined || kept === "broken" ? undefined : findToken(kept.fragment);
  return kept === undefined || kept === "broken" || token === undefined
    ? findFault(given)
    : { ...kept, fragment: token };
}

/** The token in a fragment, with or without the punctuation that stood behind the link; undefined when it is not whole. */
function findToken(fragment: string): string | undefined {
  const token = withoutPunctuation(fragment);
  return parseTokenKind(token) === "person" ? token : undefined;
}

/** The fault of a fragment that has no whole token in it. */
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
