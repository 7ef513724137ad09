import { lstatSync, lutimesSync } from "node:fs";
import { join } from "node:path";
import { LATEST_VERSION } from "../sqlite/engine/migrations.ts";
import { DATABASE_FILE } from "../sqlite/files/data-folder.ts";
import { inspectDatabase, unreadable } from "../sqlite/files/database-header.ts";
import { DatabaseError, isUnreadable } from "../sqlite/files/errors.ts";
import { makeFile } from "../sqlite/files/owners.ts";
import {
  backedUpRows,
  countRows,
  explainWrite,
  finishBackup,
  markAsBackup,
  numberIn,
  openNewBackup,
  readOnlyUri,
  takeBackUnfinished,
} from "./backup-files.ts";
import type { BackupCounts, BackupFacts } from "./backup-files.ts";
import { copyTables, entriesAt } from "./known-tables.ts";

/**
 * Writes a backup of the database in `folder` into the file `path`, also while a server runs, and checks it. It is a
 * snapshot, and nothing in `folder` changes. Throws DatabaseError; the caller then removes the file.
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
  using database = openNewBackup(path);
  database.run("ATTACH ? AS source", [readOnlyUri(source)]);
  database.run("BEGIN");
  const version = numberIn(database, "PRAGMA source.user_version");
  copyTables(database, entriesAt(version), (table) => backedUpRows(table, facts.hasSecrets));
  database.run(`PRAGMA main.user_version = ${version}`);
  markAsBackup(database, facts);
  const counts = countRows(database, "source");
  database.run("COMMIT");
  return counts;
}

/**
 * An empty file whose modification time is that of the last backup. The server may not be allowed to read root's files.
 */
const LAST_BACKUP_FILE = "last-backup";

/** Notes in the data folder that a backup was made. Throws DatabaseError, and the error of the file system. */
export function noteBackup(folder: string, epochMs: number): void {
  const path = join(folder, LAST_BACKUP_FILE);
  makeFile(path);
  // Even if the file was replaced meanwhile, no link is followed.
  lutimesSync(path, epochMs / 1000, epochMs / 1000);
}

/** The time of the last backup in epoch milliseconds; undefined when none was noted. */
export function findLastBackup(folder: string): number | undefined {
  try {
    return lstatSync(join(folder, LAST_BACKUP_FILE), { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}
