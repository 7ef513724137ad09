import { isUtf8 } from "node:buffer";
import { hex } from "@scure/base";
import { decodedBytes, decodePieces } from "../contract/ciphertexts.ts";
import type { IncomingCiphertext, LargeCiphertext } from "../contract/ciphertexts.ts";
import type { CiphertextFormat } from "../contract/states.ts";

const MAX_HEADER_BYTES = 4096;
const MAX_SCRYPT_WORK_FACTOR = 17;
const MAX_UNKNOWN_STANZAS = 3;
const MAX_UNKNOWN_LINE_CHARS = 256;
const MAX_UNKNOWN_BODY_BYTES = 512;
const WRAPPED_FILE_KEY_BYTES = 32;
const MAC_BYTES = 32;
const NONCE_BYTES = 16;
const TAG_BYTES = 16;
const CHUNK_BYTES = 65536 + TAG_BYTES;

const FIRST_LINE = "age-encryption.org/v1\n";
/** The line break and the beginning of the header's last line. No line of a stanza begins so. */
const LAST_LINE = "\n--- ";
const STANZA_LINE = /^-> [!-~]+(?: [!-~]+)*$/;
/** The length of a line of a stanza's body. The last line is shorter, and may be empty. */
const BODY_LINE_CHARS = 64;
/** Canonical unpadded base64: the unused bits of the last character are zero. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048])?$/;

/**
 * The known stanzas except scrypt, with the decoded length of each argument after the type: from C2SP age.md, and the
 * ssh ones as FiloSottile/age writes them.
 */
const ARGUMENT_BYTES: ReadonlyMap<string, readonly number[]> = new Map([
  ["X25519", [32]],
  ["mlkem768x25519", [1120]],
  ["p256tag", [4, 65]],
  ["mlkem768p256tag", [4, 1153]],
  ["ssh-ed25519", [4, 32]],
  ["ssh-rsa", [4]],
]);

/** The u-coordinates below 2^255 for which every X25519 secret is zero: 0, 1, two of order eight, p - 1, p, p + 1. */
const LOW_ORDER_POINTS: ReadonlySet<string> = new Set([
  ...["00", "01"].map((first) => `${first}${"00".repeat(31)}`),
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  ...["ec", "ed", "ee"].map((first) => `${first}${"ff".repeat(30)}7f`),
]);

interface Stanza {
  readonly type: string;
  readonly args: readonly string[];
  /** The length of the decoded body. */
  readonly bytes: number;
}

/**
 * Returns "age" for canonical unpadded base64url of a well-formed binary age v1 file. It needs no key, and proves
 * shape, not secrecy. Never throws.
 */
export function detectCiphertextFormat(ciphertext: IncomingCiphertext): CiphertextFormat {
  try {
    // The alphabet of a large ciphertext is known. If its first piece is enough, only its last character is left to
    // check.
    const isKnown = typeof ciphertext !== "string";
    if (isKnown && !isSpelledOnce(ciphertext)) return "unrecognized";
    const pieces = decodePieces(ciphertext);
    return hasAgeShape(decodedBytes(ciphertext.length), pieces, isKnown) ? "age" : "unrecognized";
  } catch {
    return "unrecognized";
  }
}

/** True for canonical unpadded base64url. */
function isSpelledOnce({ bytes, isBase64url }: LargeCiphertext): boolean {
  const end = Buffer.from(bytes.subarray(bytes.length - (bytes.length % 4))).toString("latin1");
  return isBase64url && decodeUnpadded(end, "base64url") !== undefined;
}

/**
 * True for bytes in the shape of a binary age v1 file. The header has at most 4 KiB and follows the grammar of C2SP
 * age.md: known stanzas as defined there, scrypt alone and with a work factor of at most 17, and at most three unknown
 * stanzas, each with up to 256 characters of type and arguments and up to 512 bytes of body. The payload has a length
 * that STREAM can produce, and isn't valid UTF-8. A wrong MAC, tag or key isn't detected. Never throws.
 */
export function isAgeFile(file: Uint8Array): boolean {
  return hasAgeShape(file.length, [file]);
}

/** As many bytes of an age file as `startsAgeFile` looks at. */
export const AGE_START_BYTES = 65_536;

/**
 * True when a file of `bytes` can be an age file by its first `AGE_START_BYTES`, or all of it: the checks of
 * `isAgeFile`, of which only the one for UTF-8 needs bytes of the payload. Never throws.
 */
export function startsAgeFile(bytes: number, start: Uint8Array): boolean {
  return hasAgeShape(bytes, [start], true);
}

/**
 * `isAgeFile` for `bytes` that come in `pieces`, with the whole header in the first. With `isEnough`, it stops
 * iterating as soon as the answer is known. Throws what `pieces` throws.
 */
function hasAgeShape(bytes: number, pieces: Iterable<Uint8Array>, isEnough = false): boolean {
  let decoder: TextDecoder | undefined;
  let [left, headerBytes, isText] = [bytes, 0, true];
  for (const piece of pieces) {
    if (left === bytes) {
      // Every byte becomes one character, and bytes above 0x7f become characters outside the grammar.
      const begin = Buffer.from(piece.buffer, piece.byteOffset, Math.min(piece.length, MAX_HEADER_BYTES));
      headerBytes = measureHeader(begin.toString("latin1")) ?? 0;
      if (headerBytes === 0 || !isStreamLength(bytes - headerBytes - NONCE_BYTES)) return false;
      // A file in one piece, as most are, needs no decoder.
      if (left === piece.length) return !isUtf8(piece.subarray(headerBytes));
    }
    const payload = left === bytes ? piece.subarray(headerBytes) : piece;
    left -= piece.length;
    decoder ??= new TextDecoder("utf-8", { fatal: true });
    isText &&= decodes(decoder, payload, { stream: left > 0 });
    if (isEnough && !isText) return true;
  }
  return bytes > 0 && !isText;
}

