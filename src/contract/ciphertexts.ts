import { CIPHERTEXT_PATTERN } from "./patterns.ts";

const WELL_FORMED = new RegExp(CIPHERTEXT_PATTERN);

/** The size in bytes from which a ciphertext is large: it is handled as bytes, and memory is counted for it. */
export const LARGE_CIPHERTEXT_BYTES = 64 * 1024;

/** The characters that are decoded at a time: a multiple of four, and few enough for the caches of a processor. */
const PIECE_CHARS = 65_536;
const CHARACTERS = new TextDecoder("latin1");
const scratch = new Uint8Array(decodedBytes(PIECE_CHARS));

/** The last characters of the one spelling, by how many there are beyond a multiple of four: two or four of their bits are used. */
const LAST_CHARACTERS = ["", "", "AQgw", "AEIMQUYcgkosw048"] as const;

/** A ciphertext on its way into the database. */
export type IncomingCiphertext = string | LargeCiphertext;

/**
 * A ciphertext as the bytes of its characters. A large one is never a text: bytes change their thread without being copied,
 * and their memory can be given back at once.
 */
export class LargeCiphertext {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True when all of its characters are those of base64url. */
  readonly isBase64url: boolean;

  private constructor(bytes: Uint8Array<ArrayBuffer>, alphabets: number) {
    this.bytes = bytes;
    this.isBase64url = (alphabets & BASE64URL) !== 0;
  }

  /** The ciphertext of these `bytes`, the whole of their memory; undefined when they are no characters of one. */
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

/** The characters of a ciphertext as they go in and out of the database: those of a large one are bytes. */
export type Characters = string | Uint8Array<ArrayBuffer>;

/** The characters of `ciphertext`, as they are. */
export function charactersOf(ciphertext: IncomingCiphertext): Characters {
  return typeof ciphertext === "string" ? ciphertext : ciphertext.bytes;
}

/** The text that `characters` make. */
export function textOf(characters: Characters): string {
  return typeof characters === "string" ? characters : CHARACTERS.decode(characters);
}

/** True when the characters of `ciphertext` match `CIPHERTEXT_PATTERN`. */
export function isCiphertext(ciphertext: IncomingCiphertext): boolean {
  return typeof ciphertext !== "string" || isWellFormed(ciphertext);
}

/** One of ours is base64url, whose decoder refuses every other character and is ten times as fast as the pattern. */
function isWellFormed(text: string): boolean {
  return text !== "" && piecesOf(text).every((piece) => isBase64url(piece) || WELL_FORMED.test(piece));
}

/** The length in bytes of what unpadded base64 of `characters` decodes to. */
export function decodedBytes(characters: number): number {
  return Math.floor((characters * 3) / 4);
}

/**
 * Decodes unpadded base64url piece by piece, so that the whole of it is never there twice. A piece, of 48 KiB but for the
 * last one, is overwritten when the next is asked for. Throws when `ciphertext` is not the one spelling of any bytes.
 */
export function* decodePieces(ciphertext: IncomingCiphertext): Generator<Uint8Array> {
  for (const piece of piecesOf(ciphertext)) {
    const { written } = scratch.setFromBase64(piece, { alphabet: "base64url" });
    // The decoder skips white space and takes padding of the text's own: both make fewer bytes than the length says.
    if (written !== decodedBytes(piece.length) || !endsWithZeros(piece)) throw new SyntaxError("no unpadded base64url");
    yield scratch.subarray(0, written);
  }
}

/**
 * True when the bits of the last character that belong to no byte are zero, so that there is no second spelling. To have the
 * decoder see to it, a text needs padding, and so to be copied.
 */
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
  // Of one character too many the decoder says that it is missing, or skips it as white space.
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

/** The alphabets that all of `bytes` are of, without making a text of them; 0 for none. */
function commonAlphabets(bytes: Uint8Array<ArrayBuffer>): number {
  const ofPairs = (alphabetsOfPairs ??= tabulatePairs());
  const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  let alphabets = alphabetsOf(bytes.at(-1) ?? 0);
  for (let i = 0; i < pairs.length; i++) alphabets &= ofPairs[pairs[i] ?? 0] ?? 0;
  return alphabets;
}

/** The alphabets that two bytes are both of, by the number that they make: half as many steps as by one. */
function tabulatePairs(): Uint8Array {
  const ofOne = Uint8Array.from({ length: 256 }, (_, byte) => alphabetsOf(byte));
  return Uint8Array.from({ length: 65_536 }, (_, pair) => (ofOne[pair & 255] ?? 0) & (ofOne[pair >> 8] ?? 0));
}

function alphabetsOf(byte: number): number {
  const character = String.fromCharCode(byte);
  if (!WELL_FORMED.test(character)) return 0;
  return isBase64url(`A${character}`) ? CIPHERTEXT | BASE64URL : CIPHERTEXT;
}
