import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { unusable } from "../engine/database.ts";
import { createLostFiles } from "../engine/lost-files.ts";
import { freeBytes, openBallast } from "../files/ballast.ts";
import type { Ballast } from "../files/ballast.ts";
import { BALLAST_FILE, DATABASE_FILE } from "../files/data-folder.ts";
import { isDiskFull } from "../files/errors.ts";
import { rememberFiles } from "../files/open-files.ts";
import type { OpenFiles } from "../files/open-files.ts";
import type { StoreSettings } from "./options.ts";

/** How long a statement waits for another process by default. */
export const SHORT_BUSY_TIMEOUT_MS = 50;

/** A database that is open for writing, with what belongs to it. */
export interface Opened {
  readonly ballast: Ballast;
  readonly database: Database;
  readonly files: OpenFiles;
  /** The descriptors of the files, to be closed after the database. */
  readonly descriptors: Disposable;
  /** How long a statement waits for another process. */
  readonly busyTimeoutMs: number;
}

/**
 * Opens the database with `open` and returns what `use` returns for it. Throws DatabaseError, with a message for the
 * sysadmin and with nothing left open, when either throws.
 */
export function openForWriting<T>(
  settings: StoreSettings,
  open: (folder: string, busyTimeoutMs: number | undefined) => Database,
  use: (opened: Opened) => T,
): T {
  const { folder, busyTimeoutMs = SHORT_BUSY_TIMEOUT_MS } = settings;
  const ballast = openBallast(join(folder, BALLAST_FILE), settings.ballastBytes);
  const database = openWithBallast(settings, ballast, open);
  const descriptors = new DisposableStack();
  let files: OpenFiles | undefined;
  try {
    // From now on the writer waits for other processes outside SQLite, where no request waits with it.
    database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    files = rememberFiles(database, join(folder, DATABASE_FILE), descriptors);
    return use({ ballast, database, files, descriptors, busyTimeoutMs });
  } catch (error) {
    // Closing would harm a file that isn't ours.
    if (files?.findLost()) createLostFiles(database, files).abandon();
    else {
      database.close();
      descriptors.dispose();
    }
    throw unusable(folder, error);
  }
}

/** The disk space that opening takes. */
const OPENING_BYTES = 1024 * 1024;

/**
 * Opens the database. That takes a little disk space; if there is none, the ballast is deleted. Throws DatabaseError.
 */
export function openWithBallast(
  { folder, lockPatienceMs }: StoreSettings,
  ballast: Ballast,
  open: (folder: string, busyTimeoutMs: number | undefined) => Database,
): Database {
  // Before opening, because without a free block ext4 ends a process that writes to SQLite's index with a bus error.
  if (freeBytes(join(folder, DATABASE_FILE)) < OPENING_BYTES) ballast.release();
  try {
    return open(folder, lockPatienceMs);
  } catch (error) {
    if (!(error instanceof Error && isDiskFull(error.cause))) throw error;
    // A disk quota, for example.
    ballast.release();
    return open(folder, lockPatienceMs);
  }
}
