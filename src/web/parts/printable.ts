/** Characters that nobody sees, or that turn the order of what stands beside them. */
const UNPRINTABLE = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** `text` with a replacement character for each control character, except line breaks and tabs, and each that overrides the direction of writing. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => (character === "\n" || character === "\t" ? character : "\uFFFD"));
}
