import { Database } from "bun:sqlite";
import type { SQLQueryBindings, Statement } from "bun:sqlite";
import { join } from "node:path";
import { PAGE_BYTES } from "../files/ciphertext-pages.ts";
import { DATABASE_FILE, openDataFolder } from "../files/data-folder.ts";
import { APPLICATION_ID, inspectDatabase, MOVED_ID, refuseMoved, unreadable } from "../files/database-header.ts";
import { DatabaseError, isLocked, isUnreadable } from "../files/errors.ts";
import { makeFile } from "../files/owners.ts";
import { whyNotUsable } from "../files/refused-writes.ts";
import { LATEST_VERSION, migrate } from "./migrations.ts";

/** How long opening waits for another process, such as the admin command. */
const BUSY_TIMEOUT_MS = 5000;

/** The time between two attempts to get what another process holds. */
const RETRY_MS = 20;

type Pragmas = readonly (readonly [name: string, set: string | number, readBack: string | number])[];

/** The settings that must be made before the first page is written. */
const LAYOUT_PRAGMAS: Pragmas = [
  ["page_size", PAGE_BYTES, PAGE_BYTES],
  ["auto_vacuum", "INCREMENTAL", 2],
];

const PRAGMAS: Pragmas = [
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["secure_delete", "ON", 1],
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
  ["temp_store", "MEMORY", 2],
  ["cache_size", -8192, -8192],
  // Until the writer takes that over, see `wal-emptying.ts`.
  ["wal_autocheckpoint", 2048, 2048],
];

type Prepared<Row, Params extends SQLQueryBindings | SQLQueryBindings[]> = ReturnType<
  typeof Database.prototype.prepare<Row, Params>
>;

/**
 * Keeps one statement for each text, and finalizes all of them at the end: with one left, SQLite would keep the
 * database open, and leave its WAL behind.
 */
export class StatementKeeper extends Database {
  readonly #statements = new Map<string, Statement>();

  override prepare<Row, Params extends SQLQueryBindings | SQLQueryBindings[]>(
    text: string,
    params?: Params,
  ): Prepared<Row, Params> {
    const statement = (this.#statements.get(text) ?? super.prepare<Row, Params>(text, params)) as Prepared<Row, Params>;
    this.#statements.set(text, statement);
    return statement;
  }

  override close(throwOnError?: boolean): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    super.close(throwOnError);
  }
}

/**
 * Opens the database in `folder`, creates both if they are missing (0700 and 0600), and upgrades it. Throws
 * DatabaseError when that fails, or when another process holds the database for longer than `busyTimeoutMs`.
 */
export function openDatabase(folder: string, busyTimeoutMs = BUSY_TIMEOUT_MS): Database {
  openDataFolder(folder);
  const path = join(folder, DATABASE_FILE);
  const prepare = (database: Database) => {
    for (const [name, value, expected] of LAYOUT_PRAGMAS) setPragma(database, name, value, expected);
    claimForUs(database, path);
    switchToWal(database, busyTimeoutMs);
    for (const [name, value, expected] of PRAGMAS) setPragma(database, name, value, expected);
    migrate(database);
  };
  if (isOlder(path)) workAlone(folder, busyTimeoutMs, prepare);
  try {
    makeFile(path);
  } catch (error) {
    throw unusable(folder, error);
  }
  return connect(folder, busyTimeoutMs, { create: true }, prepare);
}

/** True for a database of an older version that has tables. Throws DatabaseError as `inspectDatabase` does. */
export function isOlder(path: string): boolean {
  const version = inspectDatabase(path, LATEST_VERSION) ?? 0;
  return version > 0 && version < LATEST_VERSION;
}

/**
 * Throws DatabaseError when another process has the database in `folder`, of an older version, open: it can't be
 * upgraded under a server of that version, which may not take the lock of `lockFolder`.
 */
export function refuseUsers(folder: string, busyTimeoutMs = BUSY_TIMEOUT_MS): void {
  workAlone(folder, busyTimeoutMs, () => undefined);
}

