/** A random password or passphrase. */
export interface Generated {
  readonly text: string;
  /** The bits to guess for a person who knows how it was made, rounded down. */
  readonly bits: number;
}

/** Fills an array with random numbers: `crypto.getRandomValues`, except in tests. */
export type FillRandom = (numbers: Uint16Array<ArrayBuffer>) => void;

/** Letters and digits that are not confused with each other: without 0 and O, 1, l and I, and o. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** The length of a password without a wish, and the least: 116 and 69 bits. */
export const PASSWORD_LENGTH = 20;
export const MIN_PASSWORD_LENGTH = 12;
/** The number of words of a passphrase without a wish, and the least: 55 bits. */
export const MIN_WORDS = 5;
/** The number of values of one draw. */
const DRAWS = 2 ** 16;

const fillSecurely: FillRandom = (numbers) => void crypto.getRandomValues(numbers);

/**
 * Generates a password of letters and digits, which a double click selects and any keyboard can type. Throws RangeError
 * for a `length` of less than twelve.
 */
export function generatePassword(length = PASSWORD_LENGTH, fill: FillRandom = fillSecurely): Generated {
  if (length < MIN_PASSWORD_LENGTH) throw new RangeError("a password so short can be guessed");
  const picked = pickNumbers(length, ALPHABET.length, fill);
  const text = picked.map((index) => ALPHABET.charAt(index)).join("");
  return { text, bits: bitsOf(length, ALPHABET.length) };
}

/**
 * Generates a passphrase of `count` English words, to be said on the phone: BIP 39 has 2048 words, 11 bits each. The
 * list is loaded on first use: rejects when that fails. Throws RangeError for fewer than five words.
 */
export async function generatePassphrase(count = MIN_WORDS, fill: FillRandom = fillSecurely): Promise<Generated> {
  if (count < MIN_WORDS) throw new RangeError("a passphrase of so few words can be guessed");
  const { wordlist } = await import("@scure/bip39/wordlists/english.js");
  const picked = pickNumbers(count, wordlist.length, fill);
  return { text: picked.map((index) => wordlist[index]).join("-"), bits: bitsOf(count, wordlist.length) };
}

/** Picks uniform numbers from 0 to below `size`. A draw above the last whole multiple of `size` is repeated. */
function pickNumbers(count: number, size: number, fill: FillRandom): number[] {
  const limit = DRAWS - (DRAWS % size);
  const picked: number[] = [];
  const drawn = new Uint16Array(new ArrayBuffer(count * Uint16Array.BYTES_PER_ELEMENT));
  while (picked.length < count) {
    fill(drawn);
    picked.push(...drawn.filter((each) => each < limit));
  }
  return picked.slice(0, count).map((each) => each % size);
}

function bitsOf(count: number, size: number): number {
  return Math.floor(count * Math.log2(size));
}
