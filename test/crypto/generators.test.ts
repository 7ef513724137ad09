import { expect, test } from "bun:test";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { generatePassphrase, generatePassword } from "../../src/crypto/generators.ts";
import type { FillRandom } from "../../src/crypto/generators.ts";

/** A source that returns every possible draw in turn, and reports when it has returned all. */
function countUp(): { readonly fill: FillRandom; readonly given: () => number } {
  let next = 0;
  return {
    fill(numbers) {
      for (let index = 0; index < numbers.length; index++) numbers[index] = next++;
    },
    given: () => next,
  };
}

/** A source that returns these numbers, and fails beyond them. */
function give(...all: readonly number[]): FillRandom {
  const rest = [...all];
  return (numbers) => {
    for (let index = 0; index < numbers.length; index++) {
      const next = rest.shift();
      if (next === undefined) throw new Error("more was drawn than there is");
      numbers[index] = next;
    }
  };
}

const repeat = (value: number, count: number) => Array.from({ length: count }, () => value);

test("a password has 20 unambiguous letters and digits, and 116 bits", () => {
  const { text, bits } = generatePassword();
  expect(text).toMatch(/^[a-kmnp-zA-HJ-NP-Z2-9]{20}$/);
  expect(bits).toBe(116);
  expect(generatePassword().text).not.toBe(text);
  expect(generatePassword(12)).toMatchObject({ bits: 69, text: expect.stringMatching(/^.{12}$/) });
  expect(() => generatePassword(11)).toThrow(RangeError);
});

test("every letter of a password is drawn equally often", () => {
  const { fill, given } = countUp();
  const counts = new Map<string, number>();
  // 56 letters fit 1170 times into the range of a draw: 65,520 of its values make 3276 passwords.
  for (let made = 0; made < 3276; made++) {
    for (const letter of generatePassword(20, fill).text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  expect(given()).toBe(65_520);
  expect(counts.size).toBe(56);
  expect(new Set(counts.values())).toEqual(new Set([1170]));
});

test("draws beyond the last whole multiple are repeated", () => {
  const drawn = give(...repeat(65_519, 19), 65_520, ...repeat(65_535, 20), 2, ...repeat(1, 19));
  expect(generatePassword(20, drawn).text).toBe(`${"9".repeat(19)}c`);
});

test("a passphrase has words of the list, 11 bits each", async () => {
  expect(wordlist.length).toBe(2048);
  const { text, bits } = await generatePassphrase();
  const words = text.split("-");
  expect([words.length, bits]).toEqual([5, 55]);
  expect(words.every((word) => wordlist.includes(word))).toBeTrue();
  expect(await generatePassphrase(7)).toMatchObject({ bits: 77, text: expect.stringMatching(/^([a-z]+-){6}[a-z]+$/) });
  expect(await generatePassphrase(4).catch((error: unknown) => error)).toBeInstanceOf(RangeError);
});

test("every word of a passphrase is drawn equally often", async () => {
  const { fill, given } = countUp();
  const counts = new Map<string, number>();
  // 2^11 divides 2^16, so that no draw is repeated.
  for (let made = 0; made < 8192; made++) {
    for (const word of (await generatePassphrase(8, fill)).text.split("-"))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  expect(given()).toBe(65_536);
  expect(counts.size).toBe(2048);
  expect(new Set(counts.values())).toEqual(new Set([32]));
});
