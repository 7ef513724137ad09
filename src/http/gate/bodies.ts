import { LargeCiphertext } from "../../contract/ciphertexts.ts";
import type { Operation } from "../../contract/operations.ts";
import { Refusal } from "../../domain/values/errors.ts";
import type { BodyOptions } from "../options.ts";
import { BODY_PACE, giveBack, readBody } from "./body-streams.ts";
import { visitOf } from "./visits.ts";

/** The bytes that a JSON document may have beyond the ciphertext: braces, names, white space, escapes. */
const FRAME_BYTES = 4096;
const MAX_DEPTH = 16;
/** Bodies from this size on have their ciphertext cut out before they are decoded. */
const LARGE_BYTES = 64 * 1024;
const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const JSON_MEDIA_TYPE = /^application\/json *(; *charset *= *"?utf-8"? *)?$/i;

/** The largest body that can hold a ciphertext of `maxCiphertextBytes`. */
export function maxBodyBytes(maxCiphertextBytes: number): number {
  return maxCiphertextBytes + FRAME_BYTES;
}

/**
 * Checks the headers of a body that has not been read. Throws a Refusal: `unsupported_media_type`, `payload_too_large`,
 * or `schema_mismatch` where `operation` takes no body.
 */
export function checkBodyHeaders(headers: Headers, operation: Pick<Operation, "takesBody">, maxBytes: number): void {
  const length = headers.get("content-length");
  if (!operation.takesBody) {
    if ((length ?? "0") === "0" && !headers.has("transfer-encoding")) return;
    throw new Refusal("schema_mismatch", { detail: "This operation takes no body." });
  }
  if ((headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity") {
    throw new Refusal("unsupported_media_type");
  }
  if (!JSON_MEDIA_TYPE.test(headers.get("content-type") ?? "")) throw new Refusal("unsupported_media_type");
  if (Number(length ?? 0) > maxBytes) throw new Refusal("payload_too_large");
}

/** The declared length of a body in bytes; 0 when there is none. */
export function declaredBytes(headers: Headers): number {
  return Number(headers.get("content-length") ?? 0);
}

/**
 * Reads a body of at most `maxBytes`, for which the gate has found room, as one strict JSON document: UTF-8 without a
 * byte order mark or lone surrogates, no duplicate members, no deep nesting. Throws a Refusal: those of `readBody`, or
 * `malformed_json`, also for a body whose caller has disconnected.
 */
export async function readJson(
  request: Request,
  maxBytes: number,
  { bodyPace: pace = BODY_PACE }: BodyOptions,
): Promise<unknown> {
  const { bodyRoom } = visitOf(request);
  if (!bodyRoom) throw new Error("a body came past the gate");
  const body = await readBody(request, { maxBytes, pace, grow: (bytes) => bodyRoom.grow(bytes) }).catch(rejectBody);
  const value = parseStrictJson(body);
  if (body.length > LARGE_BYTES) giveBack(body);
  return value;
}

function rejectBody(error: unknown): never {
  throw error instanceof Refusal ? error : new Refusal("malformed_json", { cause: error });
}

/** See `readJson`. Throws a Refusal `malformed_json`. */
export function parseStrictJson(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    const cut = cutCiphertext(bytes);
    const text = cut?.frame ?? STRICT_UTF8.decode(bytes);
    const members = countMembers(text);
    const value: unknown = JSON.parse(text, cut?.putBack);
    // JSON.parse keeps the last of two members of the same name; counting tells that there were two.
    if (members !== countParsedMembers(value)) throw new Refusal("malformed_json");
    if (!cut && text.includes("\\u") && !isWellFormed(value)) throw new Refusal("malformed_json");
    return value;
  } catch {
    // Not a cause of the refusal, because its message quotes the input.
    throw new Refusal("malformed_json");
  }
}

/** The stand-in for a ciphertext that was cut out: it can only be spelled with a backslash. */
const CUT = "\0";
const CUT_JSON = String.raw`"\u0000"`;

/**
 * Cuts a large ciphertext out of a JSON document as bytes, which makes one copy of it; decoding and parsing would make
 * more. No character of a ciphertext is escaped in JSON. Returns the rest, and a reviver for `JSON.parse` that puts the
 * ciphertext back; undefined when there is no large one, or when the document has backslashes. Throws TypeError when
 * the rest is not UTF-8.
 */
function cutCiphertext(
  bytes: Uint8Array<ArrayBuffer>,
): { readonly frame: string; readonly putBack: (name: string, value: unknown) => unknown } | undefined {
  if (bytes.length < LARGE_BYTES) return undefined;
  const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (document.includes("\\")) return undefined;
  // Without backslashes every quote begins a string or ends one.
  for (let start = document.indexOf('"'); start >= 0 && start <= FRAME_BYTES;) {
    const end = document.indexOf('"', start + 1);
    if (end - start > LARGE_BYTES / 2) {
      const ciphertext = LargeCiphertext.from(new Uint8Array(bytes.subarray(start + 1, end)));
      if (!ciphertext) return undefined;
      const [before, after] = [document.subarray(0, start), document.subarray(end + 1)];
      const frame = STRICT_UTF8.decode(before) + CUT_JSON + STRICT_UTF8.decode(after);
      return { frame, putBack: (_name, value) => (value === CUT ? ciphertext : value) };
    }
    start = end < 0 ? end : document.indexOf('"', end + 1);
  }
  return undefined;
}

/**
 * Counts the colons outside strings: one for each member. Throws a Refusal when the nesting is too deep, or when there
 * is more outside strings than the contract allows, so that a large body of members alone is not parsed.
 */
function countMembers(text: string): number {
  let members = 0;
  let depth = 0;
  let outside = 0;
  for (let i = 0; i < text.length; i++) {
    if (++outside > FRAME_BYTES) throw new Refusal("malformed_json");
    switch (text[i]) {
      case '"':
        i = endOfString(text, i);
        break;
      case ":":
        members++;
        break;
      case "{":
      case "[":
        if (++depth > MAX_DEPTH) throw new Refusal("malformed_json");
        break;
      case "}":
      case "]":
        depth--;
        break;
      default:
    }
  }
  return members;
}

/** The index of the quote that closes the string which begins at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}

function countParsedMembers(value: unknown): number {
  if (typeof value !== "object" || value === null || value instanceof LargeCiphertext) return 0;
  const children: unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : children.length;
  return children.reduce((sum: number, child) => sum + countParsedMembers(child), own);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, child]) => name.isWellFormed() && isWellFormed(child));
}
