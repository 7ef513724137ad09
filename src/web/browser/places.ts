import { LINK_KINDS, LINK_LETTERS } from "../../contract/links.ts";

/** The screen that an address asks for, and the id in it. */
export interface Place {
  readonly kind: "secret" | "request" | "collect" | "sign-in" | "ask" | "activity" | "about" | "home";
  readonly id: string;
}

/** The part of `/about` that tells of the command line. */
export const COMMAND_LINE = "command-line";

const END = new RegExp(String.raw`/(?:([${LINK_LETTERS}])/([^/]*)/?|(sign-in|ask|activity|about)/?)?$`);
const KINDS = new Map<string | undefined, Place["kind"]>([
  [LINK_KINDS.secret.letter, "secret"],
  [LINK_KINDS.request.letter, "request"],
  [LINK_KINDS.backup.letter, "collect"],
  ["sign-in", "sign-in"],
  ["ask", "ask"],
  ["activity", "activity"],
  ["about", "about"],
]);

/** The place that the address of the page names. */
export function currentPlace(): Place {
  const [, letter, id = "", word] = END.exec(location.pathname) ?? [];
  return { kind: KINDS.get(letter ?? word) ?? "home", id };
}

/** The address at which the site begins, which may be below a path, without a slash at the end. */
export function topUrl(): string {
  return location.origin + location.pathname.replace(END, "");
}
