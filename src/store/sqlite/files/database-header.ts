import { constants, Database } from "bun:sqlite";
import { existsSync, readSync, statSync } from "node:fs";
import { codeOf } from "../../../contract/error-traces.ts";
import { PAGE_BYTES } from "./ciphertext-pages.ts";
import { DatabaseError, isLocked, isUnreadable } from "./errors.ts";
import { ownerOf, ownName, quote } from "./owners.ts";
import { sizeOf, withFile } from "./plain-files.ts";

/** The `application_id` of a handoff database, "hdof". */
export const APPLICATION_ID = 0x68_64_6f_66;

/** The `application_id` of a backup, "hdbk": a server starts on it only after a restore. */
export const BACKUP_ID = 0x68_64_62_6b;

/** The `application_id` of a database that was moved, "hdmv": its secrets are handed out elsewhere. */
export const MOVED_ID = 0x68_64_6d_76;

/** The table of a moved database, with one row: the destination. */
export const MOVES_TABLE = "moves";

/** The database to which everything was moved. */
export interface Move {
  /** The id that distinguishes it from every other database. */
  readonly installation: string;
  /** Its URL without a password. */
  readonly place: string;
  /** The latest time that it had seen when the move was complete, in epoch milliseconds. */
  readonly latestAt: number;
}

const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";
/** A table that every handoff database has had from the beginning; earlier versions have no `application_id`. */
const OWN_TABLE = "ciphertexts";
const WRITE_VERSION = 18;
/** The offset of `user_version`, which counts the migrations that have run. */
const VERSION = 60;
const NO_WAL = 1;
const WITH_WAL = 2;
/** The reserved bytes of a page, and three fractions. */
const CONSTANTS = Buffer.from([0, 64, 32, 32]);
/** How long reading waits for another process. */
const BUSY_TIMEOUT_MS = 5000;
/** For how long what looks like damage is read again, and the time between two attempts. */
const DAMAGE_PATIENCE_MS = 1000;
const RETRY_MS = 20;
const UNCHANGED = "Nothing in it was changed";

/**
 * Inspects the database file `path` before SQLite opens it, and writes nothing. Returns how many migrations have run on
 * it; undefined when there is none yet. Throws DatabaseError when it isn't ours, is damaged, or is of a later version
 * than `latestVersion`. The fields are those of SQLite's file format, section 1.3.
 */
export function inspectDatabase(path: string, latestVersion: number): number | undefined {
  // Before the header: a process that creates the database writes the header before the WAL.
  const walBytes = sizeOf(`${path}-wal`);
  const header = readHeader(path);
  if (!header) return undefined;
  if (header.subarray(0, MAGIC.length).toString("latin1") !== MAGIC) {
    throw new DatabaseError(
      `'${path}' is not a SQLite database, or its first bytes are damaged. ${UNCHANGED}. Restore a backup, or move the file away`,
    );
  }
  const applicationId = header.readUInt32BE(68);
  if (applicationId === BACKUP_ID) {
    throw new DatabaseError(
      `'${path}' is a backup. ${UNCHANGED}. Move it out of the data folder, then run 'handoff admin restore' with it`,
    );
  }
  if (applicationId === MOVED_ID) refuseMoved(path);
  const isOurs = applicationId === APPLICATION_ID || applicationId === MOVED_ID;
  if (!isOurs && (applicationId !== 0 || !isOursWithoutId(path))) {
    throw new DatabaseError(
      `'${path}' is a database of another program. ${UNCHANGED}. Name another folder with --data-dir`,
    );
  }
  if (!isHeaderSound(header)) throw damaged(path);
  // A copy made by VACUUM has no WAL of its own, and SQLite would use the former database's. A database without a table
  // is no copy: after a power failure in its first start, SQLite undoes the switch to the WAL.
  const hasTables = header.readUInt32BE(VERSION) > 0;
  if (header[WRITE_VERSION] === NO_WAL && walBytes > 0 && hasTables) throw besideForeignWal(path);
  refuseCutOff(path, header);
  const version = header.readUInt32BE(VERSION);
  if (version > latestVersion) throw newerVersion(path);
  return version;
}

/** The error for a database that a later version has upgraded. */
export function newerVersion(path: string): DatabaseError {
  return new DatabaseError(
    `the database '${path}' was written by a newer version of handoff. ${UNCHANGED}. Install that version, or restore a backup from before`,
  );
}

function besideForeignWal(path: string): DatabaseError {
  return new DatabaseError(
    `'${path}' is a backup, and what lies beside it belongs to the database from before. ${UNCHANGED}. To use the backup, if it is complete, first stop any server that runs on it, then run: rm ${leftovers(path)}`,
  );
}

/**
 * The header of the database file; undefined when the file is missing or empty. Throws DatabaseError when it can't be
 * read.
 */
