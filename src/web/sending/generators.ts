/** Something that was made up at random. */
export interface Generated {
  readonly text: string;
  /** The bits that somebody who knows how it is made has to guess, rounded down. */
  readonly bits: number;
}

/** Fills an array with random numbers; `crypto.getRandomValues` but in tests. */
export type FillRandom = (numbers: Uint16Array<ArrayBuffer>) => void;

/** Letters and digits that nobody takes for one another: without 0 and O, 1, l and I, and the o that is like them. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const PASSWORD_LENGTH = 20;
const MIN_WORDS = 5;
/** The numbers that one draw can give. */
const DRAWS = 2 ** 16;

const fillSecurely: FillRandom = (numbers) => void crypto.getRandomValues(numbers);

/** A password of letters and digits, which can be selected by a double click and typed on any keyboard. */
export function generatePassword(fill: FillRandom = fillSecurely): Generated {
  const picked = pickNumbers(PASSWORD_LENGTH, ALPHABET.length, fill);
  const text = picked.map((index) => ALPHABET.charAt(index)).join("");
  return { text, bits: bitsOf(PASSWORD_LENGTH, ALPHABET.length) };
}

/** A passphrase of `count` English words of BIP 39, 11 bits each. Rejects when the list can't load. */
export async function generatePassphrase(count = MIN_WORDS, fill: FillRandom = fillSecurely): Promise<Generated> {
  if (count < MIN_WORDS) throw new RangeError("a passphrase of so few words can be guessed");
  const { wordlist } = await import("@scure/bip39/wordlists/english.js");
  const picked = pickNumbers(count, wordlist.length, fill);
  return { text: picked.map((index) => wordlist[index]).join("-"), bits: bitsOf(count, wordlist.length) };
}

/** Uniform random numbers from 0 to below `size`: those above its last whole multiple are drawn again. */
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
