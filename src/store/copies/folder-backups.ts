import type { Database } from "bun:sqlite";
import { lstatSync, lutimesSync } from "node:fs";
import { join } from "node:path";
import type { BlobStore } from "../../domain/ports/uploads.ts";
import { openFolderBlobs } from "../blobs/folder-blobs.ts";
import { LATEST_VERSION } from "../sqlite/engine/migrations.ts";
import { BLOBS_FOLDER, DATABASE_FILE } from "../sqlite/files/data-folder.ts";
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
import type { BackupCounts, BackupFacts, WrittenBackup } from "./backup-files.ts";
import { copyTables, entriesAt } from "./known-tables.ts";
import { copyLarge, selectLarge } from "./large-pieces.ts";
import type { LargeCiphertext } from "./large-pieces.ts";

/**
 * Writes a backup of the database in `folder` into the file `path`, also while a server runs, and checks it. It is a
 * snapshot, without the ciphertexts of large secrets, and nothing in `folder` changes. Throws DatabaseError; the caller
 * then removes the file.
 */
export function writeBackup(folder: string, path: string, facts: BackupFacts): BackupCounts {
  const source = sourceIn(folder);
  try {
    takeBackUnfinished(source);
    using database = openNewBackup(path);
    const { counts } = copy(database, source, facts);
    database.close();
    finishBackup(path, counts);
    return counts;
  } catch (error) {
    throw explain(error, source, path);
  }
}

/**
 * The same with the ciphertexts of large secrets, when the backup has secrets. A large secret that has ended meanwhile
 * is in it without.
 */
export async function writeWholeBackup(
  folder: string,
  path: string,
  facts: BackupFacts,
  blobs: BlobStore = openFolderBlobs(join(folder, BLOBS_FOLDER)),
): Promise<WrittenBackup> {
  const source = sourceIn(folder);
  try {
    takeBackUnfinished(source);
    using database = openNewBackup(path);
    const { counts, found } = copy(database, source, facts);
    // Outside of the snapshot: what is erased from a database that somebody reads stays in its WAL.
    const pointer = database.prepare("SELECT 1 FROM source.ciphertexts WHERE secret_seq = ? AND ciphertext = ?");
    const isThere = ({ seq, uploadId }: LargeCiphertext) => pointer.get(seq, uploadId) !== null;
    const large = await copyLarge(database, found, blobs, isThere);
    database.close();
    finishBackup(path, counts);
    return { counts, large };
  } catch (error) {
    throw explain(error, source, path);
  }
}

/** The database file in `folder`. Throws DatabaseError when it isn't one. */
function sourceIn(folder: string): string {
  const source = join(folder, DATABASE_FILE);
  inspectDatabase(source, LATEST_VERSION);
  return source;
}

function explain(error: unknown, source: string, path: string): unknown {
  const explained = explainWrite(error, path);
  return isUnreadable(explained) && !(explained instanceof DatabaseError) ? unreadable(source, error) : explained;
}

/** Copies one moment of the database file `source`. Returns its large secrets too, whose ciphertexts aren't copied. */
function copy(database: Database, source: string, facts: BackupFacts) {
  database.run("ATTACH ? AS source", [readOnlyUri(source)]);
  database.run("BEGIN");
  const version = numberIn(database, "PRAGMA source.user_version");
  copyTables(database, entriesAt(version), (table) => backedUpRows(table, facts.hasSecrets));
  database.run(`PRAGMA main.user_version = ${version}`);
  markAsBackup(database, facts);
  const counts = countRows(database, "source");
  const found = facts.hasSecrets ? database.query<LargeCiphertext, []>(selectLarge("source")).all() : [];
  database.run("COMMIT");
  return { counts, found };
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
