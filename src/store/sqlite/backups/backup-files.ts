import { constants, Database } from "bun:sqlite";
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { sizeOf } from "../files/file-sizes.ts";

/** The table of a backup with one row, which says what it is. */
export const BACKUP_TABLE_ENTRY = {
  name: "backup",
  sql: "CREATE TABLE backup (taken_at INTEGER NOT NULL, has_secrets INTEGER NOT NULL)",
};

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

/** A database at one moment, or from one moment on, which nobody else backs up until this is disposed of. */
export interface BackupOrigin extends AsyncDisposable {
  /** The installation id. */
  readonly installation: string;
  /** The time of the backup, in epoch milliseconds. */
  readonly takenAt: number;
  /** Writes a backup into the file `path`, which is empty or not there, and checks it. Throws UserError and SystemError. */
  write(path: string, hasSecrets: boolean): Promise<BackupCounts>;
  /** Notes the time of the backup for the metrics of servers. Throws as `write` does. */
  note(): Promise<void>;
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

/** The time that who takes something back waits for another process. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Has SQLite take back what a process had begun that was killed in the middle, before the database had its WAL: who only reads may not, and
 * can read nothing while it lies there (https://sqlite.org/lockingv3.html#hot_journals). Does nothing where nothing was begun. Throws SQLiteError.
 */
export function takeBackUnfinished(path: string): void {
  if (sizeOf(`${path}-journal`) === 0) return;
  const database = new Database(path, { readwrite: true, create: false });
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.query("SELECT count(*) FROM sqlite_schema").get();
  } finally {
    database.close();
  }
}

/** Opens the file `path` for reading alone, whatever lies beside it. Throws SQLiteError. */
export function openReadOnly(path: string): Database {
  takeBackUnfinished(path);
  const database = new Database(path, { readonly: true, strict: true });
  database.run("PRAGMA trusted_schema = OFF");
  return database;
}

/** `path` as a URI of SQLite (https://sqlite.org/uri.html), to be read and never written. */
export function readOnlyUri(path: string): string {
  return `file://${resolve(path).split("/").map(encodeURIComponent).join("/")}?mode=ro`;
}

/** The flags of a new database that others are attached to by URI. */
export const NEW_WITH_URIS = constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_URI;

/** The mark before the checksum at the end of a backup, which SQLite does not look at. */
const SEAL_MARK = Buffer.from("handoff-backup-1");
const SEAL_BYTES = SEAL_MARK.length + 32;
const CHUNK_BYTES = 1024 * 1024;

/** Ends the backup `path` with the SHA-256 of all that is in it, and puts it onto the disk. */
export function seal(path: string): void {
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    writeSync(file, Buffer.concat([SEAL_MARK, hashOf(file, size)]), 0, SEAL_BYTES, size);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Takes the checksum off the file `path`. Returns "none" where it has none, and "damaged" where it is that of something else. */
export function breakSeal(path: string): "whole" | "none" | "damaged" {
  const file = openSync(path, "r+");
  try {
    const bytes = fstatSync(file).size - SEAL_BYTES;
    const found = Buffer.alloc(SEAL_BYTES);
    if (bytes < 0 || readSync(file, found, 0, SEAL_BYTES, bytes) < SEAL_BYTES) return "none";
    if (!found.subarray(0, SEAL_MARK.length).equals(SEAL_MARK)) return "none";
    if (!found.subarray(SEAL_MARK.length).equals(hashOf(file, bytes))) return "damaged";
    ftruncateSync(file, bytes);
    return "whole";
  } finally {
    closeSync(file);
  }
}

/** The SHA-256 of the first `bytes` of an open file. */
function hashOf(file: number, bytes: number): Buffer {
  const hasher = new Bun.CryptoHasher("sha256");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let at = 0; at < bytes;) {
    const read = readSync(file, chunk, 0, Math.min(CHUNK_BYTES, bytes - at), at);
    if (read === 0) break;
    hasher.update(chunk.subarray(0, read));
    at += read;
  }
  return hasher.digest();
}

/** Puts the file or folder `path` onto the disk. */
export function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
