const MASK = "[masked]";
/** A line of a secret that is shorter would hide half of everything else. */
const MIN_LINE_LENGTH = 6;

/** Takes secrets out of a text that comes in pieces. */
export interface Masker {
  /** Returns what can be shown of the text so far. */
  push(text: string): string;
  /** Returns the rest. */
  end(): string;
}

/**
 * Masks values, also where they are encoded as programs commonly do (base64, hexadecimal, percent-encoded, JSON), and
 * every longer line of them. Whoever means to can have a program print them otherwise: this is against accidents.
 */
export function createMasker(values: readonly string[]): Masker {
  const forms = [...new Set(values.flatMap(formsOf))].toSorted((one, other) => other.length - one.length);
  const longest = forms[0]?.length ?? 0;
  const pattern = new RegExp(forms.map((form) => RegExp.escape(form)).join("|"), "g");
  let held = "";
  const take = (safeEnd: number) => {
    let shown = "";
    let at = 0;
    for (const { 0: match, index } of forms.length === 0 ? [] : held.matchAll(pattern)) {
      if (index >= safeEnd) break;
      shown += held.slice(at, index) + MASK;
      at = index + match.length;
    }
    const end = Math.max(at, safeEnd);
    shown += held.slice(at, end);
    held = held.slice(end);
    return shown;
  };
  return {
    push(text) {
      held += text;
      // Where less than the longest form is left, the rest of one may be still to come.
      return take(Math.max(0, held.length - longest + 1));
    },
    end: () => take(held.length),
  };
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const lines = value.split(/\r?\n/).filter((line) => line.trim().length >= MIN_LINE_LENGTH);
  return [
    value,
    value.trim(),
    ...lines,
    ...lines.map((line) => line.trim()),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.isWellFormed() ? value : ""),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ].filter((form) => form !== "");
}
