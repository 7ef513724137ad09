import { UNSEEN_CHARACTER } from "./unseen-characters.ts";

/** The most characters of a person's name, counted as Unicode has them. */
export const MAX_PERSON_NAME_LENGTH = 100;

/** More than anybody types around a name, and before it is composed. */
const MOST_LOOKED_AT = 1000;

// Joiners between letters (U+200C and U+200D) are no harm, and some languages need them. What is assigned only by a later
// version of Unicode may be a letter.
const DECEIVING = /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** True for a text with control characters, or with others that are not seen, or turn the direction of what is read. */
export function isDeceiving(text: string): boolean {
  return DECEIVING.test(text);
}

// Seen by nobody, or as a space. A joiner is no harm in writings that need it, between letters.
const MISPLACED_JOINER =
  /(?<![\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{M}])|(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])[\u200c\u200d]/u;

/** True for a text that looks the same without one of its characters, or as if that were a space. */
export function hasUnseen(text: string): boolean {
  return UNSEEN_CHARACTER.test(text.replaceAll(/[\u200c\u200d]/g, "")) || MISPLACED_JOINER.test(text);
}

/**
 * The name of a person as it is kept: trimmed, and with single spaces. Undefined for what is no name: it has letters of any
 * writing, is neither `isDeceiving` nor `hasUnseen`, and not too long.
 */
export function parsePersonName(text: string): string | undefined {
  // Composing takes its time.
  if (text.length > MOST_LOOKED_AT) return undefined;
  const trimmed = text.normalize("NFC").trim();
  const name = trimmed.replaceAll(/\s+/g, " ");
  if (isDeceiving(trimmed) || hasUnseen(name) || !/\p{L}/u.test(name)) return undefined;
  if (Array.from(name).length > MAX_PERSON_NAME_LENGTH) return undefined;
  return name;
}
