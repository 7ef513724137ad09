import { linkKindOf } from "../../contract/links.ts";
import { LinkError } from "../../crypto/link-faults.ts";
import type { LinkFault } from "../../crypto/link-faults.ts";
import { takeFragment } from "./fragments.ts";
import type { KeptLink } from "./fragments.ts";

export type { LinkFault };

/** A link to this page, rebuilt from the address and the fragment kept by this tab. */
export interface TakenLink<Link> {
  readonly link: Link;
  readonly kept: KeptLink;
}

/**
 * Removes the fragment from the address bar, as `takeFragment` does, and reads the link to `id` with `parse`. Returns a
 * LinkFault when the link is incomplete; undefined when neither the address nor this tab has a fragment. A fragment
 * behind an encoded `#` has already reached the server.
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

/**
 * True when the path contains an encoded `#` and a fragment, which are removed from the address bar and the history.
 */
function takeEncoded(): boolean {
  const path = location.pathname.replace(ENCODED_FRAGMENT, "");
  if (path === location.pathname) return false;
  history.replaceState(null, "", path);
  return true;
}

const ENCODED_FRAGMENT = /%(?:25)*23.*$/s;

/** Undoes a browser's encoding of text that followed the link in a message. */
function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/**
 * Finds the link in pasted text, whatever surrounds it; undefined when there is none. An encoded `#` (`%23`), which
 * some programs write, is decoded.
 */
export function findPastedLink(text: string): string | undefined {
  const words = text.match(/https?:\/\/[^\s<>"'`]+/gi) ?? [];
  return words.map((word) => word.replace(/%23/, "#")).find((word) => linkKindOf(word) !== undefined);
}
