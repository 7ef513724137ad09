import { Database, SQLiteError, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { PAGE_BYTES } from "./ciphertext-pages.ts";
import { DatabaseError, isDiskFull } from "./errors.ts";
import { migrate } from "./migrations.ts";

export const DATABASE_FILE = "handoff.db";

/** How long opening waits for another process, such as the admin command. */
const BUSY_TIMEOUT_MS = 5000;

const PRAGMAS: readonly [name: string, set: string | number, readBack: string | number][] = [
  ["busy_timeout", BUSY_TIMEOUT_MS, BUSY_TIMEOUT_MS],
  ["page_size", PAGE_BYTES, PAGE_BYTES],
  ["auto_vacuum", "INCREMENTAL", 2],
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["secure_delete", "ON", 1],
  ["foreign_keys", "ON", 1],
  ["temp_store", "MEMORY", 2],
  ["cache_size", -16_384, -16_384],
  // 8 MiB: fewer, larger checkpoints, which the ballast must still have room for.
  ["wal_autocheckpoint", 2048, 2048],
];

type Prepared<Row, Params extends SQLQueryBindings | SQLQueryBindings[]> = ReturnType<
  typeof Database.prototype.prepare<Row, Params>
>;

/**
 * Keeps one statement for each text, and ends them all when it is closed: with one left, SQLite would leave the database
 * open, and its WAL behind.
 */
class StatementKeeper extends Database {
  readonly #statements = new Map<string, Statement>();

  override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(
    text: string,
    params?: Params,
  ): Prepared<Row, Params> {
    const statement = (this.#statements.get(text) ?? super.prepare<Row, Params>(text, params)) as Prepared<Row, Params>;
    this.#statements.set(text, statement);
    return statement;
  }

  override close(throwOnError?: boolean): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    super.close(throwOnError);
  }
}

/**
 * Opens the database in `folder`, makes both if they are not there (0700 and 0600), and brings it up to date.
 * Throws DatabaseError, with a message for the sysadmin, when that cannot be.
 */
export function openDatabase(folder: string): Database {
  // For the database and the files that SQLite puts beside it.
  process.umask(0o077);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EEXIST" || error.code === "ENOTDIR")) {
      throw new DatabaseError(`the data folder '${folder}' is a file, or lies in one`, { cause: error });
    }
    throw new DatabaseError(`cannot make the data folder '${folder}': ${reasonOf(error)}`, { cause: error });
  }
  const path = join(folder, DATABASE_FILE);
  let database: Database | undefined;
  try {
    database = new StatementKeeper(path, { create: true, strict: true });
    for (const [name, value, expected] of PRAGMAS) setPragma(database, name, value, expected);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`cannot use the database '${path}': ${reasonOf(error)}`, { cause: error });
  }
}

function setPragma(database: Database, name: string, value: string | number, expected: string | number): void {
  database.run(`PRAGMA ${name} = ${value}`);
  const row = database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get();
  const actual = Object.values(row ?? {})[0];
  if (actual !== expected) throw new DatabaseError(`SQLite does not take the setting ${name} = ${value}`);
}

function reasonOf(error: unknown): string {
  if (isDiskFull(error)) return "there is no room left on the disk";
  if (error instanceof SQLiteError) {
    if (error.code === "SQLITE_CANTOPEN" || error.code?.startsWith("SQLITE_READONLY")) {
      return "the folder or the file cannot be written by this user";
    }
    if (error.code === "SQLITE_NOTADB" || error.code === "SQLITE_CORRUPT") return "the file is not a handoff database";
    if (error.code?.startsWith("SQLITE_BUSY")) return "another program holds it locked";
  }
  return error instanceof Error ? error.message : "unknown reason";
}
