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
  /** The pin of the recipient that secrets are to be encrypted to, see `pinOf`. */
  readonly pin: string;
}

/** The keys that the seed of a request link stands for. */
export interface RequestKeys {
  readonly submitToken: string;
  /** The hash that a server gets instead of the token. */
  readonly submitTokenHash: string;
  /** The age passphrase of the sealed note. */
  readonly notePassphrase: string;
}

/** Reads a request link. Throws LinkError. */
export function parseRequestLink(text: string): RequestLink {
  const { baseUrl, id, fragment } = splitLink("request", text);
  const [, key, pin, rest] = /^1\.([^.]*)(?:\.([^.]*))?(\..*)?$/.exec(fragment) ?? [];
  if (key === undefined) throw strangeFragment(fragment, ["1"]);
  const seed = decodeSeed(key);
  if (pin === undefined) throw faultyLink("incomplete");
  // One that no recipient has is the link's fault, and not that of a server that names another recipient.
  decodePart(pin, PIN_LENGTH);
  if (rest !== undefined) throw faultyLink("extra");
  return { baseUrl, id, seed, pin };
}

/** Writes a request link. */
export function formatRequestLink({ baseUrl, id, seed, pin }: RequestLink): string {
  return joinLink("request", { baseUrl, id, fragment: `1.${encodeSeed(seed)}.${pin}` });
}

/** Derives what the seed of a request link stands for. */
export async function deriveRequestKeys(seed: Uint8Array<ArrayBuffer>): Promise<RequestKeys> {
  const [submitToken, notePassphrase] = await Promise.all([
    deriveLinkToken(seed, "submit"),
    deriveAgePassphrase(seed, "note"),
  ]);
  return { submitToken, submitTokenHash: await hashLinkToken(submitToken), notePassphrase };
}

/** base64url of the first 16 bytes of SHA-256 over a recipient: a server that offers another one is caught by it. */
export async function pinOf(recipient: string): Promise<string> {
  return encodeBase64url((await sha256(recipient)).subarray(0, PIN_BYTES));
}
