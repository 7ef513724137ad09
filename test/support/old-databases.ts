import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const MIGRATIONS = "drizzle/sqlite";

/** Makes of the database in `folder`, which nobody has open, what it would be without `migration` and all later ones. */
export function takeBack(folder: string, migration: string): void {
  const names = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  const before = names.slice(0, names.indexOf(migration));
  const [current, old] = [join(folder, "handoff.db"), join(folder, "old.db")];
  const database = new Database(old, { create: true });
  // Can only be set before there is a table.
  database.run("PRAGMA auto_vacuum = INCREMENTAL");
  for (const name of before) {
    const text = readFileSync(join(MIGRATIONS, name), "utf8");
    for (const statement of text.split("--> statement-breakpoint")) database.run(statement);
  }
  database.run("PRAGMA foreign_keys = OFF");
  database.run(`ATTACH '${current}' AS later`);
  for (const table of valuesOf(database, "SELECT name FROM main.sqlite_schema WHERE type = 'table'")) {
    const columnsIn = (schema: string) =>
      valuesOf(database, `SELECT name FROM pragma_table_info('${table}', '${schema}') ORDER BY cid`);
    // A migration adds columns behind the others, and may give one another name.
    const [columns, later] = [columnsIn("main"), columnsIn("later")];
    database.run(
      `INSERT OR REPLACE INTO main.${table} (${columns.join(", ")})
       SELECT ${later.slice(0, columns.length).join(", ")} FROM later.${table}`,
    );
  }
  database.run("DETACH later");
  database.run(`PRAGMA user_version = ${before.length}`);
  database.close();
  for (const ending of ["-wal", "-shm"]) rmSync(current + ending, { force: true });
  renameSync(old, current);
}

function valuesOf(database: Database, text: string): string[] {
  return database
    .query<Record<"name", string>, []>(text)
    .all()
    .map(({ name }) => name);
}
