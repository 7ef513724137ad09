import { LinkError } from "../../crypto/links.ts";
import { takeFragment } from "./fragments.ts";
import type { KeptLink } from "./fragments.ts";

/** A link to this page, put together again from the address and what this tab keeps of it. */
export interface TakenLink<Link> {
  readonly link: Link;
  readonly kept: KeptLink;
}

/**
 * Takes the fragment out of the address bar, as `takeFragment` does, and reads the link to `id` with `parse`. Returns
 * "broken" when it is not whole, or is of another id; undefined when this tab has none.
 */
export function takeLink<Link extends { readonly id: string }>(
  id: string,
  parse: (text: string) => Link,
): TakenLink<Link> | "broken" | undefined {
  const read = (fragment: string): Link | undefined => {
    try {
      const link = parse(`${location.origin}${location.pathname.replace(/\/$/, "")}#${fragment}`);
      return link.id === id ? link : undefined;
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      return undefined;
    }
  };
  const kept = takeFragment(id, (fragment) => read(fragment) !== undefined);
  if (kept === undefined || kept === "broken") return kept;
  const link = read(kept.fragment);
  return link ? { link, kept } : "broken";
}
