/** Shorter passphrases that people choose are among those that an attacker tries first, thousands a second. */
const MIN_LENGTH = 12;
const MIN_DIFFERENT = 6;
/** There are thousands of these characters, so each counts as two letters. */
const OF_MANY = /\p{Script=Han}|\p{Script=Hangul}/u;

/** True for a guessable passphrase: short, or of few different characters. False doesn't mean that it's strong. */
export function isGuessable(passphrase: string): boolean {
  const typed = Array.from(passphrase.normalize("NFKC").trim());
  return lengthOf(typed) < MIN_LENGTH || lengthOf([...new Set(typed)]) < MIN_DIFFERENT;
}

function lengthOf(characters: readonly string[]): number {
  return characters.reduce((sum, character) => sum + (OF_MANY.test(character) ? 2 : 1), 0);
}
