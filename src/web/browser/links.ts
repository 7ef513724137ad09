import { linkKindOf } from "../../contract/links.ts";
import { LinkError } from "../../crypto/link-faults.ts";
import type { LinkFault } from "../../crypto/link-faults.ts";
import { takeFragment } from "./fragments.ts";
import type { KeptLink } from "./fragments.ts";

export type { LinkFault };

/** A link to this page, put together again from the address and what this tab keeps of it. */
export interface TakenLink<Link> {
  readonly link: Link;
  readonly kept: KeptLink;
}

/**
 * Takes the fragment out of the address bar, as `takeFragment` does, and reads the link to `id` with `parse`. Returns
 * what is wrong with it when it is not whole; undefined when there is no fragment, and this tab has none. Of one whose `#`
 * was encoded the server has the fragment already.
 */
export function takeLink<Link extends { readonly id: string }>(
  id: string,
  parse: (text: string) => Link,
): TakenLink<Link> | LinkFault | undefined {
  const read = (fragment: string): Link | LinkFault => {
    try {
      const link = parse(`${location.origin}${location.pathname}#${decode(fragment)}`);
      return link.id === id ? link : "other";
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      return error.fault;
    }
  };
  if (takeEncoded()) return "encoded";
  const given = location.hash.slice(1);
  const kept = takeFragment(id, (fragment) => typeof read(fragment) !== "string");
  if (kept === undefined) return undefined;
  const link = read(kept === "broken" ? given : kept.fragment);
  if (typeof link === "string") return link;
  return kept === "broken" ? "mistyped" : { link, kept };
}

/** True when the path has a fragment in it whose `#` was encoded; it is taken out of the address bar and the history. */
function takeEncoded(): boolean {
  const path = location.pathname.replace(ENCODED_FRAGMENT, "");
  if (path === location.pathname) return false;
  history.replaceState(null, "", path);
  return true;
}

const ENCODED_FRAGMENT = /%(?:25)*23.*$/s;

/** A fragment as it was before a browser encoded what stands behind a link in a message. */
function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The link in a pasted text, also with `%23` in place of `#`; undefined when there is none. */
export function findPastedLink(text: string): string | undefined {
  const words = text.match(/https?:\/\/[^\s<>"'`]+/gi) ?? [];
  return words.map((word) => word.replace(/%23/, "#")).find((word) => linkKindOf(word) !== undefined);
}
