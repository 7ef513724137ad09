// First what is right where it is: what draws an emoji, and joiners between letters of scripts that need them. No
// lookbehind: not every browser has it.
const DRAWN_OR_UNSEEN =
  /(\p{Extended_Pictographic}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?(?:\u200d(?=\p{Extended_Pictographic}))?|(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{L}\p{M}*[\u200c\u200d](?=\p{L}))|(?![\t\n\r])[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Cuts a text into its visible parts, at even places, and at the others the characters that nobody sees. */
export function splitUnseen(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: character, 1: drawn, index } of text.matchAll(DRAWN_OR_UNSEEN)) {
    if (drawn !== undefined) continue;
    parts.push(text.slice(from, index), character);
    from = index + character.length;
  }
  return [...parts, text.slice(from)];
}
