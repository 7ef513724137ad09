import { hideTokens } from "../../contract/tokens.ts";

const MASK = "[masked]";
/** The length of the parts of a longer value that are masked, so that a cut or wrapped value is masked too. */
const WINDOW = 12;
/** The least length of a line and of a part in base64 that is masked. Shorter ones would hide half of the output. */
const MIN_PART_LENGTH = 4;
/** The length above which a value's parts don't overlap, because each takes memory. */
const LONG_LENGTH = 8 * 1024;
/** A value shorter than this is masked only where no letter or digit stands beside it. */
const FREE_LENGTH = 4;
/** The number of characters in a hash of the filter. */
const HASHED_LENGTH = 3;
const PART_OF_WORD = /[\p{L}\p{N}_]/u;

/** The parts that are masked. */
export interface Masks {
  /** The parts, by their length. */
  readonly parts: ReadonlyMap<number, ReadonlySet<string>>;
  readonly longest: number;
  /** Not zero where a part may begin, by the hash of its first characters. */
  readonly filter: Uint8Array;
}

/** Masks a text that comes in pieces. */
export interface Masker {
  /** Returns what can be shown of the text so far. */
  push(text: string): string;
  /** Returns the rest. */
  end(): string;
}

/**
 * Prepares the masking of values, their lines, and their longer parts, in the spellings in which programs print them:
 * as they are, in base64, percent-encoded, and in JSON. This prevents accidents: a command can print a value in other
 * ways.
 */
export function createMasks(values: readonly string[]): Masks {
  const parts = new Map<number, Set<string>>();
  const filter = new Uint8Array(2 ** 16);
  for (const value of values) {
    for (const part of partsOf(value)) {
      const known = parts.get(part.length);
      if (known) known.add(part);
      else parts.set(part.length, new Set([part]));
      if (part.length < HASHED_LENGTH) filter.fill(1);
      else filter[hashAt(part, 0)] = 1;
    }
  }
  return { parts, longest: Math.max(0, ...parts.keys()), filter };
}

/** Masks everything with the shape of a token or of a private key of age, known here or not. */
export function maskTokens(text: string): string {
  return hideTokens(text.replace(/AGE-SECRET-KEY-[0-9A-Z-]+/gi, MASK), MASK);
}

/** Returns at most `maxLength` characters of the end of a masked text. It doesn't begin inside a mask. */
export function endOf(text: string, maxLength: number): string {
  const from = Math.max(0, text.length - maxLength);
  const mask = text.lastIndexOf(MASK, from - 1);
  return text.slice(from > 0 && mask !== -1 ? Math.max(from, mask + MASK.length) : from);
}

/** Takes time linear in the text, whatever the values are. */
export function createMasker({ parts, longest, filter }: Masks): Masker {
  const byLength = [...parts];
  let held = "";
  /** The number of the first characters of `held` that are masked. */
  let covered = 0;
  let isMasking = false;
  /** The character before `held`. */
  let before = "";

  const standsAlone = (at: number, end: number) =>
    !PART_OF_WORD.test(at === 0 ? before : (held[at - 1] ?? "")) && !PART_OF_WORD.test(held[end] ?? "");
  const coverAt = (at: number) => {
    for (const [length, known] of byLength) {
      const end = at + length;
      if (end <= covered || !known.has(held.slice(at, end))) continue;
      if (length >= FREE_LENGTH || standsAlone(at, end)) covered = end;
    }
  };
  const take = (end: number) => {
    let shown = "";
    let plainFrom = 0;
    for (let at = 0; at < end; at++) {
      if (filter[hashAt(held, at)]) coverAt(at);
      // The end of a line tells nothing, and keeps the rest readable.
      if ((at < covered && held[at] !== "\n") !== isMasking) {
        shown += isMasking ? MASK : held.slice(plainFrom, at);
        isMasking = !isMasking;
        plainFrom = at;
      }
    }
    if (!isMasking) shown += held.slice(plainFrom, end);
    before = held[end - 1] ?? before;
    held = held.slice(end);
    covered = Math.max(0, covered - end);
    return shown;
  };
  return {
    push(text) {
      held += text;
      // A value may begin in the rest.
      return take(Math.max(0, held.length - longest));
    },
    end: () => take(held.length) + (isMasking ? MASK : ""),
  };
}

/** Returns every part of a value that is masked. */
function* partsOf(value: string): Generator<string> {
  const step = value.length > LONG_LENGTH ? WINDOW : 1;
  const lines = value.split(/\r?\n/).filter((line) => line.trim().length >= MIN_PART_LENGTH);
  const texts = new Set([value, ...lines].flatMap((text) => [text, text.trim()]));
  for (const spelling of new Set([...texts].flatMap(spellingsOf))) {
    for (let at = 0; at + WINDOW < spelling.length; at += step) yield spelling.slice(at, at + WINDOW);
    if (spelling !== "") yield spelling.slice(-WINDOW);
  }
}

function spellingsOf(text: string): string[] {
  const percent = [encodeURIComponent(text.toWellFormed()), new URLSearchParams([["", text]]).toString().slice(1)];
  const json = JSON.stringify(text).slice(1, -1);
  // As Python and PHP write JSON, and PHP alone.
  const ascii = json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const jsons = [json, ascii].flatMap((each) => [each, each.replaceAll("/", "\\/")]);
  const lower = percent.map((each) => each.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()));
  return [text, ...percent, ...lower, ...jsons, ...base64Of(text)];
}

/** Returns the part of its base64 that is the same whatever stands around the text, for each of the three offsets. */
function base64Of(text: string): string[] {
  const inner = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
    return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  return [Buffer.from(text).toString("base64"), ...inner.filter((part) => part.length >= MIN_PART_LENGTH)];
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) & 0xffff;
}
