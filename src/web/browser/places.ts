import { LINK_KINDS, LINK_LETTERS } from "../../contract/links.ts";

/** The screen that an address leads to, and the ID in it. */
export interface Place {
  readonly kind:
    | "secret"
    | "request"
    | "collect"
    | "sign-in"
    | "login"
    | "ask"
    | "activity"
    | "account"
    | "audit"
    | "about"
    | "home";
  readonly id: string;
}

/** The section of `/about` on the command line. */
export const COMMAND_LINE = "command-line";

const END = new RegExp(
  String.raw`/(?:([${LINK_LETTERS}])/([^/]*)/?|(sign-in|login|ask|activity|account|audit|about)/?)?$`,
);
const KINDS = new Map<string | undefined, Place["kind"]>([
  [LINK_KINDS.secret.letter, "secret"],
  [LINK_KINDS.request.letter, "request"],
  [LINK_KINDS.backup.letter, "collect"],
  ["sign-in", "sign-in"],
  ["login", "login"],
  ["ask", "ask"],
  ["activity", "activity"],
  ["account", "account"],
  ["audit", "audit"],
  ["about", "about"],
]);

/** Parses the page's current address. */
export function currentPlace(): Place {
  const [, letter, id = "", word] = END.exec(location.pathname) ?? [];
  return { kind: KINDS.get(letter ?? word) ?? "home", id };
}

/** The top address of the site, which may lie below a path, without a trailing slash. */
export function topUrl(): string {
  return location.origin + location.pathname.replace(END, "");
}
