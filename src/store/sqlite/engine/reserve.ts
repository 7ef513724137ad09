import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { codeOf } from "../../../contract/system-codes.ts";
import { freeBytes } from "../files/ballast.ts";
import type { Ballast } from "../files/ballast.ts";
import { addSparePages, findWriteFailure, growDatabase, missingSpareBytes } from "../files/database-room.ts";
import { isDiskFull, isLocked, isUnreadable } from "../files/errors.ts";
import type { OpenFiles } from "../files/open-files.ts";
import { growWal } from "../files/wal-room.ts";
import type { BackgroundReport } from "./background-failures.ts";
import { createWalEmptier } from "./wal-emptying.ts";

/** The time until the next attempt after the ballast could not be written although there seemed to be room. */
const RETRY_MS = 5000;

/**
 * Room held back for claims and expiry, contract section 6. While there is room on the disk it is the ballast, a file.
 * When there is none, the ballast turns into room inside the database (for what the WAL holds, and some free pages) and
 * inside the WAL, and both keep it: the WAL is erased by writing over it, and never cut. What is given back to the disk, a
 * neighbour who waits for it takes within milliseconds.
 *
 * What a neighbour can still take is a chunk of 256 KiB that the ballast has just given up and the other file does not have
 * yet: that takes some 70 microseconds, and there is no call that passes blocks from file to file on every file system. Measured
 * with a ballast of 18 MiB and 300 claims, on a busy machine: a neighbour who takes every free byte every 2 ms, or every
 * 0.3 ms, got a chunk in a few of the runs; one who never pauses got up to 7 MiB; no claim was refused. Where overwriting takes
 * new blocks (Btrfs, ZFS) no file can hold room for what is written to it. The index beside the WAL is cut and made anew by
 * SQLite whenever the database is opened: on ext4 without a free block 3 of 25 starts beside such a neighbour ended with a bus
 * error there, so that a start gives up a little of the spare beforehand; then 7 of 7 succeeded. None of its methods throws.
 */
export interface Reserve {
  /** True when the room is held in the ballast, so that creations are taken. */
  held(): boolean;
  /** Turns what is left of the ballast into room in database and WAL. */
  release(): void;
  /** Holds the room in the ballast again if the disk has it. Returns whether it is. */
  acquire(): boolean;
  /** The bytes that must be free on the disk in addition for that. */
  missingBytes(): number;
  /** The bytes of room that are held, wherever it is. */
  heldBytes(): number;
  /** The bytes of room that are to be held. */
  readonly wantedBytes: number;
  /** True when enough of the room is held, wherever it is, for the claim of the largest ciphertext and others besides. */
  isEnoughForClaims(): boolean;
  /**
   * The reason why the ballast or the database could not be written, as the file system names it; undefined when it was
   * only for want of room.
   */
  failure(): string | undefined;
  /** Copies the WAL into the database and erases it. Returns false when another process holds it. */
  emptyWal(): boolean;
  /** True when the disk failed as that was tried last. */
  hasEmptyingFailed(): boolean;
}

export interface ReserveDeps {
  readonly database: Database;
  /** The path of the database; its WAL is beside it. */
  readonly path: string;
  readonly ballast: Ballast;
  /** True while the files of the database are still its own. After that nothing is written to them. */
  readonly areFilesOurs: () => boolean;
  readonly lengthenIndex: OpenFiles["lengthenIndex"];
  readonly busyTimeoutMs: number;
  readonly report: BackgroundReport;
}

