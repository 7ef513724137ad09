import { CIPHERTEXT_PATTERN } from "./patterns.ts";

const WELL_FORMED = new RegExp(CIPHERTEXT_PATTERN);

/** The size in bytes from which a ciphertext is large. A large one is handled as bytes, and its memory is counted. */
export const LARGE_CIPHERTEXT_BYTES = 64 * 1024;

/** The number of characters decoded at a time: a multiple of four that fits into processor caches. */
const PIECE_CHARS = 65_536;
const CHARACTERS = new TextDecoder("latin1");
const scratch = new Uint8Array(decodedBytes(PIECE_CHARS));

/** The last characters of canonical base64url, by the length modulo four: only two or four of their bits are used. */
const LAST_CHARACTERS = ["", "", "AQgw", "AEIMQUYcgkosw048"] as const;

/** A ciphertext on its way into the database. */
export type IncomingCiphertext = string | LargeCiphertext;

/**
 * A ciphertext as the bytes of its characters. Bytes move between threads without being copied, and their memory can be
 * released at once, so a large ciphertext is never a string.
 */
export class LargeCiphertext {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True when it has only characters of base64url. */
  readonly isBase64url: boolean;

  private constructor(bytes: Uint8Array<ArrayBuffer>, alphabets: number) {
    this.bytes = bytes;
    this.isBase64url = (alphabets & BASE64URL) !== 0;
  }

  /** Wraps `bytes`, which must fill their buffer. Undefined when some of them are not characters of a ciphertext. */
  static from(bytes: Uint8Array<ArrayBuffer>): LargeCiphertext | undefined {
    const alphabets = commonAlphabets(bytes);
    return alphabets === 0 ? undefined : new LargeCiphertext(bytes, alphabets);
  }

  get length(): number {
    return this.bytes.length;
  }

  toString(): string {
    return textOf(this.bytes);
  }
}

/** The characters of a ciphertext as the database takes and returns them; bytes for a large one. */
export type Characters = string | Uint8Array<ArrayBuffer>;

/** Returns the characters of `ciphertext` without a conversion. */
export function charactersOf(ciphertext: IncomingCiphertext): Characters {
  return typeof ciphertext === "string" ? ciphertext : ciphertext.bytes;
}

/** Returns `characters` as a string. */
export function textOf(characters: Characters): string {
  return typeof characters === "string" ? characters : CHARACTERS.decode(characters);
}

/** True when the characters of `ciphertext` match `CIPHERTEXT_PATTERN`. */
export function isCiphertext(ciphertext: IncomingCiphertext): boolean {
  return typeof ciphertext !== "string" || isWellFormed(ciphertext);
}

/** handoff's clients write base64url. Its decoder rejects every other character ten times as fast as the pattern. */
function isWellFormed(text: string): boolean {
  return text !== "" && piecesOf(text).every((piece) => isBase64url(piece) || WELL_FORMED.test(piece));
}

/** The number of bytes that `characters` of unpadded base64 decode to. */
export function decodedBytes(characters: number): number {
  return Math.floor((characters * 3) / 4);
}

/**
 * Decodes unpadded base64url piece by piece, so that memory never holds it twice. Pieces have 48 KiB, the last one
 * less. A piece is overwritten when the next is requested. Throws when `ciphertext` is not canonical.
 */
export function* decodePieces(ciphertext: IncomingCiphertext): Generator<Uint8Array> {
  for (const piece of piecesOf(ciphertext)) {
    const { written } = scratch.setFromBase64(piece, { alphabet: "base64url" });
    // The decoder accepts white space and padding, but then writes fewer bytes than the length says.
    if (written !== decodedBytes(piece.length) || !endsWithZeros(piece)) throw new SyntaxError("no unpadded base64url");
    yield scratch.subarray(0, written);
  }
}

/** True when the unused bits of the last character are zero, which the decoder checks only in padded text. */
function endsWithZeros(piece: string): boolean {
  const extra = piece.length % 4;
  return extra === 0 || LAST_CHARACTERS[extra]?.includes(piece.at(-1) ?? " ") === true;
}

function* piecesOf(ciphertext: IncomingCiphertext): Generator<string> {
  for (let start = 0; start < ciphertext.length; start += PIECE_CHARS) {
    const end = start + PIECE_CHARS;
    if (typeof ciphertext === "string") yield ciphertext.slice(start, end);
    else yield CHARACTERS.decode(ciphertext.bytes.subarray(start, end));
  }
}

function isBase64url(piece: string): boolean {
  // The decoder would misreport a single surplus character, or skip it as white space.
  if (piece.length % 4 === 1) return false;
  try {
    return scratch.setFromBase64(piece, { alphabet: "base64url" }).written === decodedBytes(piece.length);
  } catch {
    return false;
  }
}

const CIPHERTEXT = 1;
const BASE64URL = 2;

let alphabetsOfPairs: Uint8Array | undefined;

/** The alphabets that contain all of `bytes`, as bits; 0 for none. Makes no string. */
function commonAlphabets(bytes: Uint8Array<ArrayBuffer>): number {
  const ofPairs = (alphabetsOfPairs ??= tabulatePairs());
  const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  let alphabets = alphabetsOf(bytes.at(-1) ?? 0);
  for (let i = 0; i < pairs.length; i++) alphabets &= ofPairs[pairs[i] ?? 0] ?? 0;
  return alphabets;
}

/** The alphabets that contain both bytes of a pair, by the pair's 16-bit value. Pairs halve the number of steps. */
function tabulatePairs(): Uint8Array {
  const ofOne = Uint8Array.from({ length: 256 }, (_, byte) => alphabetsOf(byte));
  return Uint8Array.from({ length: 65_536 }, (_, pair) => (ofOne[pair & 255] ?? 0) & (ofOne[pair >> 8] ?? 0));
}

function alphabetsOf(byte: number): number {
  const character = String.fromCharCode(byte);
  if (!WELL_FORMED.test(character)) return 0;
  return isBase64url(`A${character}`) ? CIPHERTEXT | BASE64URL : CIPHERTEXT;
}
