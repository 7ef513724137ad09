import { join } from "node:path";
import { LATEST_VERSION } from "../sqlite/engine/migrations.ts";
import { DATABASE_FILE } from "../sqlite/files/data-folder.ts";
import { inspectDatabase, unreadable } from "../sqlite/files/database-header.ts";
import { DatabaseError, isUnreadable } from "../sqlite/files/errors.ts";
import {
  countRows,
  explainWrite,
  finishBackup,
  markAsBackup,
  numberIn,
  openNewBackup,
  readOnlyUri,
  SECRET_TABLES,
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
  copyTables(database, entriesAt(version), (table) => facts.hasSecrets || !SECRET_TABLES.has(table));
  database.run(`PRAGMA main.user_version = ${version}`);
  markAsBackup(database, facts);
  const counts = countRows(database, "source");
  database.run("COMMIT");
  return counts;
}
