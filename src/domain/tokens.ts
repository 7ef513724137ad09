import { base64urlnopad } from "@scure/base";
import { encodeToken, TOKEN_ENTROPY_BYTES } from "../contract/tokens.ts";
import type { TokenKind } from "../contract/tokens.ts";
import type { Random } from "./ports.ts";

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

/**
 * Returns what makes the token of a new thing: none when the client keeps its own (`given` is its hash), the same again
 * for a repetition of the call, a new one otherwise.
 */
export function linkTokens(
  kind: "claim" | "submit",
  random: Random,
  call: {
    readonly credential: string;
    readonly idempotencyKey: string | undefined;
    readonly given: string | undefined;
  },
): (id: string) => string | undefined {
  const { credential, idempotencyKey, given } = call;
  if (given !== undefined) return () => undefined;
  if (idempotencyKey === undefined) return () => createToken(kind, random);
  return (id) => deriveToken(kind, id, credential, idempotencyKey);
}

/** SHA-256 of a token: all that is kept of it. */
export function hashToken(token: string): Uint8Array {
  return sha256(token);
}

/** A hash that belongs to no token. */
export function randomTokenHash(random: Random): Uint8Array {
  return random.bytes(HASH_BYTES);
}

/** Reads a `claim_token_hash` that the schema has let through. */
export function decodeTokenHash(hash: string): Uint8Array {
  return base64urlnopad.decode(hash);
}

/** SHA-256 over `parts`, each with its length before it. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256");
  if (parts.length === 1 && parts[0] !== undefined) return hasher.update(parts[0]).digest();
  for (const part of parts) hasher.update(`${part.length}:`).update(part);
  return hasher.digest();
}
