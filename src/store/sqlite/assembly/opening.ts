import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { unusable } from "../engine/database.ts";
import { createLostFiles } from "../engine/lost-files.ts";
import { freeBytes, openBallast, OPENING_BYTES } from "../files/ballast.ts";
import type { Ballast } from "../files/ballast.ts";
import { BALLAST_FILE, DATABASE_FILE } from "../files/data-folder.ts";
import { isDiskFull } from "../files/errors.ts";
import { rememberFiles } from "../files/open-files.ts";
import type { OpenFiles } from "../files/open-files.ts";
import { cutWalRoom } from "../files/wal-room.ts";
import type { StoreSettings } from "./options.ts";

/** The time that a statement waits for another process, when nobody says otherwise. */
export const SHORT_BUSY_TIMEOUT_MS = 50;

/** A database that is open for writing, with what belongs to it. */
export interface Opened {
  readonly ballast: Ballast;
  readonly database: Database;
  readonly files: OpenFiles;
  /** The time that a statement waits for another process. */
  readonly busyTimeoutMs: number;
}

/**
 * Opens the database with `open` and hands it to `use`; what that throws closes it again. Throws DatabaseError, with a message
 * for the sysadmin and with nothing left open.
 */
export function openForWriting<T>(
  settings: StoreSettings,
  open: (folder: string, busyTimeoutMs: number | undefined) => Database,
  use: (opened: Opened) => T,
): T {
  const { folder, busyTimeoutMs = SHORT_BUSY_TIMEOUT_MS } = settings;
  const ballast = openBallast(join(folder, BALLAST_FILE), settings.ballastBytes);
  const database = openWithBallast(settings, ballast, open);
  let files: OpenFiles | undefined;
  try {
    // From now on the writer waits for others without holding anybody up.
    database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    files = rememberFiles(database, join(folder, DATABASE_FILE));
    return use({ ballast, database, files, busyTimeoutMs });
  } catch (error) {
    // What is right for a file of ours harms another.
    if (files?.findLost()) createLostFiles(database, files).abandon();
    else {
      database.close();
      files?.close();
    }
    throw unusable(folder, error);
  }
}

/**
 * Opens the database. That takes a little room too; where there is none, the WAL gives of what it holds, or else the
 * ballast, as much as it takes. Throws DatabaseError.
 */
export function openWithBallast(
  { folder, lockPatienceMs }: StoreSettings,
  ballast: Ballast,
  open: (folder: string, busyTimeoutMs: number | undefined) => Database,
): Database {
  const path = join(folder, DATABASE_FILE);
  // A process without a ballast of its own leaves the server's alone.
  const give = () => ballast.bytes > 0 && (cutWalRoom(`${path}-wal`, OPENING_BYTES) || ballast.shrinkForOpening());
  // Beforehand too: where no block is free at all, ext4 ends the process that writes to SQLite's index with a bus error.
  if (freeBytes(path) === 0) give();
  for (;;) {
    try {
      return open(folder, lockPatienceMs);
    } catch (error) {
      const isForWantOfRoom = error instanceof Error && isDiskFull(error.cause);
      if (!isForWantOfRoom || !give()) throw error;
    }
  }
}
