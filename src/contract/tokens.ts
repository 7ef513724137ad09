/** The shape of a token, contract section 3: a prefix, 32 base62 characters, 6 base62 characters of CRC-32. */

export const TOKEN_PREFIXES = {
  apiKey: "hak_",
  claim: "hct_",
  submit: "hst_",
  person: "hut_",
  proof: "hpt_",
  approval: "hat_",
} as const;
export type TokenKind = keyof typeof TOKEN_PREFIXES;
/** The token in a link, which gives access to the resource of that link alone. */
export type LinkTokenKind = "claim" | "submit";
const TOKEN_KINDS = Object.keys(TOKEN_PREFIXES) as TokenKind[];

export const TOKEN_ENTROPY_BYTES = 24;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Two digits at a time keep all intermediate numbers within 32 bits, which divide fast. */
const TWO_DIGITS = 62 ** 2;
const PREFIXES = Object.values(TOKEN_PREFIXES).join("|");
const TOKEN_PATTERN = new RegExp(`^(?:${PREFIXES})[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`);
/** A token, or a long enough part of one to leak something. */
const TOKEN_IN_TEXT = new RegExp(String.raw`\b(?:${PREFIXES})[0-9A-Za-z]{8,}`, "g");

/**
 * Encodes 24 bytes as a token: a big-endian integer modulo 62^32 (24 bytes don't quite fit into 32 base62 digits),
 * padded with `0` to 32 digits, and the checksum. Throws RangeError for any other length.
 */
export function encodeToken(kind: TokenKind, entropy: Uint8Array): string {
  if (entropy.length !== TOKEN_ENTROPY_BYTES) throw new RangeError("a token is written from 24 bytes");
  const limbs = new Uint16Array(TOKEN_ENTROPY_BYTES / 2);
  for (let i = 0; i < limbs.length; i++) limbs[i] = ((entropy[2 * i] ?? 0) << 8) | (entropy[2 * i + 1] ?? 0);
  const unsigned = TOKEN_PREFIXES[kind] + base62(limbs, BODY_LENGTH);
  return unsigned + checksum(unsigned);
}

/** The kind of `token`. Undefined when it isn't shaped like one or its checksum is wrong. Needs no database. */
export function parseTokenKind(token: string): TokenKind | undefined {
  if (!TOKEN_PATTERN.test(token)) return undefined;
  const unsigned = token.slice(0, -CHECKSUM_LENGTH);
  if (checksum(unsigned) !== token.slice(-CHECKSUM_LENGTH)) return undefined;
  return TOKEN_KINDS.find((kind) => token.startsWith(TOKEN_PREFIXES[kind]));
}

/** Replaces everything in `text` that looks like a token, whole, mistyped or cut off, by `mask`. */
export function hideTokens(text: string, mask: string): string {
  return text.replace(TOKEN_IN_TEXT, mask);
}

/** True when `value` is shaped like a token, whatever its checksum: what a leaked-token scanner matches. */
export function isTokenShaped(value: string): boolean {
  return TOKEN_PATTERN.test(value);
}

/** The part of a token that may be shown later: its prefix and its last four characters. */
export function tokenHint(token: string): string {
  return `${token.slice(0, 4)}…${token.slice(-4)}`;
}

// Returns the lowest `length` (even) base62 digits of a number, given as limbs, highest first. Overwrites the limbs.
// With BigInt, encoding the token would take a tenth of a creation's time.
function base62(limbs: Uint16Array, length: number): string {
  let digits = "";
  let first = 0;
  while (digits.length < length) {
    while (limbs[first] === 0) first++;
    let remainder = 0;
    for (let i = first; i < limbs.length; i++) {
      const dividend = (remainder << 16) | (limbs[i] ?? 0);
      remainder = dividend % TWO_DIGITS;
      limbs[i] = (dividend - remainder) / TWO_DIGITS;
    }
    const low = remainder % 62;
    digits = ALPHABET.charAt((remainder - low) / 62) + ALPHABET.charAt(low) + digits;
  }
  return digits;
}

function checksum(text: string): string {
  const crc = crc32(text);
  return base62(Uint16Array.of(crc >>> 16, crc & 0xffff), CHECKSUM_LENGTH);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

// CRC-32 (ISO 3309) over ASCII. Written here because the page runs it too, and browsers have no Bun.hash.
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) crc = (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
