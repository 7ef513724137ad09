import { ID_PREFIXES } from "./ids.ts";

/** The kinds of links, contract section 10: the letter in the path, and the prefix of the id after it. */
export const LINK_KINDS = {
  secret: { letter: "s", prefix: ID_PREFIXES.secret },
  request: { letter: "r", prefix: ID_PREFIXES.request },
  backup: { letter: "c", prefix: ID_PREFIXES.request },
} as const;
export type LinkKind = keyof typeof LINK_KINDS;

const KINDS = Object.keys(LINK_KINDS) as LinkKind[];
/** The letters of all kinds. */
export const LINK_LETTERS = KINDS.map((kind) => LINK_KINDS[kind].letter).join("");
const PREFIXES = [...new Set(KINDS.map((kind) => LINK_KINDS[kind].prefix))].join("|");
const BEGINNING = new RegExp(String.raw`^[^\s#?]*/([${LINK_LETTERS}])/(?:${PREFIXES})`, "i");

/** The path of a link after the base URL: `/s/sec_…`. */
export function linkPath(kind: LinkKind, id: string): string {
  return `/${LINK_KINDS[kind].letter}/${id}`;
}

/** The kind of link that a text's path looks like; the rest may be missing or wrong. Undefined for none. */
export function linkKindOf(text: string): LinkKind | undefined {
  const letter = BEGINNING.exec(text.trim())?.[1]?.toLowerCase();
  return KINDS.find((kind) => LINK_KINDS[kind].letter === letter);
}
