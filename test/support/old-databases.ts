import { Database } from "bun:sqlite";
import type { SQLQueryBindings } from "bun:sqlite";
import { chmodSync, copyFileSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LATEST_VERSION, migrate } from "../../src/store/sqlite/engine/migrations.ts";

const MIGRATIONS = "drizzle/sqlite";

/** A value as a fixture has it: bytes in hexadecimal digits, or so many zeros. */
type Value = string | number | null | { readonly hex: string } | { readonly zeros: number };

/**
 * A database that a server of an earlier version has left, and calls that it had answered: creations, claims, what was
 * handed in.
 */
export interface OldDatabase {
  readonly version: number;
  readonly calls: readonly {
    readonly path: string;
    readonly token: string;
    readonly idempotencyKey: string;
    readonly body: unknown;
    readonly status: number;
    /** The members of the answer that stay as they are. */
    readonly answer: Readonly<Record<string, unknown>>;
  }[];
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;
}

/** A time before all of them, so that what they remember for a day is remembered. */
export const OLD_TIME = Date.parse("2026-11-21T09:30:00Z");

/** One of each schema that there ever was, written by the last server that had it. */
export const OLD_DATABASES: readonly OldDatabase[] = readFileSync(
  join(import.meta.dir, "../fixtures/old-databases.jsonl"),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

function toBinding(value: Value): SQLQueryBindings {
  if (typeof value !== "object" || value === null) return value;
  return "hex" in value ? Buffer.from(value.hex, "hex") : Buffer.alloc(value.zeros);
}

/** Writes an old database into `folder`. */
export function writeOldDatabase({ version, tables }: OldDatabase, folder: string): void {
  const path = join(folder, "handoff.db");
  const database = new Database(path, { create: true });
  chmodSync(path, 0o600);
  try {
    database.run("PRAGMA page_size = 4096");
    database.run("PRAGMA auto_vacuum = INCREMENTAL");
    migrate(database, version);
    database.run("PRAGMA foreign_keys = OFF");
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) {
        const [names, values] = [Object.keys(row), Object.values(row).map(toBinding)];
        database.run(
          `INSERT OR REPLACE INTO "${table}" (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
          values,
        );
      }
    }
  } finally {
    database.close();
  }
}

/**
 * Makes of the database in `folder`, which nobody has open, what it would be without `migration` and all later ones.
 */
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
  // Sessions had no table of their own.
  if (migration <= "0017_sign_ins.sql" && before.some((name) => name === "0003_persons.sql")) {
    database.run(`INSERT INTO main.human_tokens
      SELECT token_hash, identity_id, 'session', created_at, expires_at FROM later.sessions`);
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

/**
 * Leaves the database in `folder`, which nobody has open, as a process does that was killed while it changed all of it,
 * before there was a WAL.
 */
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
