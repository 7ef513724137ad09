import { constants, Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { resolve } from "node:path";

/** The table of a backup with one row, which says what it is. */
export const BACKUP_TABLE = "backup";

/** The things that a backup says of itself. */
export interface BackupFacts {
  /** The time of what is in it, in epoch milliseconds. */
  readonly takenAt: number;
  /** True when it has ciphertexts, notes, sessions and what repeats calls. */
  readonly hasSecrets: boolean;
}

/** The rows of a backup, or of what became of one. */
export interface BackupCounts {
  readonly teams: number;
  readonly identities: number;
  readonly keys: number;
  readonly secrets: number;
  readonly requests: number;
}

/** The counts for people. */
export function formatCounts(counts: BackupCounts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

/** Counts what is in `database`, of which the tables are in `schema`. A table that an earlier version has not yet has no rows. */
export function countRows(database: Database, schema = "main"): BackupCounts {
  const isThere = database.query<{ name: string }, [string]>(
    `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name = ?`,
  );
  const count = (table: string) =>
    isThere.get(table)
      ? (database.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${schema}.${table}`).get()?.count ?? 0)
      : 0;
  return {
    teams: count("teams"),
    identities: count("identities"),
    keys: count("api_keys"),
    secrets: count("secrets"),
    requests: count("requests"),
  };
}

/** The first complaint of SQLite about the whole of `database`, foreign keys included; undefined when it is sound. */
export function findDamage(database: Database): string | undefined {
  const rows = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
  const complaint = rows.map((row) => row.integrity_check).find((text) => text !== "ok");
  if (complaint !== undefined) return complaint;
  const [dangling] = database.query<{ table: string }, []>("PRAGMA foreign_key_check").all();
  return dangling && `a row of ${dangling.table} belongs to one that is not there`;
}

/** Opens the file `path` for reading alone, whatever lies beside it. Throws SQLiteError. */
export function openReadOnly(path: string): Database {
  return new Database(path, { readonly: true, strict: true });
}

/** `path` as a URI of SQLite (https://sqlite.org/uri.html), to be read and never written. */
export function readOnlyUri(path: string): string {
  return `file://${resolve(path).split("/").map(encodeURIComponent).join("/")}?mode=ro`;
}

/** The flags of a new database that others are attached to by URI. */
export const NEW_WITH_URIS = constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_URI;

/** Puts the file or folder `path` onto the disk. */
export function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
