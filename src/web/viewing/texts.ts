/** In characters. More than people read, and a longer line could block the page for half a minute. */
const MAX_SHOWN = 50_000;

/** Returns the text without its last line break, which is in the way after pasting. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** The number of lines that a reader sees. */
export function countLines(text: string): number {
  return text === "" ? 0 : withoutLastLineEnd(text).split("\n").length;
}

/** The beginning of a text, at most as long as can be laid out at once. */
export function shownPart(text: string): string {
  // Does not cut a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text[MAX_SHOWN - 1] ?? "") ? MAX_SHOWN - 1 : MAX_SHOWN;
  return text.slice(0, end);
}

/** True when `shownPart` cuts the text. */
export function isLongText(text: string): boolean {
  return text.length > MAX_SHOWN;
}

/** True for text that is useless when its lines wrap, such as a key in PEM. */
export function hasRigidLines(text: string): boolean {
  return text.includes("-----BEGIN ");
}
