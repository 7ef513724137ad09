// Unicode's controls, format characters such as those that turn the text direction, surrogates, unassigned characters,
// and the two line separators.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** `text` with every character replaced that could deceive a reader or command a terminal, the line end too. */
export function replaceUnprintable(text: string, replace: (character: string) => string): string {
  return text.replace(UNPRINTABLE, replace);
}

/** JSON on one line, in which those characters are escaped, so that a program still gets all of it. */
export function toPrintableJson(value: unknown): string {
  const escape = (character: string) =>
    Array.from({ length: character.length }, (_, at) => hexEscape(character.charCodeAt(at))).join("");
  return replaceUnprintable(JSON.stringify(value), escape);
}

function hexEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/** A character that is invisible or looks like a space. */
const UNSEEN_CHARACTER = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

// A selector after an emoji or in a keycap says how it is drawn. No lookbehind: not every browser has it.
const DRAWN_OR_UNSEEN =
  /(\p{Extended_Pictographic}[\ufe0e\ufe0f]|[0-9#*]\ufe0f\u20e3)|[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Replaces every invisible character of a file name by `replacement`, except for emoji selectors. */
export function replaceUnseen(name: string, replacement: string): string {
  return name.replace(DRAWN_OR_UNSEEN, (_, drawn?: string) => drawn ?? replacement);
}

/** The maximum length of a person's name, in code points. */
export const MAX_PERSON_NAME_LENGTH = 100;

/** A generous limit before trimming and composing. */
const MOST_LOOKED_AT = 1000;

// Some languages need joiners between letters (U+200C and U+200D). Unassigned characters may be letters in a later
// version of Unicode.
const DECEIVING = /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** True for text with control characters, invisible format characters, or a change of the reading direction. */
export function isDeceiving(text: string): boolean {
  return DECEIVING.test(text);
}

// A joiner is harmless only between letters of a script that needs it.
const MISPLACED_JOINER =
  /(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}])|(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])[\u200c\u200d]/u;

/** True for text with a character that is invisible or looks like a space. */
export function hasUnseen(text: string): boolean {
  return UNSEEN_CHARACTER.test(text.replaceAll(/[\u200c\u200d]/g, "")) || MISPLACED_JOINER.test(text);
}

/** A person's name as stored: composed and trimmed. Undefined if too long, unsafe, or without a letter. */
export function parsePersonName(text: string): string | undefined {
  // Composing long text is slow.
  if (text.length > MOST_LOOKED_AT) return undefined;
  const trimmed = text.normalize("NFC").trim();
  const name = trimmed.replaceAll(/\s+/g, " ");
  if (isDeceiving(trimmed) || hasUnseen(name) || !/\p{L}/u.test(name)) return undefined;
  if (Array.from(name).length > MAX_PERSON_NAME_LENGTH) return undefined;
  return name;
}
