/** Invisible characters, and those that change the order of the text around them. */
const UNPRINTABLE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Returns `text` with a replacement character for each control character, except line breaks and tabs, and for each
 * character that overrides the direction of writing.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => (character === "\n" || character === "\t" ? character : "\uFFFD"));
}
