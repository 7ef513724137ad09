import { base64urlnopad } from "@scure/base";
import { encodeToken, TOKEN_ENTROPY_BYTES } from "../contract/tokens.ts";
import type { LinkTokenKind, TokenKind } from "../contract/tokens.ts";
import type { Random } from "./ports/sources.ts";

const HASH_BYTES = 32;

/** Makes a new token of `kind`. */
export function createToken(kind: TokenKind, random: Random): string {
  return encodeToken(kind, random.bytes(TOKEN_ENTROPY_BYTES));
}

/**
 * The token that belongs to `id` for this credential and idempotency key: HMAC-SHA256 over kind and id, keyed with
 * both, so that only who holds both can have it computed again and it need not be stored.
 */
export function deriveToken(kind: TokenKind, id: string, credential: string, idempotencyKey: string): string {
  // The length keeps two pairs of credential and key from running together into the same HMAC key.
  const hmacKey = `${credential.length}:${credential}${idempotencyKey}`;
  const mac = new Bun.CryptoHasher("sha256", hmacKey).update(`handoff/v1/${kind}/${id}`).digest();
  return encodeToken(kind, mac.subarray(0, TOKEN_ENTROPY_BYTES));
}

/** The things that the token in the link to a new thing is made from. */
export interface LinkTokenSource {
  readonly kind: LinkTokenKind;
  readonly random: Random;
  /** The credential and the idempotency key of the call that makes the thing; undefined when it sent no key. */
  readonly credential: string;
  readonly idempotencyKey: string | undefined;
  /** The hash of the token, as the schema has let it through, of a client that keeps the token to itself. */
  readonly givenHash: string | undefined;
}

/** The token in the link to a new thing: the hash that is kept of it, and what its maker is shown, if anything. */
export interface LinkToken {
  readonly hash: Uint8Array;
  readonly shown: string | undefined;
}

/** The token for the thing with this id: the same again for a repetition of the call, without a key another each time. */
export function linkToken(source: LinkTokenSource, id: string): LinkToken {
  const { kind, random, credential, idempotencyKey, givenHash } = source;
  if (givenHash !== undefined) return { hash: base64urlnopad.decode(givenHash), shown: undefined };
  const shown =
    idempotencyKey === undefined ? createToken(kind, random) : deriveToken(kind, id, credential, idempotencyKey);
  return { hash: hashToken(shown), shown };
}

/** SHA-256 of a token: all that is kept of it. */
export function hashToken(token: string): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  Bun.SHA256.hash(token, hash);
  return hash;
}

/** A hash that belongs to no token. */
export function randomTokenHash(random: Random): Uint8Array {
  return random.bytes(HASH_BYTES);
}

/** SHA-256 over `parts`, each with its length before it. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const part of parts) hasher.update(`${part.length}:`).update(part);
  return hasher.digest();
}
