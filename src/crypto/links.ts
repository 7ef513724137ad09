import { isId } from "../contract/ids.ts";
import { LINK_KINDS, linkKindOf, linkPath } from "../contract/links.ts";
import type { LinkKind } from "../contract/links.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { SEED_BYTES } from "./derivations.ts";
import { faultyLink, LinkError } from "./link-faults.ts";
import { trimLink } from "./link-texts.ts";

/** The length of a seed in base64url. */
const SEED_LENGTH = 22;
export const PIN_LENGTH = 22;

/** The parts of a link, with an unparsed fragment. */
export interface SplitLink {
  /** Scheme, host and path before `/s/`, `/r/` or `/c/`, without a slash at the end. */
  readonly baseUrl: string;
  readonly id: string;
  /** The text after the `#`. */
  readonly fragment: string;
}

const KINDS = {
  secret: { ...LINK_KINDS.secret, name: "link to a secret" },
  request: { ...LINK_KINDS.request, name: "request link" },
  backup: { ...LINK_KINDS.backup, name: "backup link" },
} as const satisfies Record<LinkKind, unknown>;

/** Splits a link of `kind`, with or without the punctuation around it in a message. Throws LinkError. */
export function splitLink(kind: LinkKind, text: string): SplitLink {
  const link = trimLink(text);
  // Control and zero-width characters get into a link by copying.
  if (/^https?:\/\/.*\p{C}/su.test(link)) throw faultyLink("hidden");
  if (!link.includes("#") && ENCODED.test(link) && linkKindOf(link) !== undefined) throw faultyLink("encoded");
  const match = /^(https?:\/\/[^\s#?]+?)\/([a-z])\/([a-z]{3}_)([0-9a-z]*)\/?(?:#(.*))?$/.exec(link);
  const [, baseUrl = "", letter, prefix, rest = "", fragment] = match ?? [];
  const found = Object.values(KINDS).find((each) => each.letter === letter && each.prefix === prefix);
  const { name } = KINDS[kind];
  if (!found || !URL.canParse(link)) {
    throw new LinkError("other", `This is not a ${name}: it has to look like ${exampleOf(kind)}`);
  }
  const { username, password } = new URL(link);
  if (username !== "" || password !== "") {
    throw new LinkError(
      "other",
      "The link has a user name or password before the name of the server, and no link of handoff has.",
    );
  }
  if (found !== KINDS[kind]) throw new LinkError("other", `This is a ${found.name}, and a ${name} is needed.`);
  if (!fragment) throw faultyLink(isId(`${found.prefix}${rest}`, "any") ? "no_key" : "incomplete");
  if (!isId(`${found.prefix}${rest}`, "any")) throw faultyLink("mistyped");
  return { baseUrl, id: `${found.prefix}${rest}`, fragment };
}

/** A percent-encoded `#`, once or several times. */
const ENCODED = /%(?:25)*23/;

/** Joins the parts of a link. */
export function joinLink(kind: LinkKind, { baseUrl, id, fragment }: SplitLink): string {
  return `${baseUrl}${linkPath(kind, id)}#${fragment}`;
}

/** Creates a random seed. */
export function createSeed(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SEED_BYTES));
}

/** Encodes a seed for a fragment: always 22 characters, so that a cut-off link is recognized by its length. */
export function encodeSeed(seed: Uint8Array): string {
  return encodeBase64url(seed);
}

/** Decodes the seed of a fragment. Throws LinkError. */
export function decodeSeed(text: string): Uint8Array<ArrayBuffer> {
  const seed = decodePart(text, SEED_LENGTH);
  if (seed.length !== SEED_BYTES) throw faultyLink("mistyped");
  return seed;
}

/** Decodes a part of a fragment, which has `length` characters of base64url. Throws LinkError. */
export function decodePart(text: string, length: number): Uint8Array<ArrayBuffer> {
  const wrong = text.search(/[^\w-]/);
  if (wrong !== -1 && wrong < length) throw faultyLink("mistyped");
  if (text.length !== length) throw faultyLink(text.length < length ? "incomplete" : "extra");
  const bytes = decodeBase64url(text);
  if (!bytes) throw faultyLink("mistyped");
  return bytes;
}

/** The error for a fragment that begins with none of the `known` prefixes of this version. */
export function strangeFragment(fragment: string, known: readonly string[]): LinkError {
  if (known.includes(fragment)) return faultyLink("incomplete");
  return faultyLink(/^\d/.test(fragment) && !/^1(?![0-9a-z])/.test(fragment) ? "newer_version" : "mistyped");
}

function exampleOf(kind: LinkKind): string {
  return `https://handoff.example${linkPath(kind, `${KINDS[kind].prefix}…`)}#1.…`;
}
