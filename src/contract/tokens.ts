/** The shape of a token, contract section 3: a prefix, 32 base62 characters, 6 base62 characters of CRC-32. */

export const TOKEN_PREFIXES = { apiKey: "hak_", claim: "hct_", submit: "hst_", person: "hut_" } as const;
export type TokenKind = keyof typeof TOKEN_PREFIXES;
/** A token that is in a link, and opens the one thing that the link is about. */
export type LinkTokenKind = "claim" | "submit";
const TOKEN_KINDS = Object.keys(TOKEN_PREFIXES) as TokenKind[];

export const TOKEN_ENTROPY_BYTES = 24;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Two digits are taken at a time, so that all numbers on the way are integers of 32 bits, which are quick to divide. */
const TWO_DIGITS = 62 ** 2;
const PREFIXES = Object.values(TOKEN_PREFIXES).join("|");
const TOKEN_PATTERN = new RegExp(`^(?:${PREFIXES})[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`);
/** A token, or so much of one that it gives something away. */
const TOKEN_IN_TEXT = new RegExp(String.raw`\b(?:${PREFIXES})[0-9A-Za-z]{8,}`, "g");

/**
 * Writes 24 bytes as a token: the bytes as a big-endian integer modulo 62^32 (24 bytes do not quite fit into 32
 * base62 digits), left-padded with `0` to 32 digits, then the checksum. Throws RangeError for any other length.
 */
export function encodeToken(kind: TokenKind, entropy: Uint8Array): string {
  if (entropy.length !== TOKEN_ENTROPY_BYTES) throw new RangeError("a token is written from 24 bytes");
  const limbs = new Uint16Array(TOKEN_ENTROPY_BYTES / 2);
  for (let i = 0; i < limbs.length; i++) limbs[i] = ((entropy[2 * i] ?? 0) << 8) | (entropy[2 * i + 1] ?? 0);
  const unsigned = TOKEN_PREFIXES[kind] + base62(limbs, BODY_LENGTH);
  return unsigned + checksum(unsigned);
}

/** The kind of `token`, or undefined when it has not the shape of one or its checksum is wrong. Needs no database. */
export function parseTokenKind(token: string): TokenKind | undefined {
  if (!TOKEN_PATTERN.test(token)) return undefined;
  const unsigned = token.slice(0, -CHECKSUM_LENGTH);
  if (checksum(unsigned) !== token.slice(-CHECKSUM_LENGTH)) return undefined;
  return TOKEN_KINDS.find((kind) => token.startsWith(TOKEN_PREFIXES[kind]));
}

/** `text` with `mask` in the place of whatever looks like a token in it, whole, mistyped or cut off. */
export function hideTokens(text: string, mask: string): string {
  return text.replace(TOKEN_IN_TEXT, mask);
}

/** True when `value` looks like a token, its checksum right or not: what a leaked-token scanner would match. */
export function isTokenShaped(value: string): boolean {
  return TOKEN_PATTERN.test(value);
}

/** The part of a token that may be shown after its creation: its prefix and its last four characters. */
export function tokenHint(token: string): string {
  return `${token.slice(0, 4)}…${token.slice(-4)}`;
}

// The lowest `length` digits, an even number of them, of the number that these limbs are, highest first. Uses the limbs
// up. Every creation writes a token, and with BigInt that alone would cost it a tenth of its time.
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

// CRC-32 of ISO 3309, over ASCII. In our own code because this room runs in the page too, where Bun.hash is not.
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) crc = (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
