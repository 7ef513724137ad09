/** Unpadded base64url (RFC 4648, section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Undefined unless `text` is the one unpadded spelling of some bytes. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  try {
    const padding = "=".repeat((4 - (text.length % 4)) % 4);
    return Uint8Array.fromBase64(text + padding, { alphabet: "base64url", lastChunkHandling: "strict" });
  } catch {
    return undefined;
  }
}
