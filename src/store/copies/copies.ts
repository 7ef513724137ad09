import { getTableName } from "drizzle-orm";
import { DatabaseError } from "../sqlite/files/errors.ts";
import type { Side } from "./rows.ts";
import { COPIED_TABLES } from "./tables.ts";
import type { CopiedRow, CopiedTable } from "./tables.ts";

/** After so many characters, garbage is collected: the collector itself would leave most of it behind. */
const COLLECTED_CHARACTERS = 8 * 1024 * 1024;

/**
 * Copies the rows of all tables, or of those that `isCopied` selects by SQLite's names, into an empty database, and
 * compares every row with its copy. Throws DatabaseError when something differs.
 */
export async function copyRows(from: Side, to: Side, isCopied: (table: string) => boolean): Promise<void> {
  for (const table of COPIED_TABLES.filter(({ sqlite }) => isCopied(getTableName(sqlite)))) {
    const [sent, arrived] = [createChecksum(table), createChecksum(table)];
    const insert = to.inserter(table);
    for await (const batch of from.batches(table)) {
      sent.add(batch);
      await insert(batch);
    }
    for await (const batch of to.batches(table)) arrived.add(batch);
    const [before, after] = [sent.value(), arrived.value()];
    if (before.digest === after.digest) continue;
    throw new DatabaseError(
      `${getTableName(table.postgres)}: what arrived (${after.count} rows) is not what was sent (${before.count} rows). Nothing was kept`,
    );
  }
}

/** Sums up the rows of a table in their order, by the columns that both engines keep. Ask for the value once. */
function createChecksum({ shared, owner }: CopiedTable) {
  const keys = [...shared.keys(), ...(owner ? [`${owner}Id`] : [])];
  const hasher = new Bun.CryptoHasher("sha256");
  let [count, characters] = [0, 0];
  return {
    add(rows: readonly CopiedRow[]) {
      count += rows.length;
      for (const row of rows) {
        const text = JSON.stringify(keys.map((key) => toPlain(row[key])));
        hasher.update(`${text}\n`);
        characters += text.length;
      }
      if (characters < COLLECTED_CHARACTERS) return;
      characters = 0;
      Bun.gc(true);
    },
    value: () => ({ count, digest: hasher.digest("hex") }),
  };
}

/** `value` in a form that doesn't depend on the engine: members of objects in order, bytes as hexadecimal digits. */
function toPlain(value: unknown): unknown {
  if (value instanceof Uint8Array) return value.toHex();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, toPlain(member)]));
}
