import { constants, SQLiteError } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { toIsoTime } from "../../contract/times.ts";
import type { Ids } from "../../domain/ports/sources.ts";
import type { BlobStore } from "../../domain/ports/uploads.ts";
import { findClockDoubt } from "../../domain/values/clocks.ts";
import { StatementKeeper } from "../sqlite/engine/database.ts";
import { LATEST_VERSION } from "../sqlite/engine/migrations.ts";
import { APPLICATION_ID, BACKUP_ID, newerVersion } from "../sqlite/files/database-header.ts";
import { DatabaseError, isDiskFull } from "../sqlite/files/errors.ts";
import { makeFile } from "../sqlite/files/owners.ts";
import {
  backedUpRows,
  BACKUP_TABLE_ENTRY,
  breakSeal,
  findDamage,
  hasTable,
  numberIn,
  openNewBackup,
  readOnlyUri,
} from "./backup-files.ts";
import type { BackupFacts } from "./backup-files.ts";
import { copyTables, entriesAt, findForeignTable } from "./known-tables.ts";
import type { SchemaEntry } from "./known-tables.ts";
import { LARGE_TABLES } from "./large-pieces.ts";
import type { LargeCounts } from "./large-pieces.ts";
import { adoptLarge, writeLarge } from "./received-pieces.ts";
import type { Room } from "./received-pieces.ts";
import { findWrongRow, LATEST_TIME } from "./row-rules.ts";

/** A backup to check. */
export interface ReceivedBackup {
  /** Its file, which nobody else uses. */
  readonly path: string;
  /** Its name as the caller gave it, for messages. */
  readonly given: string;
}

/** A checked backup, and the number of migrations that had run on its database. */
export interface CheckedBackup extends BackupFacts {
  readonly version: number;
  /** True when it has ciphertexts of large secrets, of which nothing is checked yet. */
  readonly hasLarge: boolean;
}

/**
 * Checks the backup without running anything in it, and removes its checksum. Throws DatabaseError when it is no
 * backup, is damaged or of a later version, has other tables than its version, or has seen a time far beyond `now`, in
 * epoch milliseconds.
 */
export function checkBackup(backup: ReceivedBackup, now: number): CheckedBackup {
  const { path, given } = backup;
  const seal = breakSeal(path);
  if (seal === "none") throw noBackup(given);
  if (seal === "damaged") throw damaged(given, "it isn't what was written");
  return explained(given, () => {
    using database = openReceived(path);
    return check(database, given, now);
  });
}

function openReceived(path: string): Database {
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  const database = new StatementKeeper(`${readOnlyUri(path)}&immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  distrust(database);
  return database;
}

function check(database: Database, given: string, now: number): CheckedBackup {
  if (numberIn(database, "PRAGMA application_id") !== BACKUP_ID) throw noBackup(given);
  const version = numberIn(database, "PRAGMA user_version");
  if (version > LATEST_VERSION) throw newerVersion(given);
  // It would have no tables, so none would be checked.
  if (version < 1) throw noBackup(given);
  const tables = entriesAt(version).filter(({ type }) => type === "table");
  const hasLarge = LARGE_TABLES.some(({ name }) => hasTable(database, name));
  refuseForeign(database, [BACKUP_TABLE_ENTRY, ...tables, ...(hasLarge ? LARGE_TABLES : [])], given);
  refuseClock(numberIn(database, "SELECT max(latest_at) FROM clocks NOT INDEXED"), now, given);
  const row = database
    .query<{ takenAt: unknown; hasSecrets: unknown }, []>(
      `SELECT taken_at AS takenAt, has_secrets AS hasSecrets FROM ${BACKUP_TABLE_ENTRY.name} NOT INDEXED`,
    )
    .get();
  if (!row) throw noBackup(given);
  const { takenAt, hasSecrets } = row;
  if (typeof takenAt !== "number" || !(takenAt >= 0 && takenAt <= LATEST_TIME)) throw damaged(given, "it has no time");
  return { takenAt, hasSecrets: hasSecrets === 1, version, hasLarge };
}

/** Makes the database `path` from the rows in the tables of a checked backup. Throws DatabaseError. */
export function copyBackup({ path: from, given }: ReceivedBackup, version: number, path: string): void {
  makeFile(path);
  explained(given, () => {
    using database = openNewBackup(path);
    distrust(database);
    database.run("ATTACH ? AS source", [`${readOnlyUri(from)}&immutable=1`]);
    database.run("BEGIN");
    copyTables(database, entriesAt(version), (table) => backedUpRows(table, true));
    database.run(`PRAGMA main.user_version = ${version}`);
    database.run(`PRAGMA main.application_id = ${APPLICATION_ID}`);
    database.run("COMMIT");
    database.run("DETACH source");
    const damage = findDamage(database);
    if (damage !== undefined) throw damaged(given, damage);
  });
}

/**
 * Gives the large secrets in the up-to-date copy `database` of a backup what the backup has of them. Throws
 * DatabaseError when its pieces aren't those that handoff writes.
 */
export function adoptReceived(database: Database, { path, given }: ReceivedBackup, ids: Ids): void {
  explained(given, () => {
    using backup = openReceived(path);
    const wrong = adoptLarge(database, backup, ids);
    if (wrong !== undefined) throw damaged(given, wrong);
  });
}

/** Writes the ciphertexts of the large secrets that `database` hands out. Throws as `writeLarge` does. */
export async function writeReceived(
  database: Database,
  { path }: ReceivedBackup,
  blobs: BlobStore,
  room: Room,
): Promise<LargeCounts> {
  using backup = openReceived(path);
  return await writeLarge(database, backup, blobs, room);
}

/** Throws DatabaseError when the up-to-date copy of a backup in `database` has a row that handoff never writes. */
export function refuseWrongRows(database: Database, given: string): void {
  const wrong = findWrongRow(database);
  if (wrong)
    throw damaged(given, `'${wrong.column}' of a row of '${wrong.table}' has a value that handoff never writes`);
}

/** Makes SQLite check a file from an untrusted source more thoroughly (https://sqlite.org/security.html). */
function distrust(database: Database): void {
  database.run("PRAGMA trusted_schema = OFF");
  database.run("PRAGMA cell_size_check = ON");
}

function refuseForeign(database: Database, tables: readonly Pick<SchemaEntry, "name" | "sql">[], given: string): void {
  const foreign = findForeignTable(database, tables);
  if (!foreign) return;
  const { table, damage } = foreign;
  if (damage !== undefined) throw damaged(given, damage);
  if (table === BACKUP_TABLE_ENTRY.name) throw noBackup(given);
  throw new DatabaseError(
    `the backup '${given}' was changed after it was made: '${table}' is not the table that handoff makes. Nothing was restored. Take another one`,
  );
}

function refuseClock(latestAt: number, now: number, given: string): void {
  if (findClockDoubt(now, latestAt) !== "behind") return;
  const latest = latestAt <= LATEST_TIME ? toIsoTime(latestAt) : "the end of time";
  throw new DatabaseError(
    `the backup '${given}' has seen ${latest}, and the clock says ${toIsoTime(now)}. Nothing was restored. If the clock is wrong, set it and run this again. Otherwise take another backup`,
  );
}

/** Returns what `work` returns. Throws DatabaseError when SQLite finds damage. */
function explained<T>(given: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SQLiteError) || isDiskFull(error)) throw error;
    throw error.code === "SQLITE_NOTADB" ? noBackup(given) : damaged(given, error.message);
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
