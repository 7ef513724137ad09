/** More text than anybody reads, in characters; laying out a long line of it would hold the page up for half a minute. */
const MAX_SHOWN = 50_000;

/** The text without its last line end, which is in the way wherever it is pasted. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** The number of lines that a reader sees. */
export function countLines(text: string): number {
  return text === "" ? 0 : withoutLastLineEnd(text).split("\n").length;
}

/** The beginning of a text, as much as can be laid out at once. */
export function shownPart(text: string): string {
  // Not in the middle of a character that is made of two.
  const end = /[\uD800-\uDBFF]/.test(text[MAX_SHOWN - 1] ?? "") ? MAX_SHOWN - 1 : MAX_SHOWN;
  return text.slice(0, end);
}

/** True when `shownPart` is not all of it. */
export function isLongText(text: string): boolean {
  return text.length > MAX_SHOWN;
}

/** True for text that is shown on demand only: a line, as passwords are, and a private key, which nobody reads. */
export function startsHidden(text: string): boolean {
  return countLines(text) === 1 || /-----BEGIN [A-Z ]*PRIVATE KEY-----|AGE-SECRET-KEY-/.test(text);
}

/** True for text whose lines mean nothing once they are broken, such as a key in PEM. */
export function hasRigidLines(text: string): boolean {
  return text.includes("-----BEGIN ");
}
