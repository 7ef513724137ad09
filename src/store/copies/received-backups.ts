import { constants, SQLiteError } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { toIsoTime } from "../../contract/times.ts";
import { findClockDoubt } from "../../domain/clocks.ts";
import { StatementKeeper } from "../sqlite/engine/database.ts";
import { LATEST_VERSION } from "../sqlite/engine/migrations.ts";
import { APPLICATION_ID, BACKUP_ID, newerVersion } from "../sqlite/files/database-header.ts";
import { DatabaseError, isDiskFull } from "../sqlite/files/errors.ts";
import { makeFile } from "../sqlite/files/owners.ts";
import { BACKUP_TABLE_ENTRY, breakSeal, findDamage, openNewBackup, readOnlyUri } from "./backup-files.ts";
import type { BackupFacts } from "./backup-files.ts";
import { copyTables, entriesAt, findForeignTable } from "./known-tables.ts";
import type { SchemaEntry } from "./known-tables.ts";
import { findWrongRow, LATEST_TIME } from "./row-rules.ts";

/** A backup as somebody handed it in. */
export interface ReceivedBackup {
  /** The file, in which nothing else is at work. */
  readonly path: string;
  /** Its name as the caller gave it, for messages. */
  readonly given: string;
}

/** A backup that was checked, and the number of migrations that had run on its database. */
export interface CheckedBackup extends BackupFacts {
  readonly version: number;
}

/**
 * Checks the backup without running anything that it brings along, and takes the checksum off it. Throws DatabaseError when it is none, damaged, of a later
 * version, has other tables than its version has, or has seen a time that is far ahead of `now`, in epoch milliseconds.
 */
export function checkBackup(backup: ReceivedBackup, now: number): CheckedBackup {
  const { path, given } = backup;
  const seal = breakSeal(path);
  if (seal === "none") throw noBackup(given);
  if (seal === "damaged") throw damaged(given, "it isn't what was written");
  return explained(given, () => {
    const database = new StatementKeeper(
      `${readOnlyUri(path)}&immutable=1`,
      constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
    );
    try {
      return check(database, given, now);
    } finally {
      database.close();
    }
  });
}

function check(database: Database, given: string, now: number): CheckedBackup {
  distrust(database);
  if (numberOf(database, "PRAGMA application_id") !== BACKUP_ID) throw noBackup(given);
  const version = numberOf(database, "PRAGMA user_version");
  if (version > LATEST_VERSION) throw newerVersion(given);
  // It would have no tables, and none of them would be looked at.
  if (version < 1) throw noBackup(given);
  const tables = entriesAt(version).filter(({ type }) => type === "table");
  refuseForeign(database, [BACKUP_TABLE_ENTRY, ...tables], given);
  refuseClock(numberOf(database, "SELECT max(latest_at) FROM clocks NOT INDEXED"), now, given);
  const row = database
    .query<{ takenAt: unknown; hasSecrets: unknown }, []>(
      `SELECT taken_at AS takenAt, has_secrets AS hasSecrets FROM ${BACKUP_TABLE_ENTRY.name} NOT INDEXED`,
    )
    .get();
  if (!row) throw noBackup(given);
  const { takenAt, hasSecrets } = row;
  if (typeof takenAt !== "number" || !(takenAt >= 0 && takenAt <= LATEST_TIME)) throw damaged(given, "it has no time");
  return { takenAt, hasSecrets: hasSecrets === 1, version };
}

/** Makes the database `path`, which is not there, of the rows that the checked backup has in the tables of its version. Throws DatabaseError. */
export function copyBackup({ path: from, given }: ReceivedBackup, version: number, path: string): void {
  makeFile(path);
  explained(given, () => {
    const database = openNewBackup(path);
    try {
      distrust(database);
      database.run("ATTACH ? AS source", [`${readOnlyUri(from)}&immutable=1`]);
      database.run("BEGIN");
      copyTables(database, entriesAt(version), () => true);
      database.run(`PRAGMA main.user_version = ${version}`);
      database.run(`PRAGMA main.application_id = ${APPLICATION_ID}`);
      database.run("COMMIT");
      database.run("DETACH source");
      const damage = findDamage(database);
      if (damage !== undefined) throw damaged(given, damage);
    } finally {
      database.close();
    }
  });
}

/** Throws DatabaseError when a row in `database`, which is up to date and was copied from the backup, is none that handoff writes. */
export function refuseWrongRows(database: Database, given: string): void {
  const wrong = findWrongRow(database);
  if (wrong)
    throw damaged(given, `'${wrong.column}' of a row of '${wrong.table}' has a value that handoff never writes`);
}

/** Has SQLite look twice at a file that somebody handed in (https://sqlite.org/security.html). */
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

/** Runs `work` on a file that somebody handed in, and says in words what SQLite has against it. */
function explained<T>(given: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SQLiteError) || isDiskFull(error)) throw error;
    throw error.code === "SQLITE_NOTADB" ? noBackup(given) : damaged(given, error.message);
  }
}

/** The number that `sql` gives; 0 where there is none. */
function numberOf(database: Database, sql: string): number {
  const value = Object.values(database.query<Record<string, unknown>, []>(sql).get() ?? {})[0];
  return typeof value === "number" ? value : 0;
}

function noBackup(given: string): DatabaseError {
  return new DatabaseError(
    `'${given}' is no backup, or not all of one: those are made by 'handoff admin backup'. Nothing was restored`,
  );
}

function damaged(given: string, how: string): DatabaseError {
  return new DatabaseError(`the backup '${given}' is damaged (${how}). Nothing was restored. Take another one`);
}
