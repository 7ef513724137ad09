import type { CopiedRow } from "./tables.ts";

/** The number of rows, and a SHA-256 over what is in them, in their order. */
export interface Checksum {
  readonly count: number;
  readonly digest: string;
}

/** The characters after which what was copied is collected: by itself, the collector would leave most of it behind. */
const COLLECTED_CHARACTERS = 8 * 1024 * 1024;

/** Counts and sums up rows, so that what was copied can be compared with what was there. The value is asked for once, at the end. */
export function createChecksum(): { add(row: CopiedRow): void; value(): Checksum } {
  const hasher = new Bun.CryptoHasher("sha256");
  let count = 0;
  let characters = 0;
  return {
    add(row) {
      count += 1;
      const text = JSON.stringify(toPlain(row));
      hasher.update(`${text}\n`);
      characters += text.length;
      if (characters < COLLECTED_CHARACTERS) return;
      characters = 0;
      Bun.gc(true);
    },
    value: () => ({ count, digest: hasher.digest("hex") }),
  };
}

/** The same for whoever has it: the members of objects in order, bytes in hexadecimal digits. */
function toPlain(value: unknown): unknown {
  if (value instanceof Uint8Array) return value.toHex();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, toPlain(member)]));
}
