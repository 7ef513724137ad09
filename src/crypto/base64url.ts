import { base64url } from "@scure/base";

// The library, and not the language's own methods: it uses them where they are, and browsers of 2024 have none.

/** Unpadded base64url (RFC 4648, section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  return withoutPadding(base64url.encode(bytes));
}

/** `text` without the padding that base64 can have at its end: two characters at most. */
export function withoutPadding(text: string): string {
  // Not `/=+$/`: on many of them before another character that takes the square of their number.
  if (text.endsWith("==")) return text.slice(0, -2);
  return text.endsWith("=") ? text.slice(0, -1) : text;
}

/** The bytes of base64url; undefined unless `text` is their one unpadded spelling. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.includes("=")) return undefined;
  try {
    return new Uint8Array(base64url.decode(text + "=".repeat((4 - (text.length % 4)) % 4)));
  } catch {
    return undefined;
  }
}
