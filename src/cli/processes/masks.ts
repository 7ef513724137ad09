import { hideTokens } from "../../contract/tokens.ts";
const MASK = "[masked]";
/** The length of the parts of longer values that are masked, so that a value that was cut or wrapped is too. */
const WINDOW = 12;
/** The same for what is not much longer than that. */
const SMALL_WINDOW = 8;
const SMALL_LENGTH = 24;
/** A line of a secret that is shorter would hide half of everything else. */
const MIN_LINE_LENGTH = 4;
/**
 * The length above which only the commonest spellings of a value are looked for, and parts of twice the length: each
 * takes memory.
 */
const LONG_LENGTH = 8 * 1024;
/** The length below which a value is masked only where it stands alone: it would hide half of everything else. */
const FREE_LENGTH = 4;
const PART_OF_WORD = /[\p{L}\p{N}_]/u;
/** The number of characters that the filter looks at. */
const FILTER_LENGTH = 3;

/** The values to be masked. */
export interface Masks {
  /** The values, by their length. */
  readonly windows: ReadonlyMap<number, ReadonlySet<string>>;
  readonly longest: number;
  /** True when a window of `FILTER_LENGTH` characters or more may begin with some, by their hash. */
  readonly filter: Uint8Array;
}

/** Takes secrets out of a text that comes in pieces. */
export interface Masker {
  /** Returns what can be shown of the text so far. */
  push(text: string): string;
  /** Returns the rest. */
  end(): string;
}

/**
 * Prepares the masking of values, of every longer part of them, and of both in the spellings that programs commonly give
 * them: base64, also where the value is only a part of what was encoded, hexadecimal, percent-encoded, JSON, HTML, quoted
 * by a shell. Of fewer than four characters, a value is masked only where no letter or digit stands beside it. Whoever
 * means to can have a program print a value otherwise: this is against accidents.
 */
export function createMasks(values: readonly string[]): Masks {
  const windows = new Map<number, Set<string>>();
  const filter = new Uint8Array(2 ** 16);
  const add = (window: string) => {
    const { length } = window;
    if (length >= FILTER_LENGTH) filter[hashAt(window, 0)] = 1;
    const known = windows.get(length);
    if (known) known.add(window);
    else windows.set(length, new Set([window]));
  };
  // One after the other: all of them at once take many times the memory of what is kept.
  for (const value of values) for (const spelling of spellingsOf(value)) addWindows(spelling, add);
  return { windows, longest: Math.max(0, ...windows.keys()), filter };
}

/** Takes out whatever has the shape of one of our tokens or of a private key of age, known here or not. */
export function maskTokens(text: string): string {
  return hideTokens(text.replace(/AGE-SECRET-KEY-[0-9A-Z-]+/gi, MASK), MASK);
}

/** At most `maxLength` characters of the end of a masked text, which begin with no part of a mask. */
export function endOf(text: string, maxLength: number): string {
  const from = Math.max(0, text.length - maxLength);
  const mask = text.lastIndexOf(MASK, from - 1);
  return text.slice(from > 0 && mask !== -1 ? Math.max(from, mask + MASK.length) : from);
}

/** Takes time linear in the text, whatever the values are. */
export function createMasker({ windows, longest, filter }: Masks): Masker {
  const lengths = [...windows.keys()];
  const shortLengths = lengths.filter((length) => length < FILTER_LENGTH);
  let held = "";
  /** The number of the first characters of `held` that belong to a value which began before or in it. */
  let covered = 0;
  let isMasking = false;
  /** The character before `held`. */
  let before = "";

  const standsAlone = (at: number, end: number) =>
    !PART_OF_WORD.test(at === 0 ? before : (held[at - 1] ?? "")) && !PART_OF_WORD.test(held[end] ?? "");
  const coverAt = (at: number) => {
    const candidates = filter[hashAt(held, at)] ? lengths : shortLengths;
    for (const length of candidates) {
      const end = at + length;
      if (end <= covered || !windows.get(length)?.has(held.slice(at, end))) continue;
      if (length >= FREE_LENGTH || standsAlone(at, end)) covered = end;
    }
  };
  const take = (end: number) => {
    let shown = "";
    let plainFrom = 0;
    for (let at = 0; at < end; at++) {
      coverAt(at);
      // An end of a line tells nothing, and keeps the rest readable.
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
      // Of what is left, it cannot be said yet whether a value begins in it, and stands alone.
      return take(Math.max(0, held.length - longest));
    },
    end: () => take(held.length) + (isMasking ? MASK : ""),
  };
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) & 0xffff;
}

function addWindows(spelling: string, add: (window: string) => void): void {
  const { length } = spelling;
  if (length === 0) return;
  if (length <= WINDOW) return add(spelling);
  const size = length <= SMALL_LENGTH ? SMALL_WINDOW : WINDOW;
  const step = length > LONG_LENGTH ? size : 1;
  for (let at = 0; at + size <= length; at += step) add(spelling.slice(at, at + size));
  add(spelling.slice(-size));
}

function* spellingsOf(value: string): Generator<string> {
  const isLong = value.length > LONG_LENGTH;
  const texts = new Set(isLong ? [] : [value]);
  yield* [value, value.trim()];
  for (const line of value.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed.length < MIN_LINE_LENGTH) continue;
    yield line;
    if (trimmed !== line) yield trimmed;
    if (!isLong) texts.add(line);
  }
  if (isLong) yield* base64Of(value);
  for (const text of texts) yield* [...encodingsOf(text), ...base64Of(text)];
}

function encodingsOf(text: string): string[] {
  const percent = encodeURIComponent(text.toWellFormed());
  const json = JSON.stringify(text).slice(1, -1);
  const hex = Buffer.from(text).toString("hex");
  return [
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll("%2F", "/"),
    percent.replaceAll("%3A", ":"),
    new URLSearchParams([["", text]]).toString().slice(1),
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll("/", "\\/"),
    json.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
    hex,
    hex.toUpperCase(),
    Bun.escapeHTML(text),
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
    text.replace(/[^\w@%+=:,./-]/g, "\\$&"),
  ];
}

/** The part of its base64 that is the same whatever stands before and behind it, for each of the three ways it can begin. */
function base64Of(text: string): string[] {
  const whole = Buffer.from(text).toString("base64");
  const inner = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((bytes.length * 8) / 6);
    return bytes.toString("base64").slice(first, last);
  });
  // A short part of it would be found everywhere.
  return [whole, ...inner.filter((each) => each.length >= MIN_LINE_LENGTH)].flatMap((each) => [
    each,
    each.replaceAll("+", "-").replaceAll("/", "_"),
  ]);
}
