/** More than anybody types around a name, and before it is composed. */
const MOST_LOOKED_AT = 1000;

/** `text` as a name is kept, and looked for: composed, trimmed, with single spaces. */
export function toName(text: string): string {
  return text.length > MOST_LOOKED_AT ? text : text.normalize("NFC").trim().replaceAll(/\s+/g, " ");
}
