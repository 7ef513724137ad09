import { getTableColumns, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { StoreContext } from "./engine/context.ts";
import { GUARD_BYTES } from "./files/ciphertext-pages.ts";
import { prepare } from "./prepared.ts";

/** A new row: every column except `Made` must be given, even a nullable one. */
type NewRow<T extends SQLiteTable, Made extends string> = Omit<T["$inferSelect"], Made>;

/**
 * A placeholder for every column of `table` except those in `made`, so that none can be forgotten and stored as NULL.
 */
function placeholders<T extends SQLiteTable>(table: T, made: readonly string[]): T["$inferInsert"] {
  const names = Object.keys(getTableColumns(table)).filter((name) => !made.includes(name));
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
}

/** Prepares an insertion into `table`. SQLite numbers a column `seq`. */
export function prepareInsert<T extends SQLiteTable>(
  context: Pick<StoreContext, "orm">,
  table: T,
): (row: NewRow<T, "seq">) => void {
  const insert = prepare(context, () => context.orm.insert(table).values(placeholders(table, ["seq"])));
  return (row) => void insert.run(row);
}

/** Prepares an insertion into `table` that returns the row's number. */
export function prepareNumberedInsert<T extends SQLiteTable & { readonly seq: SQLiteColumn }>(
  context: Pick<StoreContext, "orm">,
  table: T,
): (row: NewRow<T, "seq">) => number {
  const insert = prepare(context, () => context.orm.insert(table).values(placeholders(table, ["seq"])));
  // A column `seq` is SQLite's rowid.
  return (row) => insert.run(row).rowid;
}

/** A new row with a ciphertext, which may also be given as the bytes of its characters. */
type SealedRow<T extends SQLiteTable> = NewRow<T, "guard" | "fill" | "ciphertext"> & {
  readonly ciphertext: string | Uint8Array;
};

/** Prepares the insertion of a ciphertext, with the zeros around it that `ciphertext-pages.ts` explains. */
export function prepareSealedInsert<T extends SQLiteTable>(
  context: Pick<StoreContext, "orm">,
  table: T,
): (row: SealedRow<T>, fillBytes: number) => void {
  const insert = prepare(context, () =>
    context.orm.insert(table).values({
      ...placeholders(table, ["guard", "ciphertext", "fill"]),
      guard: sql`zeroblob(${sql.raw(String(GUARD_BYTES))})`,
      // The bytes of UTF-8 become text without a copy.
      ciphertext: sql`CAST(${sql.placeholder("ciphertext")} AS TEXT)`,
      fill: sql`zeroblob(${sql.placeholder("fillBytes")})`,
    }),
  );
  return (row, fillBytes) => void insert.run({ ...row, fillBytes });
}
