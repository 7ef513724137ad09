import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { Operator } from "../../domain/ports/admin-log.ts";
import type { Ids } from "../../domain/ports/sources.ts";
import type { MonotonicClock } from "../../domain/values/clocks.ts";
import { openFolderBlobs } from "../blobs/folder-blobs.ts";
import { createAdminLog } from "../sqlite/admin-log.ts";
import { openOrm } from "../sqlite/engine/context.ts";
import { openDatabase } from "../sqlite/engine/database.ts";
import { recountStoredBytes, renewInstallation } from "../sqlite/engine/migrations.ts";
import { BLOBS_FOLDER, DATABASE_FILE, openDataFolder, RESTORE_FOLDER } from "../sqlite/files/data-folder.ts";
import { DatabaseError, isDiskFull, isWantOfRoom } from "../sqlite/files/errors.ts";
import { giveToOwner, refuseLink } from "../sqlite/files/owners.ts";
import { findSize, sizeOf, withFile } from "../sqlite/files/plain-files.ts";
import { noRoom } from "../sqlite/files/refused-writes.ts";
import { lockFolder } from "../sqlite/files/server-lock.ts";
import { countRows, numberIn, sync } from "./backup-files.ts";
import type { BackupCounts, BackupFacts } from "./backup-files.ts";
import { endEverything, endLargeSecrets } from "./endings.ts";
import type { Ended } from "./endings.ts";
import type { LargeCounts } from "./large-pieces.ts";
import { adoptReceived, checkBackup, copyBackup, refuseWrongRows, writeReceived } from "./received-backups.ts";
import type { ReceivedBackup } from "./received-backups.ts";

/** The name of the backup in the folder in which it becomes a database. */
const RECEIVED_FILE = "received.backup";

export interface RestoreOptions {
  /** The data folder; it must have no database, and is created if it is missing. */
  readonly folder: string;
  /** Writes the backup into a new file with this path. */
  readonly write: (path: string) => Promise<void>;
  /** The name of the backup as the caller gave it, for messages. */
  readonly given: string;
  /** True when open secrets and requests stay open, except large secrets whose ciphertexts the backup doesn't have. */
  readonly keepSecrets: boolean;
  /** True where large secrets have no place. They end. */
  readonly leavesLarge?: boolean;
  /** How long the metadata of ended secrets and requests is kept. */
  readonly tombstoneSeconds: number;
  readonly operator: Operator;
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  /** Says that there is no room, and what to do, when the folder is a temporary one. */
  readonly explainNoRoom?: (() => string) | undefined;
}

/** The numbers of restored rows, and of the secrets and requests that were ended. */
export interface Restored extends BackupFacts {
  readonly rows: BackupCounts;
  readonly ended: Ended;
  /** The large secrets that are kept. */
  readonly large: LargeCounts;
}

/**
 * Makes the database of `folder` from the rows of a backup, checked and upgraded, and from nothing else in its file.
 * Ends open secrets and requests, unless they are kept. `folder` gets a database only when all of this is done and
 * flushed. Throws DatabaseError, with nothing left behind.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { folder, write, given, keepSecrets } = options;
  const stage = join(folder, RESTORE_FOLDER);
  // A killed restore has left it.
  rmSync(stage, { recursive: true, force: true });
  openDataFolder(folder);
  refuseDatabase(folder);
  try {
    mkdirSync(stage, { mode: 0o700 });
    withFile(stage, "r", (file) => giveToOwner(file, stage));
    const path = join(stage, DATABASE_FILE);
    const backup = { path: join(stage, RECEIVED_FILE), given };
    await write(backup.path);
    const facts = checkBackup(backup, options.clock.now());
    if (keepSecrets && !facts.hasSecrets) throw withoutSecrets(given);
    copyBackup(backup, facts.version, path);
    const large = facts.hasLarge && keepSecrets && options.leavesLarge !== true ? backup : undefined;
    if (!large) rmSync(backup.path);
    const rows = bringUpToDate(stage, facts, large, options);
    const ended = await endOpen(stage, options);
    const kept = large ? await writeBlobs(stage, large, options) : { secrets: 0, bytes: 0 };
    sync(path);
    putInto(folder, stage);
    return { takenAt: facts.takenAt, hasSecrets: facts.hasSecrets, rows, ended, large: kept };
  } catch (error) {
    const errors = [error, ...(error instanceof Error ? [error.cause] : [])];
    const isFull = errors.some((each) => isDiskFull(each) || isWantOfRoom(each));
    // Without its cause, because the free space it names changes when this is cleaned up.
    throw isFull ? new DatabaseError(options.explainNoRoom?.() ?? noRoom(folder)) : error;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Ends what doesn't stay open in the restored database of `folder`. */
