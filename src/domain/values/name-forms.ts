/** A generous limit before trimming and composing. */
const MOST_LOOKED_AT = 1000;

/** Returns a name as it is stored and looked up: composed, trimmed, with single spaces. */
export function toName(text: string): string {
  return text.length > MOST_LOOKED_AT ? text : text.normalize("NFC").trim().replaceAll(/\s+/g, " ");
}
