import { decodeText } from "../../crypto/contents.ts";

/** The kind of a file in everyday terms, for its icon. A certificate counts as a key. */
export type FileKind = "image" | "pdf" | "text" | "key" | "archive" | "other";

/** The preview of a file in the page. Other files can only be saved. */
export type FilePreview =
  /** `type` is a raster image type. */
  | { readonly kind: "image"; readonly type: string }
  /** Shown as plain text, whatever markup it contains. */
  | { readonly kind: "text"; readonly text: string };

/** The signature bytes of image formats. */
const IMAGES: readonly (readonly [type: string, isOfType: (bytes: Uint8Array) => boolean])[] = [
  ["image/png", (bytes) => begins(bytes, "\x89PNG\r\n\x1A\n")],
  ["image/jpeg", (bytes) => begins(bytes, "\xFF\xD8\xFF")],
  ["image/gif", (bytes) => begins(bytes, "GIF87a") || begins(bytes, "GIF89a")],
  ["image/webp", (bytes) => begins(bytes, "RIFF") && begins(bytes, "WEBP", 8)],
];
const KEY_NAMES =
  /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)(_sk)?(\.pub)?|[^/]+\.(pem|key|crt|cer|der|csr|p7b|p8|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|age))$/i;
const KEY_STARTS = [
  "-----BEGIN ",
  "AGE-SECRET-KEY-",
  "PuTTY-User-Key-File-",
  "ssh-rsa ",
  "ssh-ed25519 ",
  "ecdsa-sha2-",
];
const ARCHIVE_NAMES = /\.(zip|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|7z|rar|jar)$/i;
const ARCHIVE_STARTS = [
  "PK\x03\x04",
  "PK\x05\x06",
  "\x1F\x8B",
  "BZh",
  "\xFD7zXZ\0",
  "\x28\xB5\x2F\xFD",
  "7z\xBC\xAF\x27\x1C",
  "Rar!\x1A",
];
/** Document formats that are archives internally, but not to their users. */
const DOCUMENT_NAMES = /\.(docx|xlsx|pptx|odt|ods|odp|epub|pages|numbers|key|apk)$/i;
const TAR_MARK_OFFSET = 257;

/** The bytes that are checked to recognize text. */
const SAMPLE_BYTES = 4096;
/** More than people read in a page, and than a phone shows of a picture. */
const MAX_TEXT_BYTES = 200_000;
const MAX_IMAGE_BYTES = 25_000_000;

/** Returns the kind of a file. Its content decides; its name only when the content is inconclusive. */
export function kindOfFile(name: string, bytes: Uint8Array): FileKind {
  if (imageTypeOf(bytes) !== undefined) return "image";
  if (begins(bytes, "%PDF-")) return "pdf";
  if (KEY_STARTS.some((start) => begins(bytes, start))) return "key";
  const isArchive = ARCHIVE_STARTS.some((start) => begins(bytes, start)) || begins(bytes, "ustar", TAR_MARK_OFFSET);
  if (isArchive) return DOCUMENT_NAMES.test(name) ? "other" : "archive";
  if (KEY_NAMES.test(name)) return "key";
  if (bytes.length > 0 && ARCHIVE_NAMES.test(name)) return "archive";
  return isText(bytes) ? "text" : "other";
}

/**
 * Returns the preview that the page can offer; undefined when there is none. An image is recognized by its bytes alone.
 * SVG and HTML are shown as text, because they can run code or load files. A PDF has no preview: browsers run its
 * scripts, links and forms in any frame, whatever the page's policy says.
 */
export function previewOf(bytes: Uint8Array): FilePreview | undefined {
  const type = imageTypeOf(bytes);
  if (type !== undefined) return bytes.length <= MAX_IMAGE_BYTES ? { kind: "image", type } : undefined;
  if (begins(bytes, "%PDF-")) return undefined;
  if (bytes.length === 0 || bytes.length > MAX_TEXT_BYTES || !isText(bytes)) return undefined;
  const text = decodeText(bytes);
  return text === undefined || hasControls(text) ? undefined : { kind: "text", text };
}

function imageTypeOf(bytes: Uint8Array): string | undefined {
  return IMAGES.find(([, isOfType]) => isOfType(bytes))?.[0];
}

/** True when the bytes start with readable UTF-8. */
function isText(bytes: Uint8Array): boolean {
  try {
    // The sample may end inside a character, which is not an error.
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return !hasControls(decoder.decode(bytes.subarray(0, SAMPLE_BYTES), { stream: bytes.length > SAMPLE_BYTES }));
  } catch {
    return false;
  }
}

/** True when the text has control characters other than separators and terminal colors. */
function hasControls(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  return /[\0-\x08\x0B\x0E-\x1A\x1C-\x1F\x7F]/.test(text);
}

/** True when the bytes at `offset` equal `start`, one byte per character. */
function begins(bytes: Uint8Array, start: string, offset = 0): boolean {
  if (bytes.length < offset + start.length) return false;
  return Array.from(start).every((character, index) => bytes[offset + index] === character.charCodeAt(0));
}