async function endOpen(folder: string, options: RestoreOptions): Promise<Ended> {
  const where = { ...options, folder, ballastBytes: 0 };
  if (!options.keepSecrets) return endEverything(where);
  // It closes after the store, and so empties the WAL.
  using database = openDatabase(folder);
  const condition = `state = 'available' AND envelope_version = ${LARGE_VERSION}`;
  if (numberIn(database, `SELECT count(*) FROM secrets WHERE ${condition}`) === 0) return { secrets: 0, requests: 0 };
  const find = database.prepare("SELECT 1 FROM ciphertexts JOIN secrets ON seq = secret_seq WHERE id = ?");
  return await endLargeSecrets(where, (id) => find.get(id) !== null);
}

/** Writes the ciphertexts of large secrets beside the restored database of `stage`. */
async function writeBlobs(
  stage: string,
  backup: ReceivedBackup,
  { folder, explainNoRoom }: RestoreOptions,
): Promise<LargeCounts> {
  // A temporary folder may be elsewhere.
  const advice = explainNoRoom ? "Make room, or name another directory with the variable TMPDIR" : "Make room";
  using database = openDatabase(stage);
  const counts = await writeReceived(database, backup, openFolderBlobs(join(stage, BLOBS_FOLDER), 0), {
    folder,
    advice,
  });
  rmSync(backup.path);
  return counts;
}

/** Moves what was restored in `stage` to its place in `folder`. The database is the last: with it, all is there. */
function putInto(folder: string, stage: string): void {
  const [from, to] = [join(stage, BLOBS_FOLDER), join(folder, BLOBS_FOLDER)];
  const names = findSize(from) === undefined ? [] : readdirSync(from);
  try {
    // A server erases what a killed restore leaves there.
    if (names.length > 0) makeBlobsFolder(to);
    for (const name of names) renameSync(join(from, name), join(to, name));
    if (names.length > 0) sync(to);
    renameSync(join(stage, DATABASE_FILE), join(folder, DATABASE_FILE));
  } catch (error) {
    for (const name of names) rmSync(join(to, name), { force: true });
    throw error;
  }
  sync(folder);
}

function makeBlobsFolder(path: string): void {
  refuseLink(path);
  if (findSize(path) !== undefined) return;
  mkdirSync(path, { mode: 0o700 });
  withFile(path, "r", (file) => giveToOwner(file, path));
}

/** Throws DatabaseError when there is a database in `folder`, with another message when a server runs on it. */
function refuseDatabase(folder: string): void {
  const path = join(folder, DATABASE_FILE);
  if (sizeOf(path) === 0) return;
  // Throws when a server runs on it, which would continue with its open file.
  lockFolder(folder)[Symbol.dispose]();
  throw new DatabaseError(
    `there is a database in '${folder}', and nothing was changed. A backup is restored into an empty data folder: move '${path}' away, with the files beside it, or name another folder with --data-dir`,
  );
}

function bringUpToDate(
  folder: string,
  { takenAt }: BackupFacts,
  large: ReceivedBackup | undefined,
  { clock, operator, given, ids }: RestoreOptions,
): BackupCounts {
  using database = openDatabase(folder);
  refuseWrongRows(database, given);
  if (large) adoptReceived(database, large, ids);
  recountStoredBytes(database);
  renewInstallation(database);
  // Those that waited then were sent since, or nobody waits for them any more.
  database.run("DELETE FROM mails");
  const details = { backup_taken_at: new Date(takenAt).toISOString() };
  createAdminLog({ orm: openOrm(database), clock, operator }).record({ action: "database.restored", details });
  return countRows(database);
}

function withoutSecrets(given: string): DatabaseError {
  return new DatabaseError(
    `the backup '${given}' has no ciphertexts, so there is nothing that --keep-secrets could keep. Nothing was restored. Leave that out, or make the backup with --with-secrets`,
  );
}