function readHeader(path: string): Buffer | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile()) {
    const kind = stats.isDirectory() ? "a folder" : "no ordinary file";
    throw new DatabaseError(`'${path}' is ${kind}, and the database is to be there. Move it away`);
  }
  if (stats.size === 0) return undefined;
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    withFile(path, "r", (file) => readSync(file, header, 0, HEADER_BYTES, 0));
    return header;
  } catch (error) {
    const why =
      codeOf(error) === "EACCES"
        ? `it belongs to ${ownerOf(path)}, and this is ${ownName()}. Run this as root or as its owner`
        : (codeOf(error) ?? "unknown");
    throw new DatabaseError(`cannot read the database '${path}': ${why}`, { cause: error });
  }
}

/** True when the constant fields have the values of every database of ours. */
function isHeaderSound(header: Buffer): boolean {
  const areVersionsKnown = [...header.subarray(18, 20)].every((each) => each === NO_WAL || each === WITH_WAL);
  return header.readUInt16BE(16) === PAGE_BYTES && areVersionsKnown && header.subarray(20, 24).equals(CONSTANTS);
}

/**
 * Opens the file `path` read-only, with its WAL if there is one, and returns what `read` returns. Throws DatabaseError
 * when it can't be read.
 */
export function readFrom<T>(path: string, read: (database: Database) => T): T {
  for (const start = performance.now(); ; Bun.sleepSync(RETRY_MS)) {
    try {
      using database = openToRead(path);
      database.run("PRAGMA trusted_schema = OFF");
      return read(database);
    } catch (error) {
      if (isUnreadable(error)) {
        // Without a WAL it is read without locks. A process that upgrades it may have written half of it.
        if (performance.now() - start < DAMAGE_PATIENCE_MS) continue;
        throw damaged(path, error);
      }
      const reason = error instanceof Error ? error.message : "unknown reason";
      const why = isLocked(error) ? "another program holds it locked" : reason;
      throw new DatabaseError(`cannot read the database '${path}': ${why}`, { cause: error });
    }
  }
}

function openToRead(path: string): Database {
  if (sizeOf(`${path}-wal`) > 0) {
    const database = new Database(path, { readonly: true });
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return database;
  }
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Database(`${Bun.pathToFileURL(path).href}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

/** The move of the database in the file `path`; undefined when there was none. Throws DatabaseError. */
export function findMove(path: string): Move | undefined {
  const header = readHeader(path);
  const id = header?.readUInt32BE(68);
  const hasWal = header?.[WRITE_VERSION] === WITH_WAL && sizeOf(`${path}-wal`) > 0;
  // The mark, or its removal, may be only in the WAL: its writer was killed before a checkpoint.
  if (id !== MOVED_ID && !(id === APPLICATION_ID && hasWal)) return undefined;
  return readFrom(path, (database) => {
    const row = database.query<{ application_id: number }, []>("PRAGMA application_id").get();
    if (row?.application_id !== MOVED_ID) return undefined;
    const move = database.query<Move, []>(`SELECT installation, place, latest_at AS latestAt FROM ${MOVES_TABLE}`);
    return move.get() ?? undefined;
  });
}

/** Throws DatabaseError when the database in the file `path` was moved. */
export function refuseMoved(path: string): void {
  const move = findMove(path);
  if (!move) return;
  throw new DatabaseError(
    `what was in '${path}' was moved to '${move.place}'. ${UNCHANGED}. Name that database with --database, or with --database-url-file if there is a password in its URL. If the move did not come to its end, run it again`,
  );
}

/** True when the database has our tables, or none yet. Throws DatabaseError when they can't be read. */
function isOursWithoutId(path: string): boolean {
  return readFrom(path, (database) => {
    const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    // None yet: a process was killed before it made them.
    return tables.length === 0 || tables.some(({ name }) => name === OWN_TABLE);
  });
}

/** Throws DatabaseError when the file is shorter than its header says, and there is no WAL that could have the rest. */
function refuseCutOff(path: string, header: Buffer): void {
  const expected = header.readUInt32BE(28) * PAGE_BYTES;
  const isCountValid = header.readUInt32BE(24) === header.readUInt32BE(92);
  // Before the size: a checkpoint empties the WAL once the file is as long as its header says.
  if (!isCountValid || sizeOf(`${path}-wal`) > 0) return;
  const size = sizeOf(path);
  // Or another process has truncated it in between.
  if (size >= expected || readHeader(path)?.equals(header) !== true) return;
  throw new DatabaseError(
    `the database '${path}' is cut off: it has ${size} of ${expected} bytes. ${UNCHANGED}. Restore a backup`,
  );
}

function leftovers(path: string): string {
  return [`${path}-wal`, `${path}-shm`]
    .filter((file) => existsSync(file))
    .map(quote)
    .join(" ");
}

/** The error for an open database with other contents than were written. */
export function unreadable(path: string, cause: unknown): DatabaseError {
  const beside =
    sizeOf(`${path}-wal`) > 0
      ? `, or the files ${leftovers(path)} beside it are of another one. If this is a complete copy put there after a crash, restore it once more without them`
      : "";
  return new DatabaseError(`the database '${path}' is damaged${beside}. Stop the server and restore a backup`, {
    cause,
  });
}

function damaged(path: string, cause?: unknown): DatabaseError {
  return new DatabaseError(`the database '${path}' is damaged. ${UNCHANGED}. Restore a backup`, { cause });
}
