import { Database } from "bun:sqlite";
import { dirname, join } from "node:path";
import { LATEST_VERSION } from "../engine/migrations.ts";
import { PAGE_BYTES } from "../files/ciphertext-pages.ts";
import { DATABASE_FILE } from "../files/data-folder.ts";
import { BACKUP_ID, inspectDatabase, unreadable } from "../files/database-header.ts";
import { DatabaseError, isDiskFull, isUnreadable, isWantOfRoom } from "../files/errors.ts";
import { noRoom } from "../files/refused-writes.ts";
import {
  BACKUP_TABLE,
  countRows,
  findDamage,
  NEW_WITH_URIS,
  openReadOnly,
  readOnlyUri,
  seal,
  takeBackUnfinished,
} from "./backup-files.ts";
import type { BackupCounts, BackupFacts } from "./backup-files.ts";

/** The time that a statement waits for another process. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * The tables whose rows only a backup with secrets has: what was encrypted, what a call repeats, and what lets people in. The
 * rest is metadata, in which there is nothing to be opened.
 */
const SECRET_TABLES: ReadonlySet<string> = new Set([
  "ciphertexts",
  "request_notes",
  "idempotent_calls",
  "human_tokens",
]);

interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/**
 * Writes a backup of the database in `folder` into the file `path`, which must not be there, and checks it. The server may
 * be running: the backup has one moment of the database, and nothing in `folder` changes. It is on the disk when this
 * returns, with a checksum at its end; what was begun is left to the caller to remove when it throws DatabaseError.
 */
export function writeBackup(folder: string, path: string, facts: BackupFacts): BackupCounts {
  const source = join(folder, DATABASE_FILE);
  inspectDatabase(source, LATEST_VERSION);
  try {
    takeBackUnfinished(source);
    const counts = copy(source, path, facts);
    check(path, counts);
    seal(path);
    return counts;
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    if (isDiskFull(error) || isWantOfRoom(error)) throw new DatabaseError(noRoom(dirname(path)));
    if (isUnreadable(error)) throw unreadable(source, error);
    throw error;
  }
}

function copy(source: string, path: string, { takenAt, hasSecrets }: BackupFacts): BackupCounts {
  const database = new Database(path, NEW_WITH_URIS);
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    // Nobody reads the file before it is whole, and it goes to the disk once, at the end.
    database.run("PRAGMA journal_mode = OFF");
    database.run("PRAGMA synchronous = OFF");
    database.run(`PRAGMA page_size = ${PAGE_BYTES}`);
    database.run("PRAGMA auto_vacuum = INCREMENTAL");
    database.run("ATTACH ? AS source", [readOnlyUri(source)]);
    database.run("BEGIN");
    const entries = database
      .query<SchemaEntry, []>(
        "SELECT type, name, sql FROM source.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    const tables = entries.filter(({ type }) => type === "table");
    for (const { sql } of tables) database.run(sql);
    for (const { name } of tables) {
      if (hasSecrets || !SECRET_TABLES.has(name)) {
        database.run(`INSERT INTO main."${name}" SELECT * FROM source."${name}"`);
      }
    }
    // Afterwards, which takes a fraction of the time.
    for (const { sql } of entries.filter(({ type }) => type !== "table")) database.run(sql);
    database.run(`CREATE TABLE ${BACKUP_TABLE} (taken_at INTEGER NOT NULL, has_secrets INTEGER NOT NULL)`);
    database.run(`INSERT INTO ${BACKUP_TABLE} VALUES (?, ?)`, [takenAt, hasSecrets ? 1 : 0]);
    const version = database.query<{ user_version: number }, []>("PRAGMA source.user_version").get()?.user_version;
    database.run(`PRAGMA main.user_version = ${version}`);
    database.run(`PRAGMA main.application_id = ${BACKUP_ID}`);
    const counts = countRows(database, "source");
    database.run("COMMIT");
    return counts;
  } finally {
    database.close();
  }
}

/** Throws DatabaseError when the file is not what was copied. */
function check(path: string, expected: BackupCounts): void {
  const database = openReadOnly(path);
  try {
    const damage = findDamage(database);
    const counts = countRows(database);
    const isWhole = Object.entries(counts).every(([name, count]) => expected[name as keyof BackupCounts] === count);
    if (damage === undefined && isWhole) return;
    throw new DatabaseError(
      `the backup is not what was written (${damage ?? "rows are missing"}), and isn't kept. Check the disk of '${dirname(path)}', and whether the database itself is sound`,
    );
  } finally {
    database.close();
  }
}
