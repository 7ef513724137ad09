import { encodeBase64url } from "./base64url.ts";
import { deriveAgePassphrase, deriveLinkToken, hashLinkToken, sha256 } from "./derivations.ts";
import { faultyLink } from "./link-faults.ts";
import { decodePart, decodeSeed, encodeSeed, joinLink, PIN_LENGTH, splitLink, strangeFragment } from "./links.ts";

const PIN_BYTES = 16;

/** A request link, contract section 10: `{base_url}/r/{id}#1.{S}.{pin}`. */
export interface RequestLink {
  readonly baseUrl: string;
  readonly id: string;
  readonly seed: Uint8Array<ArrayBuffer>;
  /** The pin of the recipient, see `pinOf`. */
  readonly pin: string;
}

/** The keys that are derived from the seed of a request link. */
export interface RequestKeys {
  readonly submitToken: string;
  /** The server gets this hash instead of the token. */
  readonly submitTokenHash: string;
  /** The age passphrase of the sealed note. */
  readonly notePassphrase: string;
}

/** Parses a request link. Throws LinkError. */
export function parseRequestLink(text: string): RequestLink {
  const { baseUrl, id, fragment } = splitLink("request", text);
  const [, key, pin, rest] = /^1\.([^.]*)(?:\.([^.]*))?(\..*)?$/.exec(fragment) ?? [];
  if (key === undefined) throw strangeFragment(fragment, ["1"]);
  const seed = decodeSeed(key);
  if (pin === undefined) throw faultyLink("incomplete");
  // A malformed pin is the link's fault, and doesn't mean that the server swapped the recipient.
  decodePart(pin, PIN_LENGTH);
  if (rest !== undefined) throw faultyLink("extra");
  return { baseUrl, id, seed, pin };
}

/** Formats a request link. */
export function formatRequestLink({ baseUrl, id, seed, pin }: RequestLink): string {
  return joinLink("request", { baseUrl, id, fragment: `1.${encodeSeed(seed)}.${pin}` });
}

/** Derives the keys of a request link. */
export async function deriveRequestKeys(seed: Uint8Array<ArrayBuffer>): Promise<RequestKeys> {
  const [submitToken, notePassphrase] = await Promise.all([
    deriveLinkToken(seed, "submit"),
    deriveAgePassphrase(seed, "note"),
  ]);
  return { submitToken, submitTokenHash: await hashLinkToken(submitToken), notePassphrase };
}

/** base64url of the first 16 bytes of SHA-256 over a recipient. By it a client detects a swapped recipient. */
export async function pinOf(recipient: string): Promise<string> {
  return encodeBase64url((await sha256(recipient)).subarray(0, PIN_BYTES));
}
