import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { closeSync, constants as files, fstatSync, openSync, statSync, writeSync } from "node:fs";
import { freeBytes } from "../files/ballast.ts";
import type { Ballast } from "../files/ballast.ts";
import { isDiskFull, isLocked, isUnreadable } from "../files/errors.ts";
import type { BackgroundReport } from "./background-failures.ts";

const CHUNK = new Uint8Array(256 * 1024);
/** What is given up at once so that the WAL can be copied into the database: each attempt takes time, and a neighbour too. */
const COPY_BYTES = 2 * 1024 * 1024;

/**
 * Room held back for claims and expiry, contract section 6. While there is room on the disk it is the ballast, a file.
 * When there is none, the ballast turns into room in the WAL, chunk by chunk, and the WAL keeps its size: what is only
 * given back to the disk, a neighbour who waits for it takes within milliseconds. None of its methods throws.
 */
export interface Reserve {
  /** Whether the room is held in the ballast, so that creations are taken. */
  held(): boolean;
  /** Turns what is left of the ballast into room in the WAL. */
  release(): void;
  /** Holds the room in the ballast again if the disk has it. Returns whether it is. */
  acquire(): boolean;
  /** How much more has to be free on the disk for that. */
  missingBytes(): number;
  /** Copies the WAL into the database and erases it. Returns false when another process holds it. */
  emptyWal(): boolean;
  /** Whether the disk failed when that was tried last. */
  hasEmptyingFailed(): boolean;
  /** Something that may have to be erased was written to the WAL. */
  touch(): void;
}

export function createReserve(deps: {
  readonly database: Database;
  readonly walPath: string;
  readonly ballast: Ballast;
  /** Whether the files of the database are still its own. Once they are not, nothing is written to them. */
  readonly areFilesOurs: () => boolean;
  readonly busyTimeoutMs: number;
  readonly report: BackgroundReport;
}): Reserve {
  const { database, walPath, ballast, areFilesOurs, busyTimeoutMs, report } = deps;
  /** Whether the room is in the WAL. Then no creation is taken, and the WAL gets nothing that has to be erased. */
  let inWal = ballast.bytes > 0 && ballast.isReleased();
  /** An empty ballast says that the WAL of the process before this one held nothing to be erased either. */
  let holdsContent = !inWal;
  let hasEmptyingFailed = false;

  const checkpoint = (mode: "TRUNCATE" | "RESTART"): boolean => {
    try {
      // A reader in another process, such as a backup, may take its time: every request would wait for it with us.
      database.run("PRAGMA busy_timeout = 0");
      return database.query<{ busy: number }, []>(`PRAGMA wal_checkpoint(${mode})`).get()?.busy === 0;
    } finally {
      database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  };

  /** For a process that holds back no room of its own, whether the server that does has it in the WAL. */
  const isOfServer = () => ballast.bytes === 0 && ballast.isReleased();
  if (inWal || isOfServer()) persistWal(database, true);

  /** Throws SQLiteError. */
  const empty = (): boolean => {
    if (!areFilesOurs()) return false;
    if ((inWal && !holdsContent) || isOfServer()) return checkpoint("RESTART");
    if (!checkpoint("TRUNCATE")) return false;
    holdsContent = !inWal;
    if (inWal) grow();
    return true;
  };

  /** With the lock of a writer nobody else changes the WAL; zeros behind its last frame mean nothing to SQLite. */
  const grow = (): void => {
    try {
      database.run("BEGIN IMMEDIATE");
      try {
        if (!areFilesOurs()) return;
        fill(walPath, ballast);
      } finally {
        database.run("ROLLBACK");
      }
    } catch (error) {
      // Another process writes, or the disk fails: it is tried again.
      report("room", error);
      return;
    }
    if (holdsContent) ballast.remove();
    else ballast.release();
  };

  const enter = (): void => {
    if (!areFilesOurs()) return;
    // When it is there already, copying the WAL into the database is enough for its room to be used anew.
    if (!inWal) holdsContent = true;
    inWal = true;
    persistWal(database, true);
    while (isTooFull(empty) && ballast.shrink(COPY_BYTES)) continue;
    grow();
  };

  const leave = (): boolean => {
    inWal = false;
    persistWal(database, false);
    try {
      empty();
    } catch (error) {
      // Then the WAL has not given its room back, and there is not enough for the ballast.
      report("checkpoint", error);
    }
    if (!ballast.acquire()) enter();
    return !inWal;
  };

  const missingBytes = () => ballast.neededBytes - freeBytes(walPath) - (inWal ? sizeOf(walPath) : 0);
  return {
    held: () => !inWal && ballast.held(),
    release: enter,
    acquire() {
      if (!areFilesOurs()) return false;
      if (!inWal) return ballast.acquire() || (enter(), false);
      if (missingBytes() <= 0) return leave();
      // Room that has come free, up to what is to be held.
      if (sizeOf(walPath) < ballast.bytes) grow();
      return false;
    },
    missingBytes: () => Math.max(0, missingBytes()),
    emptyWal() {
      hasEmptyingFailed = false;
      try {
        return empty();
      } catch (error) {
        // The WAL is as it was, and the next attempt may succeed.
        report("checkpoint", error);
        hasEmptyingFailed = !isLocked(error) && !isDiskFull(error) && !isUnreadable(error);
        return false;
      }
    },
    hasEmptyingFailed: () => hasEmptyingFailed,
    touch() {
      holdsContent = true;
      if (inWal) ballast.remove();
    },
  };
}

/** Makes the WAL as long as the ballast was, as far as there is room, and takes that from the ballast where it has to. */
function fill(walPath: string, ballast: Ballast): void {
  const wal = openSync(walPath, files.O_RDWR | files.O_NOFOLLOW);
  try {
    for (let size = fstatSync(wal).size; size < ballast.bytes;) {
      try {
        size += writeSync(wal, CHUNK, 0, Math.min(CHUNK.length, ballast.bytes - size), size);
      } catch {
        if (!ballast.shrink(CHUNK.length)) break;
      }
    }
  } finally {
    closeSync(wal);
  }
}

function isTooFull(act: () => boolean): boolean {
  try {
    act();
    return false;
  } catch (error) {
    return isDiskFull(error);
  }
}

/** Whether SQLite leaves the WAL where it is when the database is closed, so that its room is there for the next start. */
function persistWal(database: Database, isKept: boolean): void {
  database.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, Int32Array.of(isKept ? 1 : 0, 0));
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
