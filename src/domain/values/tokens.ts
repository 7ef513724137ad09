import { base64urlnopad } from "@scure/base";
import { encodeToken, TOKEN_ENTROPY_BYTES } from "../../contract/tokens.ts";
import type { LinkTokenKind, TokenKind } from "../../contract/tokens.ts";
import type { Random } from "../ports/sources.ts";

const HASH_BYTES = 32;

/** Creates a random token of `kind`. */
export function createToken(kind: TokenKind, random: Random): string {
  return encodeToken(kind, random.bytes(TOKEN_ENTROPY_BYTES));
}

/**
 * Derives the token of `id` for a credential and an idempotency key: HMAC-SHA256 over kind and id, keyed with both.
 * Only a caller with both can get it again, so it isn't stored.
 */
export function deriveToken(kind: TokenKind, id: string, credential: string, idempotencyKey: string): string {
  // The length makes the HMAC key unique to its pair of credential and idempotency key.
  const hmacKey = `${credential.length}:${credential}${idempotencyKey}`;
  const mac = new Bun.CryptoHasher("sha256", hmacKey).update(`handoff/v1/${kind}/${id}`).digest();
  return encodeToken(kind, mac.subarray(0, TOKEN_ENTROPY_BYTES));
}

const CODE_LENGTH = 8;

/**
 * Derives the code of eight digits for `id` from a random seed: HMAC-SHA256 over the id, keyed with the seed. The id is
 * that of a team to sign in to, or of a secret or request to prove an address for.
 */
export function deriveCode(seed: string, id: string): string {
  const mac = new Bun.CryptoHasher("sha256", seed).update(`handoff/v1/code/${id}`).digest();
  // Of 2^64 numbers, no code has more than another by more than one in 10^11.
  const number = mac.readBigUInt64BE(0) % 10n ** BigInt(CODE_LENGTH);
  return String(number).padStart(CODE_LENGTH, "0");
}

const OFF_TOKEN_BYTES = 16;

/**
 * Derives the token that switches mails of these kinds off, as base64url: HMAC-SHA256 over the kinds, keyed with the
 * seed.
 */
export function deriveOffToken(seed: string, kinds: string): string {
  const mac = new Bun.CryptoHasher("sha256", seed).update(`handoff/v1/mail-off/${kinds}`).digest();
  return base64urlnopad.encode(mac.subarray(0, OFF_TOKEN_BYTES));
}

/** The inputs for the token of a new link. */
export interface LinkTokenSource {
  readonly kind: LinkTokenKind;
  readonly random: Random;
  /** The credential and the idempotency key of the creating call; the key is undefined when it sent none. */
  readonly credential: string;
  readonly idempotencyKey: string | undefined;
  /** The hash, checked by the schema, of a token that the client made; undefined when it made none. */
  readonly givenHash: string | undefined;
}

/** The token of a new link: its stored hash, and the token for the creator unless they made it. */
export interface LinkToken {
  readonly hash: Uint8Array;
  readonly shown: string | undefined;
}

/**
 * Creates the token for the resource `id`: derived, so that a repeated call gets the same one, or random without an
 * idempotency key.
 */
export function linkToken(source: LinkTokenSource, id: string): LinkToken {
  const { kind, random, credential, idempotencyKey, givenHash } = source;
  if (givenHash !== undefined) return { hash: base64urlnopad.decode(givenHash), shown: undefined };
  const shown =
    idempotencyKey === undefined ? createToken(kind, random) : deriveToken(kind, id, credential, idempotencyKey);
  return { hash: hashToken(shown), shown };
}

/** SHA-256 of a token. Only this is stored. */
export function hashToken(token: string): Uint8Array {
  const hash = new Uint8Array(HASH_BYTES);
  Bun.SHA256.hash(token, hash);
  return hash;
}

/** A random hash, to which nobody has the token. */
export function randomTokenHash(random: Random): Uint8Array {
  return random.bytes(HASH_BYTES);
}

/** SHA-256 over `parts`, each prefixed by its length. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const part of parts) hasher.update(`${part.length}:`).update(part);
  return hasher.digest();
}