function decodes(decoder: TextDecoder, bytes: Uint8Array, options: { readonly stream: boolean }): boolean {
  try {
    decoder.decode(bytes, options);
    return true;
  } catch {
    return false;
  }
}

/** True for a 32-byte point with which every X25519 exchange gives zero, so that age refuses it. */
export function isLowOrderPoint(point: Uint8Array): boolean {
  const masked = Uint8Array.from(point);
  // X25519 ignores the top bit (RFC 7748, section 5).
  masked[31] = (point[31] ?? 0) & 0x7f;
  return LOW_ORDER_POINTS.has(hex.encode(masked));
}

/** The length of the header at the beginning of the text; undefined unless it is well-formed. */
function measureHeader(text: string): number | undefined {
  const stanzasEnd = text.indexOf(LAST_LINE);
  const end = text.indexOf("\n", stanzasEnd + LAST_LINE.length);
  if (!text.startsWith(FIRST_LINE) || stanzasEnd < 0 || end < 0) return undefined;
  if (!isEncoded(text.slice(stanzasEnd + LAST_LINE.length, end), MAC_BYTES)) return undefined;
  const stanzas = readStanzas(text.slice(FIRST_LINE.length, stanzasEnd).split("\n"));
  return stanzas && areStanzas(stanzas) ? end + 1 : undefined;
}

/** Parses lines as stanzas, one at least; undefined when they aren't. */
function readStanzas(lines: readonly string[]): Stanza[] | undefined {
  const stanzas: Stanza[] = [];
  for (let next = 0; next < lines.length;) {
    const first = lines[next++] ?? "";
    if (!STANZA_LINE.test(first)) return undefined;
    let body = "";
    for (let line; line === undefined || line.length === BODY_LINE_CHARS; body += line) {
      line = lines[next++];
      if (line === undefined || line.length > BODY_LINE_CHARS) return undefined;
    }
    if (!BASE64.test(body)) return undefined;
    const [, type = "", ...args] = first.split(" ");
    stanzas.push({ type, args, bytes: decodedBytes(body.length) });
  }
  return stanzas;
}

function areStanzas(stanzas: readonly Stanza[]): boolean {
  if (stanzas.some(({ type }) => type === "scrypt")) return stanzas.length === 1 && stanzas.every(isScrypt);
  const unknown = stanzas.filter(({ type }) => !ARGUMENT_BYTES.has(type));
  return unknown.length <= MAX_UNKNOWN_STANZAS && stanzas.every(hasItsShape);
}

function isScrypt({ args: [salt, workFactor = "", ...more], bytes }: Stanza): boolean {
  if (more.length > 0 || !isEncoded(salt, 16) || bytes !== WRAPPED_FILE_KEY_BYTES) return false;
  return /^[1-9][0-9]?$/.test(workFactor) && Number(workFactor) <= MAX_SCRYPT_WORK_FACTOR;
}

function hasItsShape({ type, args, bytes }: Stanza): boolean {
  const argumentBytes = ARGUMENT_BYTES.get(type);
  if (argumentBytes === undefined) {
    return [type, ...args].join(" ").length <= MAX_UNKNOWN_LINE_CHARS && bytes <= MAX_UNKNOWN_BODY_BYTES;
  }
  if (args.length !== argumentBytes.length || !argumentBytes.every((length, i) => isEncoded(args[i], length)))
    return false;
  // An RSA block of a key with 2,048 to 8,192 bits.
  if (type === "ssh-rsa") return bytes >= 256 && bytes <= 1024;
  // Types with this ending have an X25519 share at the end of their last argument.
  const share = type.endsWith("25519") ? decodeUnpadded(args.at(-1) ?? "", "base64")?.subarray(-32) : undefined;
  return bytes === WRAPPED_FILE_KEY_BYTES && (share === undefined || !isLowOrderPoint(share));
}

function isEncoded(text: string | undefined, bytes: number): boolean {
  return text !== undefined && BASE64.test(text) && decodedBytes(text.length) === bytes;
}

/** The last chunk may be full, but holds at least one byte unless it is the only one. */
function isStreamLength(bytes: number): boolean {
  const last = bytes % CHUNK_BYTES;
  return bytes === TAG_BYTES || (bytes > TAG_BYTES && (last === 0 || last > TAG_BYTES));
}

/** Decodes canonical unpadded base64; undefined for anything else. */
function decodeUnpadded(text: string, alphabet: "base64" | "base64url"): Uint8Array | undefined {
  try {
    const padding = "=".repeat((4 - (text.length % 4)) % 4);
    const bytes = Uint8Array.fromBase64(text + padding, { alphabet, lastChunkHandling: "strict" });
    // The decoder accepts white space and padding, but then writes fewer bytes than the length says.
    return bytes.length === Math.floor((text.length * 3) / 4) ? bytes : undefined;
  } catch {
    return undefined;
  }
}
