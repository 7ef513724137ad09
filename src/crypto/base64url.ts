import { base64url } from "@scure/base";

// The library uses the language's own methods where they exist; browsers of 2024 don't have them.

/** Encodes as unpadded base64url (RFC 4648, section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  return withoutPadding(base64url.encode(bytes));
}

/** Removes base64 padding from the end: two characters at most. */
export function withoutPadding(text: string): string {
  // The pattern `/=+$/` would take quadratic time on a long run of them before another character.
  if (text.endsWith("==")) return text.slice(0, -2);
  return text.endsWith("=") ? text.slice(0, -1) : text;
}

/** Decodes base64url; undefined unless `text` is canonical and unpadded. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.includes("=")) return undefined;
  try {
    return new Uint8Array(base64url.decode(text + "=".repeat((4 - (text.length % 4)) % 4)));
  } catch {
    return undefined;
  }
}
