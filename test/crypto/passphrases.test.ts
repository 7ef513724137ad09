import { expect, test } from "bun:test";
import { generatePassphrase, generatePassword } from "../../src/crypto/generators.ts";
import { isGuessable } from "../../src/crypto/passphrases.ts";

test("a passphrase that is short or has few different characters is guessable; a generated one never is", async () => {
  for (const weak of [
    "a",
    "summer24",
    "  summer24      ",
    "aaaaaaaaaaaaaaaa",
    "ababababababab",
    "\u00e9te",
    "秘密の鍵",
  ]) {
    expect({ weak, isGuessable: isGuessable(weak) }).toEqual({ weak, isGuessable: true });
  }
  for (const longer of ["correct horse", "xK9#mQ2p!tZw", "電話で伝える合言葉", "\u{1F40E}\u{1F50B} correct horse"]) {
    expect({ longer, isGuessable: isGuessable(longer) }).toEqual({ longer, isGuessable: false });
  }
  for (let times = 0; times < 20; times++) {
    expect(isGuessable((await generatePassphrase()).text)).toBe(false);
    expect(isGuessable(generatePassword().text)).toBe(false);
  }
});
