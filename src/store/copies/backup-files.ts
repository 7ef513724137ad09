import { constants, Database } from "bun:sqlite";
import { fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { LARGE_VERSION } from "../../contract/states.ts";
import { StatementKeeper } from "../sqlite/engine/database.ts";
import { PAGE_BYTES } from "../sqlite/files/ciphertext-pages.ts";
import { BACKUP_ID } from "../sqlite/files/database-header.ts";
import { DatabaseError, isDiskFull, isWantOfRoom } from "../sqlite/files/errors.ts";
import { sizeOf, withFile } from "../sqlite/files/plain-files.ts";
import { noRoom } from "../sqlite/files/refused-writes.ts";
import type { CopiedLarge } from "./large-pieces.ts";

/** The table of a backup, whose one row says what the backup is. */
export const BACKUP_TABLE_ENTRY = {
  name: "backup",
  sql: "CREATE TABLE backup (taken_at INTEGER NOT NULL, has_secrets INTEGER NOT NULL)",
};

/** What a backup says about itself. */
export interface BackupFacts {
  /** The time of its snapshot, in epoch milliseconds. */
  readonly takenAt: number;
  /** True when it has the rows of `SECRET_TABLES`. */
  readonly hasSecrets: boolean;
}

/** The numbers of rows in a backup or a database. */
export type BackupCounts = Readonly<Record<"teams" | "identities" | "keys" | "secrets" | "requests", number>>;

/** What was written into a backup. */
export interface WrittenBackup {
  readonly counts: BackupCounts;
  readonly large: CopiedLarge;
}

/** A database at or since one moment. Disposing of it lets the next backup begin. */
export interface BackupOrigin extends AsyncDisposable {
  /** The installation id. */
  readonly installation: string;
  /** The time of the backup, in epoch milliseconds. */
  readonly takenAt: number;
  /** Writes a backup into the empty or missing file `path`, and checks it. Throws UserError and SystemError. */
  write(path: string, hasSecrets: boolean): Promise<WrittenBackup>;
  /** Notes the time of the backup for the metrics of servers. Throws as `write` does. */
  note(): Promise<void>;
}

/**
 * The tables whose rows only a backup with secrets has: ciphertexts, repeatable calls, sign-in links and sessions. The
 * other tables have metadata, which opens nothing.
 */
export const SECRET_TABLES: ReadonlySet<string> = new Set([
  "ciphertexts",
  "request_notes",
  "idempotent_calls",
  "human_tokens",
  "sessions",
  "attempts",
  "logins",
]);

/**
 * The condition for the rows of `table` that a backup takes from the attached database `source`, or gives back;
 * undefined for none of them. The ciphertexts of large secrets are elsewhere, and are copied by themselves.
 */
export function backedUpRows(table: string, hasSecrets: boolean): string | undefined {
  if (table === "uploads" || (SECRET_TABLES.has(table) && !hasSecrets)) return undefined;
  if (table !== "ciphertexts") return "true";
  return `secret_seq NOT IN (SELECT seq FROM source.secrets NOT INDEXED WHERE envelope_version = ${LARGE_VERSION})`;
}

/** Counts the rows of `database`, in the tables of `schema`. A table that an earlier version lacks has none. */
export function countRows(database: Database, schema = "main"): BackupCounts {
  const count = (table: string) =>
    hasTable(database, table, schema) ? numberIn(database, `SELECT count(*) FROM ${schema}.${table}`) : 0;
  return {
    teams: count("teams"),
    identities: count("identities"),
    keys: count("api_keys"),
    secrets: count("secrets"),
    requests: count("requests"),
  };
}

/** True when `database` has a table of this name. An earlier version may lack one. */
export function hasTable(database: Database, name: string, schema = "main"): boolean {
  const tables = database.query(`SELECT 1 FROM ${schema}.sqlite_schema WHERE type = 'table' AND name = ?`);
  return tables.get(name) !== null;
}

/** The number that `sql` selects; 0 when there is none. */
export function numberIn(database: Database, sql: string): number {
  const value = Object.values(database.query<Record<string, unknown>, []>(sql).get() ?? {})[0];
  return typeof value === "number" ? value : 0;
}

/** SQLite's first complaint about `database`, foreign keys included; undefined when it is intact. */
export function findDamage(database: Database): string | undefined {
  const rows = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
  const complaint = rows.map((row) => row.integrity_check).find((text) => text !== "ok");
  if (complaint !== undefined) return complaint;
  const [dangling] = database.query<{ table: string }, []>("PRAGMA foreign_key_check").all();
  return dangling && `a row of ${dangling.table} belongs to one that is not there`;
}

/** How long a statement waits for another process. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Rolls back the transaction of a process that was killed before the database had its WAL. A read-only connection can't
 * do that, and can read nothing before (https://sqlite.org/lockingv3.html#hot_journals). Throws SQLiteError.
 */
export function takeBackUnfinished(path: string): void {
  if (sizeOf(`${path}-journal`) === 0) return;
  using database = new Database(path, { readwrite: true, create: false });
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  database.query("SELECT count(*) FROM sqlite_schema").get();
}

/** Opens the file `path` read-only, with or without a WAL. Throws SQLiteError. */
export function openReadOnly(path: string): Database {
  takeBackUnfinished(path);
  const database = new Database(path, { readonly: true, strict: true });
  database.run("PRAGMA trusted_schema = OFF");
  return database;
}

/** `path` as a read-only URI of SQLite (https://sqlite.org/uri.html). */
export function readOnlyUri(path: string): string {
  return `${Bun.pathToFileURL(path).href}?mode=ro`;
}

/** Opens the empty or missing file `path` for a backup, or for its rows. Throws SQLiteError. */
export function openNewBackup(path: string): Database {
  const { SQLITE_OPEN_READWRITE, SQLITE_OPEN_CREATE, SQLITE_OPEN_URI } = constants;
  const database = new StatementKeeper(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI);
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Nobody reads the file before it is complete, and it is flushed once, at the end.
  database.run("PRAGMA journal_mode = OFF");
  database.run("PRAGMA synchronous = OFF");
  database.run(`PRAGMA page_size = ${PAGE_BYTES}`);
  database.run("PRAGMA auto_vacuum = INCREMENTAL");
  return database;
}

/** Marks a database that has all rows of a backup as one. */
export function markAsBackup(database: Database, { takenAt, hasSecrets }: BackupFacts): void {
  database.run(BACKUP_TABLE_ENTRY.sql);
  database.run(`INSERT INTO ${BACKUP_TABLE_ENTRY.name} VALUES (?, ?)`, [takenAt, hasSecrets ? 1 : 0]);
  database.run(`PRAGMA main.application_id = ${BACKUP_ID}`);
}

/**
 * Checks the backup `path`, and seals it. Throws DatabaseError when its rows aren't the `expected` ones, or it is
 * damaged.
 */
export function finishBackup(path: string, expected: BackupCounts): void {
  using database = openReadOnly(path);
  const damage = findDamage(database);
  if (damage !== undefined || !Bun.deepEquals(countRows(database), expected)) {
    throw new DatabaseError(
      `the backup is not what was written (${damage ?? "rows are missing"}), and isn't kept. Check the disk of '${dirname(path)}', and whether the database itself is sound`,
    );
  }
  database.close();
  seal(path);
}

/** The error for a backup `path` whose writing failed: a DatabaseError on a full disk, otherwise `error` itself. */
export function explainWrite(error: unknown, path: string): unknown {
  return isDiskFull(error) || isWantOfRoom(error) ? new DatabaseError(noRoom(dirname(path))) : error;
}

/** The mark before the checksum at the end of a backup. SQLite ignores both. */
const SEAL_MARK = Buffer.from("handoff-backup-1");
const SEAL_BYTES = SEAL_MARK.length + 32;
const CHUNK_BYTES = 1024 * 1024;

/** Appends the SHA-256 of the backup `path` to it, and flushes it. */
export function seal(path: string): void {
  withFile(path, "r+", (file) => {
    const { size } = fstatSync(file);
    writeSync(file, Buffer.concat([SEAL_MARK, hashOf(file, size)]), 0, SEAL_BYTES, size);
    fsyncSync(file);
  });
}

/** Removes the checksum from the file `path`. Returns "none" when it has none, and "damaged" when it does not match. */
export function breakSeal(path: string): "whole" | "none" | "damaged" {
  return withFile(path, "r+", (file) => {
    const bytes = fstatSync(file).size - SEAL_BYTES;
    const found = Buffer.alloc(SEAL_BYTES);
    if (bytes < 0 || readSync(file, found, 0, SEAL_BYTES, bytes) < SEAL_BYTES) return "none";
    if (!found.subarray(0, SEAL_MARK.length).equals(SEAL_MARK)) return "none";
    if (!found.subarray(SEAL_MARK.length).equals(hashOf(file, bytes))) return "damaged";
    ftruncateSync(file, bytes);
    return "whole";
  });
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

/** Flushes the file or folder `path`. */
export function sync(path: string): void {
  withFile(path, "r", fsyncSync);
}
