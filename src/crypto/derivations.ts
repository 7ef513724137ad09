import { encodeToken, TOKEN_ENTROPY_BYTES } from "../contract/tokens.ts";
import type { TokenKind } from "../contract/tokens.ts";
import { encodeBase64url } from "./base64url.ts";

/** The length of a link's seed in bytes. The seed follows the `#`, and all keys of the link are derived from it. */
export const SEED_BYTES = 16;

const PASSPHRASE_BYTES = 32;

/** HKDF-SHA256 (RFC 5869) with an empty salt over the seed, contract section 10. */
async function derive(seed: Uint8Array<ArrayBuffer>, info: string, bytes: number): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", seed, "HKDF", false, ["deriveBits"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(params, key, bytes * 8));
}

/** Derives the token of `kind` from a seed. */
export async function deriveLinkToken(seed: Uint8Array<ArrayBuffer>, kind: "claim" | "submit"): Promise<string> {
  return encodeToken(kind satisfies TokenKind, await derive(seed, `handoff/v1/${kind}`, TOKEN_ENTROPY_BYTES));
}

/** Derives an age passphrase from a seed: `age` for a secret, `note` for the note of a request. */
export async function deriveAgePassphrase(seed: Uint8Array<ArrayBuffer>, purpose: "age" | "note"): Promise<string> {
  return encodeBase64url(await derive(seed, `handoff/v1/${purpose}`, PASSPHRASE_BYTES));
}

/** base64url of SHA-256 over a token. The server gets this instead of the token. */
export async function hashLinkToken(token: string): Promise<string> {
  return encodeBase64url(await sha256(token));
}

/** SHA-256 over the UTF-8 of `text`. */
export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
