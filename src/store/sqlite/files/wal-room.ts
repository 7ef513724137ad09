import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { isWantOfRoom } from "./errors.ts";
import { findEndOfFrames, readSalts } from "./wal-frames.ts";

// Descriptors of the WAL alone may be closed here: SQLite locks the database and the index, and never the WAL.
const CHUNK_BYTES = 256 * 1024;
const ZEROS = new Uint8Array(CHUNK_BYTES);
/** The room that the WAL keeps behind its frames: an admin command may write to it at the same time. */
const KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Makes the WAL at `path` so many bytes long, with zeros behind its last frame, which mean nothing to SQLite. `give` is called
 * before each chunk and says whether room was given up for it; where none was, what is free on the disk is taken, as long as
 * the file gets no longer than `fairBytes` says. To be called with SQLite's lock of a writer. Throws the error of the file
 * system when something else than room is wanting.
 */
export function growWal(
  path: string,
  bytes: number,
  { give, fairBytes }: { readonly give: (bytes: number) => boolean; readonly fairBytes: (size: number) => number },
): void {
  const wal = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    let { size } = fstatSync(wal);
    while (size < bytes) {
      const more = Math.min(CHUNK_BYTES, bytes - size);
      const isGiven = give(more);
      if (!isGiven && size + more > fairBytes(size)) return;
      const written = writeIfRoom(wal, more, size);
      if (!isGiven && written === 0) return;
      size += written;
    }
  } finally {
    closeSync(wal);
  }
}

/** The salts of the WAL at `path`, which are others for every round; undefined when it has none. Throws the error of the file system. */
export function saltsOfWal(path: string): string | undefined {
  const wal = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return readSalts(wal)?.toString("hex");
  } finally {
    closeSync(wal);
  }
}

/**
 * Writes zeros over all that rounds of the WAL at `path` before this one have left behind its frames, and flushes them. The
 * file keeps its size. To be called with SQLite's lock of a writer. Throws the error of the file system.
 */
export function wipeWal(path: string): void {
  const wal = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const { size } = fstatSync(wal);
    const found = Buffer.alloc(CHUNK_BYTES);
    for (let offset = findEndOfFrames(wal); offset < size; offset += CHUNK_BYTES) {
      const bytes = readSync(wal, found, 0, Math.min(CHUNK_BYTES, size - offset), offset);
      if (!found.subarray(0, bytes).equals(ZEROS.subarray(0, bytes))) writeSync(wal, ZEROS, 0, bytes, offset);
    }
    fdatasyncSync(wal);
  } finally {
    closeSync(wal);
  }
}

/** Writes zeros, 256 KiB at most, and returns how many; 0 for want of room. Throws what else the file system says. */
export function writeIfRoom(file: number, bytes: number, offset: number): number {
  try {
    return writeSync(file, ZEROS, 0, bytes, offset);
  } catch (error) {
    if (isWantOfRoom(error)) return 0;
    throw error;
  }
}

/**
 * Gives up `bytes` of the room that the WAL at `path` holds behind its frames, before the database is opened. Returns false
 * when it has none to spare, or cannot be cut.
 */
export function cutWalRoom(path: string, bytes: number): boolean {
  try {
    const wal = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      const left = fstatSync(wal).size - bytes;
      if (left < findEndOfFrames(wal) + KEPT_BYTES) return false;
      ftruncateSync(wal, left);
      return true;
    } finally {
      closeSync(wal);
    }
  } catch {
    // There is no WAL, or it is not ours: opening the database says what is wrong with it.
    return false;
  }
}
