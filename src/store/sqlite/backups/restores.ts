import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { MonotonicClock } from "../../../domain/clocks.ts";
import type { Operator } from "../../../domain/ports/admin-log.ts";
import type { Ids } from "../../../domain/ports/sources.ts";
import { createAdminLog } from "../admin-log.ts";
import { openOrm } from "../engine/context.ts";
import { openDatabase } from "../engine/database.ts";
import { LATEST_VERSION, recountStoredBytes, renewInstallation } from "../engine/migrations.ts";
import { DATABASE_FILE, openDataFolder, RESTORE_FOLDER } from "../files/data-folder.ts";
import { APPLICATION_ID, BACKUP_ID, newerVersion } from "../files/database-header.ts";
import { DatabaseError, isDiskFull, isWantOfRoom } from "../files/errors.ts";
import { sizeOf } from "../files/file-sizes.ts";
import { giveToOwner } from "../files/owners.ts";
import { noRoom } from "../files/refused-writes.ts";
import { lockFolder } from "../files/server-lock.ts";
import { BACKUP_TABLE, breakSeal, countRows, findDamage, openReadOnly, sync } from "./backup-files.ts";
import type { BackupCounts, BackupFacts } from "./backup-files.ts";
import { endEverything } from "./endings.ts";
import type { Ended } from "./endings.ts";

export interface RestoreOptions {
  /** The data folder; it must have no database, and is made if it is not there. */
  readonly folder: string;
  /** Writes the backup into the file of this path, which is not there. */
  readonly write: (path: string) => Promise<void>;
  /** The name of the backup as the caller gave it, for messages. */
  readonly given: string;
  /** True when what was open goes on. */
  readonly keepSecrets: boolean;
  /** The time for which the metadata of what ends is kept. */
  readonly tombstoneSeconds: number;
  /** The one who restores. */
  readonly operator: Operator;
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  /** The reason why there is no room for it, and what to do, where the folder is not the one whom people know. */
  readonly explainNoRoom?: (() => string) | undefined;
}

/** The things that were put back, and what of them was open and has ended. */
export interface Restored extends BackupFacts {
  readonly rows: BackupCounts;
  readonly ended: Ended;
}

/**
 * Puts a backup back as the database of `folder`, checked and brought up to date. What was open in it has ended, unless it is
 * kept. Until all of that is done and on the disk, `folder` has no database. Throws DatabaseError, with nothing left behind.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { folder, write, given, keepSecrets } = options;
  const stage = join(folder, RESTORE_FOLDER);
  // Left by one that was killed.
  rmSync(stage, { recursive: true, force: true });
  openDataFolder(folder);
  refuseDatabase(folder);
  try {
    makeStage(stage);
    const path = join(stage, DATABASE_FILE);
    await write(path);
    giveFileToOwner(path);
    checkSeal(path, given);
    const facts = readBackup(path, given);
    if (keepSecrets && !facts.hasSecrets) throw withoutSecrets(given);
    becomeDatabase(path);
    const rows = bringUpToDate(stage, facts, options);
    const ended = keepSecrets
      ? { secrets: 0, requests: 0 }
      : await endEverything({ ...options, folder: stage, ballastBytes: 0 });
    sync(path);
    renameSync(path, join(folder, DATABASE_FILE));
    sync(folder);
    return { ...facts, rows, ended };
  } catch (error) {
    const isFull = isDiskFull(error) || isWantOfRoom(error) || (error instanceof Error && isDiskFull(error.cause));
    // Without its cause: what is free is another number once this is tidied up.
    throw isFull ? new DatabaseError(options.explainNoRoom?.() ?? noRoom(folder)) : error;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Throws DatabaseError when there is a database in `folder`, in words of its own when a server runs on it. */
function refuseDatabase(folder: string): void {
  const path = join(folder, DATABASE_FILE);
  if (sizeOf(path) === 0) return;
  // Throws when a server runs on it, which would go on with the file that it has open.
  lockFolder(folder)();
  throw new DatabaseError(
    `there is a database in '${folder}', and nothing was changed. A backup is restored into an empty data folder: move '${path}' away, with the files beside it, or name another folder with --data-dir`,
  );
}

function makeStage(stage: string): void {
  mkdirSync(stage, { mode: 0o700 });
  giveFileToOwner(stage);
}

function giveFileToOwner(path: string): void {
  const file = openSync(path, "r");
  try {
    giveToOwner(file, path);
  } finally {
    closeSync(file);
  }
}

/** Throws DatabaseError unless the file is a backup as it was written, to the last bit. */
function checkSeal(path: string, given: string): void {
  const seal = breakSeal(path);
  if (seal === "none") throw noBackup(given);
  if (seal === "damaged") throw damaged(given, "it isn't what was written");
}

/** The facts of the backup `path`. Throws DatabaseError when it is none, damaged, or of a later version. */
function readBackup(path: string, given: string): BackupFacts {
  let database: Database | undefined;
  try {
    database = openReadOnly(path);
    const id = database.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id;
    if (id !== BACKUP_ID) throw noBackup(given);
    const version = database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
    if (version > LATEST_VERSION) throw newerVersion(given);
    const damage = findDamage(database);
    if (damage !== undefined) throw damaged(given, damage);
    const row = database
      .query<{ taken_at: number; has_secrets: number }, []>(`SELECT taken_at, has_secrets FROM ${BACKUP_TABLE}`)
      .get();
    if (!row) throw noBackup(given);
    return { takenAt: row.taken_at, hasSecrets: row.has_secrets === 1 };
  } catch (error) {
    if (!(error instanceof SQLiteError) || isDiskFull(error)) throw error;
    throw error.code === "SQLITE_NOTADB" ? noBackup(given) : damaged(given, error.message);
  } finally {
    database?.close();
  }
}

function becomeDatabase(path: string): void {
  const database = new Database(path, { readwrite: true, create: false });
  try {
    // The file is no database of ours before the last statement.
    database.run(`DROP TABLE ${BACKUP_TABLE}`);
    database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  } finally {
    database.close();
  }
}

function bringUpToDate(folder: string, { takenAt }: BackupFacts, { clock, operator }: RestoreOptions): BackupCounts {
  const database = openDatabase(folder);
  try {
    recountStoredBytes(database);
    renewInstallation(database);
    const details = { backup_taken_at: new Date(takenAt).toISOString() };
    createAdminLog({ orm: openOrm(database), clock, operator }).record({ action: "database.restored", details });
    return countRows(database);
  } finally {
    database.close();
  }
}

function noBackup(given: string): DatabaseError {
  return new DatabaseError(
    `'${given}' is no backup, or not all of one: those are made by 'handoff admin backup'. Nothing was restored`,
  );
}

function damaged(given: string, how: string): DatabaseError {
  return new DatabaseError(`the backup '${given}' is damaged (${how}). Nothing was restored. Take another one`);
}

function withoutSecrets(given: string): DatabaseError {
  return new DatabaseError(
    `the backup '${given}' has no ciphertexts, so there is nothing that --keep-secrets could keep. Nothing was restored. Leave that out, or make the backup with --with-secrets`,
  );
}
