import { isId } from "../contract/ids.ts";
import { LINK_KINDS, linkPath } from "../contract/links.ts";
import type { LinkKind } from "../contract/links.ts";
import { UserError } from "../contract/user-errors.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { SEED_BYTES } from "./derivations.ts";

/** The length of a seed in base64url. */
const SEED_LENGTH = 22;
export const PIN_LENGTH = 22;

/** A link is wrong; the message says how, and never has any of it. */
export class LinkError extends UserError {
  override readonly name = "LinkError";

  constructor(message: string) {
    super("usage", message);
  }
}

/** The parts of a link before anything is known of its fragment. */
export interface SplitLink {
  /** Scheme, host and path before `/s/`, `/r/` or `/c/`, without a slash at the end. */
  readonly baseUrl: string;
  readonly id: string;
  /** The text behind the `#`. */
  readonly fragment: string;
}

const KINDS = {
  secret: { ...LINK_KINDS.secret, name: "link to a secret" },
  request: { ...LINK_KINDS.request, name: "request link" },
  backup: { ...LINK_KINDS.backup, name: "backup link" },
} as const satisfies Record<LinkKind, unknown>;

/** Splits a link of `kind`. Throws LinkError. */
export function splitLink(kind: LinkKind, text: string): SplitLink {
  // As mail programs write links, and as some keyboards begin them.
  const link = text
    .trim()
    .replace(/^<(.*)>$/, "$1")
    .replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  // Of Unicode: controls, and characters of no width. They are not seen, and come with what was copied around a link.
  if (/^https?:\/\/.*[\p{C}\p{Zl}\p{Zp}]/su.test(link)) {
    throw new LinkError(
      "The link has characters in it that don't belong to it, and that can't be seen. Copy it again.",
    );
  }
  const match = /^(https?:\/\/[^\s#?]+?)\/([a-z])\/([a-z]{3}_)([0-9a-z]*)(?:#(.*))?$/.exec(link);
  const [, baseUrl = "", letter, prefix, rest = "", fragment] = match ?? [];
  const found = Object.values(KINDS).find((each) => each.letter === letter && each.prefix === prefix);
  const { name } = KINDS[kind];
  if (!found || !URL.canParse(link)) {
    throw new LinkError(`This is not a ${name}: it has to look like ${exampleOf(kind)}`);
  }
  const { username, password } = new URL(link);
  if (username !== "" || password !== "") {
    throw new LinkError(
      "The link has a user name or password before the name of the server, and no link of handoff has.",
    );
  }
  if (found !== KINDS[kind]) throw new LinkError(`This is a ${found.name}, and a ${name} is needed.`);
  if (!isId(`${found.prefix}${rest}`, "any"))
    throw new LinkError("The link is cut off or mistyped: the part before the '#' is not whole.");
  if (!fragment)
    throw new LinkError("The link is cut off: the part from the '#' on is missing. Copy it again, to its end.");
  return { baseUrl, id: `${found.prefix}${rest}`, fragment };
}

/** Puts a link together. */
export function joinLink(kind: LinkKind, { baseUrl, id, fragment }: SplitLink): string {
  return `${baseUrl}${linkPath(kind, id)}#${fragment}`;
}

/** A new seed. */
export function createSeed(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SEED_BYTES));
}

/** The spelling of a seed in a fragment: always 22 characters, so that a cut-off link is known by its length. */
export function encodeSeed(seed: Uint8Array): string {
  return encodeBase64url(seed);
}

/** Reads the seed of a fragment. Throws LinkError. */
export function decodeSeed(text: string): Uint8Array<ArrayBuffer> {
  if (text.length !== SEED_LENGTH) throw new LinkError(lengthComplaint(text.length < SEED_LENGTH));
  const seed = decodeBase64url(text);
  if (seed?.length !== SEED_BYTES) throw mistyped();
  return seed;
}

/** The error of a link that has a sign in it that cannot be there. */
export function mistyped(): LinkError {
  return new LinkError("The link is mistyped: the part after the '#' is not as it was made.");
}

/** The complaint about a part of a fragment that has not its length. */
export function lengthComplaint(isShort: boolean): string {
  return isShort
    ? "The link is cut off: its end is missing. Copy it again, to its end."
    : "The link has something at its end that does not belong to it. Copy it again.";
}

function exampleOf(kind: LinkKind): string {
  return `https://handoff.example${linkPath(kind, `${KINDS[kind].prefix}…`)}#1.…`;
}
