/** Below this a person's own passphrase is among those that are tried first, at some thousands a second. */
const MIN_LENGTH = 12;
const MIN_DIFFERENT = 6;
/** Of these there are thousands, so that each says as much as two letters. */
const OF_MANY = /\p{Script=Han}|\p{Script=Hangul}/u;

/**
 * True for a passphrase that somebody who has the link could guess, because it is short or of few different characters. False
 * says nothing: how well known a longer one is cannot be seen here.
 */
export function isGuessable(passphrase: string): boolean {
  const typed = Array.from(passphrase.normalize("NFKC").trim());
  return lengthOf(typed) < MIN_LENGTH || lengthOf([...new Set(typed)]) < MIN_DIFFERENT;
}

function lengthOf(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + (OF_MANY.test(character) ? 2 : 1), 0);
}
