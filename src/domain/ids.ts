import { base32hexnopad } from "@scure/base";
import { ID_PREFIXES } from "../contract/ids.ts";
import type { IdKind } from "../contract/ids.ts";
import type { Clock, Ids, Random } from "./ports/sources.ts";

const RANDOM_BYTES = 10;

/**
 * Makes ids: a prefix, then 26 characters of base32hex over 48 bits of milliseconds and 80 random bits. Ids of one
 * generator strictly ascend, also within a millisecond, so that the order of events is the order of their ids.
 */
export function createIds(clock: Clock, random: Random): Ids {
  let lastTime = -1;
  let lastRandom = 0n;
  return {
    next(kind: IdKind): string {
      const now = clock.now();
      if (now > lastTime) {
        lastTime = now;
        // The top bit stays free, so that counting up within the millisecond cannot overflow.
        lastRandom = toBigInt(random.bytes(RANDOM_BYTES)) >> 1n;
      } else {
        lastRandom += 1n + (toBigInt(random.bytes(4)) >> 1n);
      }
      return ID_PREFIXES[kind] + base32hexnopad.encode(toBytes(lastTime, lastRandom)).toLowerCase();
    },
  };
}

/** The lowest id of `kind` that can have been made at `epochMs`: every one made earlier sorts before it. */
export function firstIdAt(kind: IdKind, epochMs: number): string {
  return ID_PREFIXES[kind] + base32hexnopad.encode(toBytes(epochMs, 0n)).toLowerCase();
}

function toBigInt(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

function toBytes(time: number, random: bigint): Uint8Array {
  const bytes = new Uint8Array(6 + RANDOM_BYTES);
  let rest = (BigInt(time) << 80n) | random;
  for (let i = bytes.length - 1; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  return bytes;
}
