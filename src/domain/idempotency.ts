import { IDEMPOTENCY_SECONDS } from "../contract/limits.ts";
import type { Caller } from "./callers.ts";
import { Refusal } from "./errors.ts";
import type { IdempotentCall } from "./ports/calls.ts";
import { hashToken, sha256 } from "./tokens.ts";

/** A POST as the caller sent it, as far as a repetition of it must be recognised. */
export interface RepeatableCall {
  /** The value of `Idempotency-Key`; undefined when the caller sent none. */
  readonly idempotencyKey: string | undefined;
  /** The concrete path. */
  readonly path: string;
}

const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/** `key` if it is 1 to 255 visible ASCII characters, undefined if absent. Throws a Refusal `invalid_header`. */
export function parseIdempotencyKey(key: string | null): string | undefined {
  if (key === null) return undefined;
  if (!KEY_PATTERN.test(key)) throw new Refusal("invalid_header");
  return key;
}

/**
 * The record by which a call of `caller` is remembered: hashes, so that neither key nor content can be read from the
 * database. `content` says all that must be the same for a repetition. Undefined when there is no idempotency key.
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
/** The same as the first servers wrote it, whose calls are remembered for a day after an upgrade. */
const FIRST_EMPTY = hashToken("content");

/** The time at which a call that is made at `now` is forgotten, in epoch milliseconds as `now` is. */
export function forgottenAt(now: number): number {
  return now + IDEMPOTENCY_SECONDS * 1000;
}

/** A call that was made before. */
export interface RememberedCall {
  readonly fingerprint: Uint8Array;
  readonly expiresAt: number;
}

/**
 * The relation of `call` at `now` to `known`, the call that was made with the same key: a repetition of it, another one
 * ("conflict"), or undefined when `known` is forgotten, whether or not anybody has come by to erase it.
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