export function createReserve(deps: ReserveDeps): Reserve {
  const { database, path, ballast, areFilesOurs, report } = deps;
  const walPath = `${path}-wal`;
  const { copyWal, cutWal, eraseWal } = createWalEmptier(deps);
  /** True when the room is in the WAL. Then no creation is taken. */
  let inWal = ballast.bytes > 0 && ballast.isGivenUp();
  let hasEmptyingFailed = false;
  let writeFailure: string | undefined;
  let retryAt = -Infinity;

  /** True in a process that holds back no room of its own while the server that does has it in the WAL. */
  const isOfServer = () => ballast.bytes === 0 && ballast.isGivenUp();
  if (inWal || isOfServer()) persistWal(database, true);

  const lengthenDatabase = (spareBytes: number) => growDatabase(database, path, spareBytes, ballast.shrink);

  /** Throws SQLiteError, or the error of the file system. */
  const empty = (): boolean => {
    if (!areFilesOurs()) return false;
    if (!inWal && !isOfServer()) return cutWal();
    lengthenDatabase(0);
    return copyWal() && eraseWal();
  };

  /** Beyond the ballast, half of what is free: on an almost full disk others have to go on too. */
  const fairBytes = (size: number): number => (size + freeBytes(path)) / 2;

  const lengthenWal = (): void => {
    try {
      database.run("BEGIN IMMEDIATE");
      if (!areFilesOurs()) return;
      deps.lengthenIndex(ballast.bytes, ballast.shrink);
      growWal(walPath, ballast.bytes, { give: ballast.shrink, fairBytes });
    } catch (error) {
      // Another process writes, or the disk fails: it is tried again.
      report("room", error);
    } finally {
      if (database.inTransaction) database.run("ROLLBACK");
    }
  };

  /** The database first: as long as the WAL cannot be copied, nothing that was claimed can be erased. */
  const fillFiles = (): void => {
    try {
      const hasSpare = lengthenDatabase(missingSpareBytes(database));
      lengthenWal();
      if (hasSpare) addSparePages(database);
      lengthenDatabase(0);
      if (sizeOf(walPath) >= ballast.bytes) ballast.release();
    } catch (error) {
      // Another process writes, or the disk fails: it is tried again.
      report("room", error);
    }
  };

  /** True when the database can be written, as far as is known, or only finds no room. */
  const mayFindRoom = (): boolean => writeFailure === undefined || writeFailure === "EDQUOT";

  const canWrite = (): boolean => {
    let code: string | undefined;
    try {
      code = findWriteFailure(database, path);
    } catch (error) {
      code = codeOf(error) ?? "unknown";
    }
    writeFailure = code === "ENOSPC" ? undefined : code;
    return code === undefined;
  };

  const enter = (): void => {
    if (!areFilesOurs()) return;
    inWal = true;
    persistWal(database, true);
    if (!canWrite() && !mayFindRoom()) return;
    fillFiles();
    tryEmpty();
  };

  const leave = (): boolean => {
    retryAt = performance.now() + RETRY_MS;
    // What is given up here has to be had again there.
    if (!canWrite()) return false;
    inWal = false;
    persistWal(database, false);
    // Otherwise the WAL has not given its room back, and there is not enough for the ballast.
    tryEmpty();
    if (ballast.acquire()) retryAt = -Infinity;
    else enter();
    return !inWal;
  };

  const tryEmpty = (): boolean => {
    hasEmptyingFailed = false;
    try {
      return empty();
    } catch (error) {
      // The WAL is as it was, and the next attempt may succeed.
      report("checkpoint", error);
      hasEmptyingFailed = !isLocked(error) && !isDiskFull(error) && !isUnreadable(error);
      return false;
    }
  };

  const heldBytes = () => ballast.size() + (inWal ? sizeOf(walPath) : 0);
  const missingBytes = () => ballast.neededBytes - freeBytes(path) - heldBytes();
  return {
    held: () => !inWal && ballast.held(),
    release: enter,
    acquire() {
      if (!areFilesOurs()) return false;
      if (!inWal) return ballast.acquire() || (enter(), false);
      if (missingBytes() <= 0) return performance.now() >= retryAt && leave();
      // Room that has come free, up to what is to be held.
      if (sizeOf(walPath) < ballast.bytes) fillFiles();
      return false;
    },
    missingBytes: () => Math.max(0, missingBytes()),
    heldBytes,
    wantedBytes: ballast.bytes,
    isEnoughForClaims: () => 2 * heldBytes() >= ballast.bytes,
    failure: () => ballast.failure() ?? writeFailure,
    emptyWal: tryEmpty,
    hasEmptyingFailed: () => hasEmptyingFailed,
  };
}

/**
 * Sets whether SQLite leaves the WAL where it is when the database is closed, so that its room is there for the next
 * start.
 */
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
