/** A character that is invisible or looks like a space. */
export const UNSEEN_CHARACTER = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

// A selector after an emoji or in a keycap says how it is drawn. No lookbehind: not every browser has it.
const DRAWN_OR_UNSEEN =
  /(\p{Extended_Pictographic}[\ufe0e\ufe0f]|[0-9#*]\ufe0f\u20e3)|[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Replaces every invisible character of a file name by `replacement`, except for emoji selectors. */
export function replaceUnseen(name: string, replacement: string): string {
  return name.replace(DRAWN_OR_UNSEEN, (_, drawn?: string) => drawn ?? replacement);
}
