import { Database } from "bun:sqlite";
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LATEST_VERSION } from "../../src/store/sqlite/engine/migrations.ts";

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

/** Leaves the database in `folder`, which nobody has open, as a process does that was killed while it changed all of it, before there was a WAL. */
export function leaveUnfinished(folder: string): void {
  const path = join(folder, "handoff.db");
  const unfinished = ["", "-journal"].map((end) => ({ from: path + end, to: `${path}-unfinished${end}` }));
  const database = new Database(path);
  database.run("PRAGMA journal_mode = DELETE");
  // So little that changes are in the file before they are committed.
  database.run("PRAGMA cache_size = 1");
  database.run("BEGIN IMMEDIATE");
  database.run("CREATE TABLE begun (bytes BLOB)");
  for (let row = 0; row < 2000; row++) database.run("INSERT INTO begun VALUES (randomblob(500))");
  database.run("UPDATE teams SET name = 'never ' || id");
  database.run(`PRAGMA user_version = ${LATEST_VERSION}`);
  for (const { from, to } of unfinished) copyFileSync(from, to);
  database.run("ROLLBACK");
  database.close();
  for (const { from, to } of unfinished) renameSync(to, from);
}
