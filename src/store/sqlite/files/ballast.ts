import { constants as sqlite } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { constants, fsyncSync, lstatSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../../contract/error-traces.ts";
import { PAGE_BYTES } from "./ciphertext-pages.ts";
import { giveToOwner } from "./owners.ts";
import { withFile } from "./plain-files.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const CHUNK_BYTES = 1024 * 1024;
/**
 * The bytes that must be free beyond the ballast before it is written again. Otherwise the next creations would delete
 * it at once.
 */
const MARGIN_BYTES = 12 * 1024 * 1024;
/** The time until the next attempt after writing failed. */
const RETRY_MS = 5000;
/** The codes of the errors that a write can fail with, by their numbers in Linux and macOS. */
const CODES: Readonly<Record<number, string>> = { 5: "EIO", 28: "ENOSPC", 30: "EROFS", 69: "EDQUOT", 122: "EDQUOT" };

/**
 * A file that reserves space on the disk. It is deleted when the disk is full, so that claims and expiry can use its
 * space, and written again once there is enough. No method throws.
 */
export interface Ballast {
  /** The intended size of the file. */
  readonly bytes: number;
  /** True while the file is there. Creations are refused otherwise. */
  held(): boolean;
  /** The size of the file; 0 when there is none. */
  size(): number;
  /** The bytes that must become free before the file is written again. */
  missingBytes(): number;
  /** True when half of the space is left, in the file or on the disk: enough for claims. */
  isEnoughForClaims(): boolean;
  /** Deletes the file. */
  release(): void;
  /** Writes the file if there is space for it, and `database` can be written too. Returns true when it is there. */
  acquire(database: Database): boolean;
  /**
   * The code with which writing either one last failed, such as EIO; undefined when it succeeded, or found no space.
   */
  failure(): string | undefined;
}

/**
 * The ballast of `bytes` in the file `path`. With 0 it always counts as held: an admin command leaves the server's file
 * alone.
 */
export function openBallast(path: string, bytes: number): Ballast {
  let isHeld = sizeOf(path) === bytes;
  let failure: string | undefined;
  let retryAt = -Infinity;
  const missingBytes = () => Math.max(0, bytes + MARGIN_BYTES - freeBytes(path) - sizeOf(path));

  const write = (database: Database): boolean => {
    let code: string | undefined;
    try {
      code = findWriteFailure(database);
      if (code === undefined) writeBallast(path, bytes);
    } catch (error) {
      code = codeOf(error) ?? "unknown";
    }
    failure = code === "ENOSPC" ? undefined : code;
    if (code === undefined) return true;
    retryAt = performance.now() + RETRY_MS;
    removeBallast(path);
    return false;
  };

  return {
    bytes,
    held: () => isHeld || bytes === 0,
    size: () => sizeOf(path),
    missingBytes,
    isEnoughForClaims: () => 2 * (freeBytes(path) + sizeOf(path)) >= bytes,
    release() {
      if (bytes === 0) return;
      isHeld = false;
      removeBallast(path);
    },
    acquire(database) {
      if (bytes === 0) return true;
      isHeld &&= sizeOf(path) === bytes;
      isHeld ||= missingBytes() === 0 && performance.now() >= retryAt && write(database);
      return isHeld;
    },
    failure: () => failure,
  };
}

/** The bytes on the disk of `path` that are free for this user; 0 when that can't be read. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** The size of the file; 0 when there is none. A link doesn't count, as its target isn't ours. */
function sizeOf(path: string): number {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}

function removeBallast(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A read-only disk, for example: then every write fails, and its caller gets the error.
  }
}

/**
 * Writes the file anew, with real bytes, because a sparse file reserves no space. Throws the error of the file system.
 */
function writeBallast(path: string, bytes: number): void {
  const chunk = new Uint8Array(CHUNK_BYTES).fill(0xb5);
  rmSync(path, { force: true });
  // A file or link that appears there in between isn't written to.
  const write = (file: number) => {
    giveToOwner(file, path);
    for (let written = 0; written < bytes;) {
      written += writeSync(file, chunk, 0, Math.min(CHUNK_BYTES, bytes - written));
    }
    fsyncSync(file);
  };
  withFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, write, 0o600);
}

/**
 * Writes to the file of `database`, which SQLite does only in checkpoints: it is a page longer until the next one.
 * Returns the code of the system's error, which SQLite's own error lacks; undefined on success. Throws the error of the
 * file system when the file can't be looked up.
 */
function findWriteFailure(database: Database): string | undefined {
  // SQLite's own descriptor writes, since closing another one would end the locks that SQLite holds on the file.
  const control = (operation: number, value: number) =>
    database.fileControl(operation, BigInt64Array.of(BigInt(value)));
  const longer = statSync(database.filename).size + PAGE_BYTES;
  control(sqlite.SQLITE_FCNTL_CHUNK_SIZE, PAGE_BYTES);
  try {
    if (control(sqlite.SQLITE_FCNTL_SIZE_HINT, longer) === 0) return undefined;
  } finally {
    control(sqlite.SQLITE_FCNTL_CHUNK_SIZE, 0);
  }
  const errno = new Int32Array(2);
  database.fileControl(sqlite.SQLITE_FCNTL_LAST_ERRNO, errno);
  return CODES[errno[0] ?? 0] ?? `error ${errno[0]}`;
}
