import { CIPHERTEXT_PATTERN } from "./patterns.ts";

const WELL_FORMED = new RegExp(CIPHERTEXT_PATTERN);

/** The characters that are decoded at a time: a multiple of four, and few enough for the caches of a processor. */
const PIECE_CHARS = 65_536;
const scratch = new Uint8Array(decodedBytes(PIECE_CHARS));

/**
 * True when `text` matches `CIPHERTEXT_PATTERN`. A ciphertext of ours is base64url, whose decoder refuses every other
 * character and is ten times as fast as the pattern.
 */
export function isCiphertext(text: string): boolean {
  return text !== "" && piecesOf(text).every((piece) => isBase64url(piece) || WELL_FORMED.test(piece));
}

/** The length in bytes of what unpadded base64 of `characters` decodes to. */
export function decodedBytes(characters: number): number {
  return Math.floor((characters * 3) / 4);
}

/**
 * Decodes unpadded base64url piece by piece, so that the whole of it is never there twice. A piece, of 48 KiB but for the
 * last one, is overwritten when the next is asked for. Throws when `text` is not the one spelling of any bytes.
 */
export function* decodePieces(text: string): Generator<Uint8Array> {
  for (const piece of piecesOf(text)) {
    const extra = piece.length % 4;
    // Adding nothing to a large text would copy it.
    const padded = extra === 0 ? piece : piece + "=".repeat(4 - extra);
    const { written } = scratch.setFromBase64(padded, { alphabet: "base64url", lastChunkHandling: "strict" });
    // The decoder skips white space and takes padding of the text's own: both make fewer bytes than the length says.
    if (written !== decodedBytes(piece.length)) throw new SyntaxError("no unpadded base64url");
    yield scratch.subarray(0, written);
  }
}

function piecesOf(text: string): readonly string[] {
  if (text.length <= PIECE_CHARS) return [text];
  const count = Math.ceil(text.length / PIECE_CHARS);
  return Array.from({ length: count }, (_, index) => text.slice(index * PIECE_CHARS, (index + 1) * PIECE_CHARS));
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
