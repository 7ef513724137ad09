import { IDEMPOTENCY_SECONDS } from "../contract/limits.ts";
import type { Caller } from "./callers.ts";
import type { IdempotentCall } from "./ports/calls.ts";
import { Refusal } from "./values/errors.ts";
import { hashToken, sha256 } from "./values/tokens.ts";

/** The parts of a POST by which its repetition is recognized. */
export interface RepeatableCall {
  /** The value of `Idempotency-Key`; undefined when the caller sent none. */
  readonly idempotencyKey: string | undefined;
  /** The concrete path. */
  readonly path: string;
}

const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns `key` if it is 1 to 255 visible ASCII characters, undefined if it is absent. Throws a Refusal
 * `invalid_header`.
 */
export function parseIdempotencyKey(key: string | null): string | undefined {
  if (key === null) return undefined;
  if (!KEY_PATTERN.test(key)) throw new Refusal("invalid_header");
  return key;
}

/**
 * Returns the record of a call of `caller`; undefined without an idempotency key. It has only hashes, so that neither
 * key nor content can be read from the database. `content` is everything that must be the same in a repetition.
 */
export function idempotentCall(
  caller: Caller,
  { idempotencyKey, path }: RepeatableCall,
  content: () => readonly (string | Uint8Array)[],
): IdempotentCall | undefined {
  if (idempotencyKey === undefined) return undefined;
  return {
    digest: sha256(caller.credentialId, path, idempotencyKey),
    fingerprint: sha256("content", ...content()),
  };
}

/** The fingerprint of a call without content, such as a claim. */
const EMPTY = sha256("content");
/** The fingerprint by the first servers, whose calls are remembered for a day after an upgrade. */
const FIRST_EMPTY = hashToken("content");

/** The time at which a call made at `now` is forgotten. Both are epoch milliseconds. */
export function forgottenAt(now: number): number {
  return now + IDEMPOTENCY_SECONDS * 1000;
}

/** A call on record. */
export interface RememberedCall {
  readonly fingerprint: Uint8Array;
  readonly expiresAt: number;
}

/**
 * Compares `call` at `now` with `known`, an earlier call with the same key: a repetition, or another call ("conflict").
 * Undefined when `known` is past its time, even if it isn't erased yet.
 */
export function relationTo(
  known: RememberedCall,
  call: IdempotentCall,
  now: number,
): "repeat" | "conflict" | undefined {
  if (known.expiresAt <= now) return undefined;
  const fingerprint = Buffer.compare(known.fingerprint, FIRST_EMPTY) === 0 ? EMPTY : known.fingerprint;
  return Buffer.compare(fingerprint, call.fingerprint) === 0 ? "repeat" : "conflict";
}
