import { Database } from "bun:sqlite";
import { migrate } from "../sqlite/engine/migrations.ts";

/** A table, an index or a trigger, with the text that makes it. */
export interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** The schema of a database on which the first `version` migrations have run, and nothing else. */
export function entriesAt(version: number): readonly SchemaEntry[] {
  using database = new Database(":memory:");
  migrate(database, version);
  return database
    .query<SchemaEntry, []>(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    )
    .all();
}

/**
 * Makes `entries` in an empty database, and copies rows from the attached database `source`: those of each table that
 * meet the condition that `rowsOf` returns, or none. Nothing else of `source` is read: no view, no trigger, and no
 * index. Throws SQLiteError.
 */
export function copyTables(
  database: Database,
  entries: readonly SchemaEntry[],
  rowsOf: (table: string) => string | undefined,
): void {
  const tables = entries.filter(({ type }) => type === "table");
  for (const { sql } of tables) database.run(sql);
  for (const { name } of tables) {
    const condition = rowsOf(name);
    if (condition === undefined) continue;
    // By name: with a star, SQLite copies rows without checking their contents.
    const columns = columnsOf(database, name).join(", ");
    database.run(
      `INSERT INTO main."${name}" (${columns}) SELECT ${columns} FROM source."${name}" NOT INDEXED WHERE ${condition}`,
    );
  }
  // Indexes are made afterwards, which takes a fraction of the time.
  for (const { sql } of entries.filter(({ type }) => type !== "table")) database.run(sql);
}

/** The names of the columns of a table, quoted. */
function columnsOf(database: Database, table: string): string[] {
  return database
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?, 'main')")
    .all(table)
    .map(({ name }) => `"${name}"`);
}

/**
 * Returns the first of `tables` that `database` defines differently, or that is damaged there; undefined when all are
 * intact. Runs nothing from the file.
 */
export function findForeignTable(
  database: Database,
  tables: readonly Pick<SchemaEntry, "name" | "sql">[],
): { readonly table: string; readonly damage?: string } | undefined {
  const found = database.query<{ sql: string | null }, [string]>(
    "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
  );
  const foreign = tables.find(({ name, sql }) => plain(found.get(name)?.sql ?? "") !== plain(sql));
  if (foreign) return { table: foreign.name };
  // Otherwise it would check the constraints of tables.
  database.run("PRAGMA ignore_check_constraints = ON");
  for (const { name } of tables) {
    // Only the first line: a table whose pages form a cycle has no last one.
    const row = database.prepare<Record<string, string>, []>(`PRAGMA quick_check("${name}")`).get();
    const damage = Object.values(row ?? {})[0];
    if (damage !== "ok") return { table: name, damage: damage ?? "it can't be read" };
  }
  return undefined;
}

/** The SQL of a table without the parts that versions of SQLite write differently when they change it. */
function plain(sql: string): string {
  return sql.toLowerCase().replaceAll(/[\s"`]+/g, "");
}
