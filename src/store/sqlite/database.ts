import { Database, SQLiteError } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseError } from "./errors.ts";
import { migrate } from "./migrations.ts";

export const DATABASE_FILE = "handoff.db";

const PRAGMAS: readonly [name: string, set: string | number, readBack: string | number][] = [
  ["busy_timeout", 5000, 5000],
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["secure_delete", "ON", 1],
  ["foreign_keys", "ON", 1],
  ["temp_store", "MEMORY", 2],
  ["cache_size", -32_768, -32_768],
];

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
    throw new DatabaseError(`cannot make the data folder '${folder}': ${reasonOf(error)}`);
  }
  const path = join(folder, DATABASE_FILE);
  let database: Database | undefined;
  try {
    database = new Database(path, { create: true, strict: true });
    for (const [name, value, expected] of PRAGMAS) setPragma(database, name, value, expected);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof DatabaseError) throw error;
    throw new DatabaseError(`cannot use the database '${path}': ${reasonOf(error)}`);
  }
}

function setPragma(database: Database, name: string, value: string | number, expected: string | number): void {
  database.run(`PRAGMA ${name} = ${value}`);
  const row = database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get();
  const actual = Object.values(row ?? {})[0];
  if (actual !== expected) throw new DatabaseError(`SQLite does not take the setting ${name} = ${value}`);
}

function reasonOf(error: unknown): string {
  if (error instanceof SQLiteError) {
    if (error.code === "SQLITE_CANTOPEN" || error.code?.startsWith("SQLITE_READONLY")) {
      return "the folder or the file cannot be written by this user";
    }
    if (error.code === "SQLITE_NOTADB" || error.code === "SQLITE_CORRUPT") return "the file is not a handoff database";
    if (error.code?.startsWith("SQLITE_BUSY")) return "another program holds it locked";
  }
  return error instanceof Error ? error.message : "unknown reason";
}
