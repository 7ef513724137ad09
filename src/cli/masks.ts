const MASK = "[masked]";
/** Of what is longer any part of this length is masked, so that a value that was cut or wrapped is too. */
const WINDOW = 12;
/** A line of a secret that is shorter would hide half of everything else. */
const MIN_LINE_LENGTH = 4;
/** Longer values are only looked for in the commonest spellings: what is kept of each takes memory. */
const MAX_SPELLED_LENGTH = 8 * 1024;

/** Takes secrets out of a text that comes in pieces. */
export interface Masker {
  /** Returns what can be shown of the text so far. */
  push(text: string): string;
  /** Returns the rest. */
  end(): string;
}

/**
 * Masks values, every longer part of them, and both in the spellings that programs commonly give them: base64, also where
 * the value is only a part of what was encoded, hexadecimal, percent-encoded, JSON, quoted by a shell. Whoever means to can have a program print
 * them otherwise: this is against accidents. It takes time linear in the text, whatever the values are.
 */
export function createMasker(values: readonly string[]): Masker {
  const windows = new Set(values.flatMap(spellingsOf).flatMap(windowsOf));
  const lengths = [...new Set([...windows].map(({ length }) => length))];
  const longest = Math.max(0, ...lengths);
  let held = "";
  /** How many of the first characters of `held` belong to a value that began before or in it. */
  let covered = 0;
  let isMasking = false;

  const take = (end: number) => {
    let shown = "";
    let plainFrom = 0;
    for (let at = 0; at < end; at++) {
      for (const length of lengths) {
        if (at + length > covered && windows.has(held.slice(at, at + length))) covered = at + length;
      }
      // An end of a line tells nothing, and keeps the rest readable.
      if ((at < covered && held[at] !== "\n") !== isMasking) {
        shown += isMasking ? MASK : held.slice(plainFrom, at);
        isMasking = !isMasking;
        plainFrom = at;
      }
    }
    if (!isMasking) shown += held.slice(plainFrom, end);
    held = held.slice(end);
    covered = Math.max(0, covered - end);
    return shown;
  };
  return {
    push(text) {
      held += text;
      // Of what is left, it cannot be said yet whether a value begins in it.
      return take(Math.max(0, held.length - longest + 1));
    },
    end: () => take(held.length) + (isMasking ? MASK : ""),
  };
}

function windowsOf(spelling: string): string[] {
  if (spelling.length <= WINDOW) return spelling === "" ? [] : [spelling];
  return Array.from({ length: spelling.length - WINDOW + 1 }, (_, at) => spelling.slice(at, at + WINDOW));
}

function spellingsOf(value: string): string[] {
  const lines = value.split(/\r?\n/).filter((line) => line.trim().length >= MIN_LINE_LENGTH);
  const plain = [value, value.trim(), ...lines, ...lines.map((line) => line.trim())];
  if (value.length > MAX_SPELLED_LENGTH) return [...plain, ...base64Of(value)];
  const texts = [value, ...lines];
  return [...plain, ...texts.flatMap(encodingsOf), ...texts.flatMap(base64Of)];
}

function encodingsOf(text: string): string[] {
  const percent = encodeURIComponent(text.toWellFormed());
  const json = JSON.stringify(text).slice(1, -1);
  const hex = Buffer.from(text).toString("hex");
  return [
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    new URLSearchParams([["", text]]).toString().slice(1),
    json,
    json.replaceAll("/", "\\/"),
    json.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
    hex,
    hex.toUpperCase(),
    text.replaceAll("'", "'\\''"),
    text.replaceAll("'", `'"'"'`),
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
  return [whole, ...inner].flatMap((each) => [each, each.replaceAll("+", "-").replaceAll("/", "_")]);
}
