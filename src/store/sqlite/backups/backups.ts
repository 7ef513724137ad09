import { join } from "node:path";
import { LATEST_VERSION } from "../engine/migrations.ts";
import { DATABASE_FILE } from "../files/data-folder.ts";
import { inspectDatabase, unreadable } from "../files/database-header.ts";
import { DatabaseError, isUnreadable } from "../files/errors.ts";
import { countRows, readOnlyUri, takeBackUnfinished } from "./backup-files.ts";
import type { BackupCounts, BackupFacts } from "./backup-files.ts";
import { copyTables, entriesAt } from "./known-tables.ts";
import { explainWrite, finishBackup, markAsBackup, openNewBackup } from "./new-backups.ts";

/**
 * The tables whose rows only a backup with secrets has: what was encrypted, what a call repeats, and what lets people in. The
 * rest is metadata, in which there is nothing to be opened.
 */
export const SECRET_TABLES: ReadonlySet<string> = new Set([
  "ciphertexts",
  "request_notes",
  "idempotent_calls",
  "human_tokens",
]);

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
    finishBackup(path, counts);
    return counts;
  } catch (error) {
    const explained = explainWrite(error, path);
    if (isUnreadable(explained) && !(explained instanceof DatabaseError)) throw unreadable(source, error);
    throw explained;
  }
}

function copy(source: string, path: string, facts: BackupFacts): BackupCounts {
  const database = openNewBackup(path);
  try {
    database.run("ATTACH ? AS source", [readOnlyUri(source)]);
    database.run("BEGIN");
    const version = database.query<{ user_version: number }, []>("PRAGMA source.user_version").get()?.user_version ?? 0;
    copyTables(database, entriesAt(version), (table) => facts.hasSecrets || !SECRET_TABLES.has(table));
    database.run(`PRAGMA main.user_version = ${version}`);
    markAsBackup(database, facts);
    const counts = countRows(database, "source");
    database.run("COMMIT");
    return counts;
  } finally {
    database.close();
  }
}
