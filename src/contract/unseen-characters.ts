/** The pattern, for a RegExp with the flag `u`, of one character that nobody sees, or sees as a space. */
export const UNSEEN_CHARACTER = String.raw`[\p{Default_Ignorable_Code_Point}\u2800]`;

// A selector behind an emoji or in a keycap says how that is drawn.
const DRAWN = String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f\u20e3`;
const UNSEEN_IN_FILE_NAME = new RegExp(`(?!${DRAWN})${UNSEEN_CHARACTER}`, "gu");

/** The name of a file with `replacement` in place of each character that nobody sees; the selectors of emoji stay. */
export function replaceUnseen(name: string, replacement: string): string {
  return name.replace(UNSEEN_IN_FILE_NAME, replacement);
}
