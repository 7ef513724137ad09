/** One character that nobody sees, or sees as a space. */
export const UNSEEN_CHARACTER = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

// A selector behind an emoji or in a keycap says how that is drawn. No lookbehind: not every browser has it.
const DRAWN_OR_UNSEEN =
  /(\p{Extended_Pictographic}[\ufe0e\ufe0f]|[0-9#*]\ufe0f\u20e3)|[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The name of a file with `replacement` in place of each character that nobody sees; the selectors of emoji stay. */
export function replaceUnseen(name: string, replacement: string): string {
  return name.replace(DRAWN_OR_UNSEEN, (_, drawn?: string) => drawn ?? replacement);
}