/**
 * Calls `work` with the database in `folder` while nobody else has it open. Waits for others for `patienceMs`. Does
 * nothing when another process upgrades it meanwhile.
 */
function workAlone(folder: string, patienceMs: number, work: (database: Database) => void): void {
  const path = join(folder, DATABASE_FILE);
  for (const start = performance.now(); isOlder(path); Bun.sleepSync(RETRY_MS)) {
    try {
      return connect(folder, 0, { create: false }, (database) => {
        // SQLite refuses this while any other connection is open, even an idle one.
        database.run("PRAGMA locking_mode = EXCLUSIVE");
        database.run("BEGIN EXCLUSIVE");
        database.run("COMMIT");
        work(database);
      }).close();
    } catch (error) {
      if (!(error instanceof DatabaseError) || !isLocked(error.cause)) throw error;
      if (performance.now() - start >= patienceMs) throw inUse(path);
    }
  }
}

function inUse(path: string): DatabaseError {
  return new DatabaseError(
    `another process has the database '${path}' open, which is of an older version: a server of that version, or a backup. Nothing was changed. Stop it, then run this again`,
  );
}

/**
 * Opens another connection to the database in `folder`, which this process has open. It opens no descriptor but
 * SQLite's, since closing one would end SQLite's locks for the whole process. Throws as `openDatabase` does.
 */
export function openDatabaseAgain(folder: string, busyTimeoutMs = BUSY_TIMEOUT_MS): Database {
  return connect(folder, busyTimeoutMs, { create: false }, (database) => {
    for (const [name, value, expected] of PRAGMAS) setPragma(database, name, value, expected);
  });
}

/** Opens the database in `folder` and calls `prepare` with it. Throws DatabaseError, with nothing left open. */
function connect(
  folder: string,
  busyTimeoutMs: number,
  { create }: { readonly create: boolean },
  prepare: (database: Database) => void,
): Database {
  let database: Database | undefined;
  try {
    database = new StatementKeeper(join(folder, DATABASE_FILE), { create, readwrite: true, strict: true });
    setPragma(database, "busy_timeout", busyTimeoutMs, busyTimeoutMs);
    prepare(database);
    return database;
  } catch (error) {
    database?.close();
    throw unusable(folder, error);
  }
}

/** The DatabaseError for a database in `folder` whose use failed with `error`. */
export function unusable(folder: string, error: unknown): DatabaseError {
  const path = join(folder, DATABASE_FILE);
  if (error instanceof DatabaseError) return error;
  if (isUnreadable(error)) return unreadable(path, error);
  const paths = [path, `${path}-wal`, `${path}-shm`];
  return new DatabaseError(`cannot use the database '${path}': ${whyNotUsable(error, folder, paths)}`, {
    cause: error,
  });
}

/** Writes our id into a database without one: a new one, or one of an earlier version. */
function claimForUs(database: Database, path: string): void {
  const id = database.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id;
  // The mark may be only in the WAL.
  if (id === MOVED_ID) refuseMoved(path);
  if (id !== APPLICATION_ID) setPragma(database, "application_id", APPLICATION_ID, APPLICATION_ID);
}

/**
 * Switches the database to a WAL. When several processes do that at once, SQLite fails without waiting for its timeout.
 */
function switchToWal(database: Database, patienceMs: number): void {
  for (const start = performance.now(); ;) {
    try {
      return void database.run("PRAGMA journal_mode = WAL");
    } catch (error) {
      if (!isLocked(error) || performance.now() - start >= patienceMs) throw error;
      Bun.sleepSync(RETRY_MS);
    }
  }
}

function setPragma(database: Database, name: string, value: string | number, expected: string | number): void {
  database.run(`PRAGMA ${name} = ${value}`);
  const row = database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get();
  const actual = Object.values(row ?? {})[0];
  if (actual !== expected) throw new DatabaseError(`SQLite does not take the setting ${name} = ${value}`);
}
