/** What `Uint8Array` has in browsers of 2025 and in Bun (ECMAScript, "Uint8Array to/from base64"). */
interface Native {
  readonly fromBase64?: (
    text: string,
    options: { alphabet: string; lastChunkHandling: string },
  ) => Uint8Array<ArrayBuffer>;
}
interface NativeBytes {
  readonly toBase64?: (options: { alphabet: string; omitPadding: boolean }) => string;
}

const ALPHABET = "base64url";
const CHARACTERS = /^[\w-]*$/;
/** Bytes that become text at a time: functions take only so many arguments. */
const STEP = 0x8000;

/** Encodes as unpadded base64url (RFC 4648, section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  const native = (bytes as NativeBytes).toBase64;
  if (native) return native.call(bytes, { alphabet: ALPHABET, omitPadding: true });
  let text = "";
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return withoutPadding(btoa(text).replaceAll("+", "-").replaceAll("/", "_"));
}

/** Removes base64 padding from the end: two characters at most. */
export function withoutPadding(text: string): string {
  // The pattern `/=+$/` would take quadratic time on a long run of them before another character.
  if (text.endsWith("==")) return text.slice(0, -2);
  return text.endsWith("=") ? text.slice(0, -1) : text;
}

/** Decodes base64url; undefined unless `text` is canonical and unpadded. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  // Decoders pass over white space.
  if (!CHARACTERS.test(text)) return undefined;
  const padded = text + "=".repeat((4 - (text.length % 4)) % 4);
  try {
    const native = (Uint8Array as Native).fromBase64;
    if (native) return native(padded, { alphabet: ALPHABET, lastChunkHandling: "strict" });
    const decoded = atob(padded.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = new Uint8Array(decoded.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = decoded.charCodeAt(at);
    // The last character may have bits that belong to no byte.
    const rest = bytes.length % 3;
    return rest === 0 || text.endsWith(encodeBase64url(bytes.subarray(-rest))) ? bytes : undefined;
  } catch {
    return undefined;
  }
}
