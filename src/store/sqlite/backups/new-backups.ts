import type { Database } from "bun:sqlite";
import { dirname } from "node:path";
import { StatementKeeper } from "../engine/database.ts";
import { PAGE_BYTES } from "../files/ciphertext-pages.ts";
import { BACKUP_ID } from "../files/database-header.ts";
import { DatabaseError, isDiskFull, isWantOfRoom } from "../files/errors.ts";
import { noRoom } from "../files/refused-writes.ts";
import { BACKUP_TABLE_ENTRY, countRows, findDamage, NEW_WITH_URIS, openReadOnly, seal } from "./backup-files.ts";
import type { BackupCounts, BackupFacts } from "./backup-files.ts";

/** The time that a statement waits for another process. */
const BUSY_TIMEOUT_MS = 5000;

/** Opens the file `path`, which is empty or not there, for a backup to be written into it, or for what one was made of. Throws SQLiteError. */
export function openNewBackup(path: string): Database {
  const database = new StatementKeeper(path, NEW_WITH_URIS);
  database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  // Nobody reads the file before it is whole, and it goes to the disk once, at the end.
  database.run("PRAGMA journal_mode = OFF");
  database.run("PRAGMA synchronous = OFF");
  database.run(`PRAGMA page_size = ${PAGE_BYTES}`);
  database.run("PRAGMA auto_vacuum = INCREMENTAL");
  return database;
}

/** Has a database with all that a backup has say that it is one. */
export function markAsBackup(database: Database, { takenAt, hasSecrets }: BackupFacts): void {
  database.run(BACKUP_TABLE_ENTRY.sql);
  database.run(`INSERT INTO ${BACKUP_TABLE_ENTRY.name} VALUES (?, ?)`, [takenAt, hasSecrets ? 1 : 0]);
  database.run(`PRAGMA main.application_id = ${BACKUP_ID}`);
}

/** Checks the backup `path`, puts it onto the disk, and ends it with a checksum. Throws DatabaseError when it has not what it should have. */
export function finishBackup(path: string, expected: BackupCounts): void {
  const database = openReadOnly(path);
  try {
    const damage = findDamage(database);
    const counts = countRows(database);
    const isWhole = Object.entries(counts).every(([name, count]) => expected[name as keyof BackupCounts] === count);
    if (damage !== undefined || !isWhole) {
      throw new DatabaseError(
        `the backup is not what was written (${damage ?? "rows are missing"}), and isn't kept. Check the disk of '${dirname(path)}', and whether the database itself is sound`,
      );
    }
  } finally {
    database.close();
  }
  seal(path);
}

/** The error for a backup `path` that could not be written because of `error`: a DatabaseError for want of room, any other as it is. */
export function explainWrite(error: unknown, path: string): unknown {
  return isDiskFull(error) || isWantOfRoom(error) ? new DatabaseError(noRoom(dirname(path))) : error;
}
