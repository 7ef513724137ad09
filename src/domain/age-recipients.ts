import { bech32 } from "@scure/base";
import { isLowOrderPoint } from "./age-files.ts";

/** The kinds of recipients of requests: X25519, or X25519 with ML-KEM-768. */
export type RecipientKind = "x25519" | "hybrid";

const X25519 = /^age1[02-9ac-hj-np-z]{58}$/;
const HYBRID = /^age1pq1[02-9ac-hj-np-z]{1952}$/;

const X25519_BYTES = 32;
const HYBRID_BYTES = 1216;
const MLKEM768_COEFFICIENT_BYTES = 1152;
const MLKEM_MODULUS = 3329;

/**
 * The kind of an age recipient; undefined for an invalid one. Only the lowercase spelling is valid. Points of low order
 * (RFC 7748) and ML-KEM keys out of range (FIPS 203, section 7.2) are not. It can't tell if anyone holds the identity.
 * Never throws.
 */
export function parseRecipientKind(recipient: string): RecipientKind | undefined {
  if (X25519.test(recipient)) {
    const point = decodeBytes(recipient, "age", X25519_BYTES);
    return point !== undefined && !isLowOrderPoint(point) ? "x25519" : undefined;
  }
  if (HYBRID.test(recipient)) {
    const key = decodeBytes(recipient, "age1pq", HYBRID_BYTES);
    return key !== undefined && isHybridKey(key) ? "hybrid" : undefined;
  }
  return undefined;
}

function decodeBytes(text: string, prefix: string, length: number): Uint8Array | undefined {
  // bech32 has a limit of 90 characters; age has none.
  const decoded = bech32.decodeUnsafe(text, false);
  if (!decoded || decoded.prefix !== prefix) return undefined;
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  return bytes && bytes.length === length ? bytes : undefined;
}

function isHybridKey(key: Uint8Array): boolean {
  return hasReducedCoefficients(key.subarray(0, MLKEM768_COEFFICIENT_BYTES)) && !isLowOrderPoint(key.subarray(-32));
}

/**
 * Three bytes hold two coefficients of twelve bits, which must be below the modulus. Not every age checks that:
 * @noble/post-quantum 0.5.4 encrypts to such a key, Go's crypto/mlkem refuses it.
 */
function hasReducedCoefficients(packed: Uint8Array): boolean {
  for (let i = 0; i < packed.length; i += 3) {
    const [low = 0, middle = 0, high = 0] = packed.subarray(i, i + 3);
    if ((low | ((middle & 0x0f) << 8)) >= MLKEM_MODULUS) return false;
    if (((middle >> 4) | (high << 4)) >= MLKEM_MODULUS) return false;
  }
  return true;
}
