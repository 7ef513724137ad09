import { LinkError } from "../../crypto/links.ts";
import { takeFragment } from "./fragments.ts";
import type { KeptLink } from "./fragments.ts";

/** A link that is cut off, has something at its end that does not belong to it, or has a wrong sign in it. */
export type LinkFault = "broken" | "long" | "mistyped";

/** More characters than anybody adds or leaves out at the end, but for a whole part of the link. */
const MAX_FAULT = 80;

/** A link to this page, put together again from the address and what this tab keeps of it. */
export interface TakenLink<Link> {
  readonly link: Link;
  readonly kept: KeptLink;
}

/**
 * Takes the fragment out of the address bar, as `takeFragment` does, and reads the link to `id` with `parse`. Returns
 * what is wrong with it when it is not whole; undefined when this tab has none.
 */
export function takeLink<Link extends { readonly id: string }>(
  id: string,
  parse: (text: string) => Link,
): TakenLink<Link> | LinkFault | undefined {
  const read = (fragment: string): Link | undefined => {
    try {
      const link = parse(`${location.origin}${location.pathname.replace(/\/$/, "")}#${fragment}`);
      return link.id === id ? link : undefined;
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      return undefined;
    }
  };
  const given = location.hash.slice(1);
  const kept = takeFragment(id, (fragment) => read(fragment) !== undefined);
  if (kept === undefined) return kept;
  const link = kept === "broken" ? undefined : read(kept.fragment);
  if (kept !== "broken" && link) return { link, kept };
  return findFault(given, (fragment) => read(fragment) !== undefined);
}

/** The fault of a fragment: it is whole without its end, or with one, or neither. */
function findFault(fragment: string, isWhole: (fragment: string) => boolean): LinkFault {
  const lengths = Array.from({ length: MAX_FAULT }, (_, index) => index + 1);
  if (lengths.some((length) => isWhole(fragment.slice(0, -length)))) return "long";
  const ends = lengths.flatMap((length) => ["A".repeat(length), `.${"A".repeat(length)}`]);
  const starts = fragment.includes(".") ? [fragment, `${fragment}.`] : [`${fragment}.`, "1."];
  return starts.some((start) => ends.some((end) => isWhole(start + end))) ? "broken" : "mistyped";
}
