import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { giveToOwner } from "./owners.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const CHUNK_BYTES = 1024 * 1024;
/** Left free beyond the ballast when it is taken again: without room for the WAL, the next creations would drop it at once. */
const MARGIN_BYTES = 12 * 1024 * 1024;

/** A file that takes up room on the disk, to be given back when there is no other. None of its methods throws. */
export interface Ballast {
  readonly bytes: number;
  /** What has to be free on the disk for the room to be taken. */
  readonly neededBytes: number;
  /** Whether the room is held back now. */
  held(): boolean;
  /** Gives all of the room back to the disk. What stays is an empty file. */
  release(): void;
  /** Whether it was released, by whatever process, and neither acquired nor removed since. */
  isReleased(): boolean;
  /** Gives all of the room back, the empty file too. */
  remove(): void;
  /** Gives back so much of it. Returns false when there was nothing left. */
  shrink(bytes: number): boolean;
  /** Takes the room if the disk has it. Returns whether it is held. */
  acquire(): boolean;
}

/** A ballast of `bytes` in the file `path`. */
export function openBallast(path: string, bytes: number): Ballast {
  let isHeld = sizeOf(path) === bytes;
  return {
    bytes,
    neededBytes: bytes + MARGIN_BYTES,
    held: () => isHeld,
    release() {
      isHeld = false;
      cutFile(path, 0);
    },
    isReleased: () => sizeOf(path) === 0,
    remove() {
      isHeld = false;
      removeFile(path);
    },
    shrink(fewer) {
      isHeld = false;
      const size = sizeOf(path) ?? 0;
      return size > 0 && cutFile(path, Math.max(0, size - fewer));
    },
    acquire() {
      isHeld = sizeOf(path) === bytes || (hasRoom(path, bytes) && removeFile(path) && writeFile(path, bytes));
      return isHeld;
    },
  };
}

/** How much of the disk that `path` is on is free for us; 0 when that is not to be known. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** The size of the file; undefined when there is none. What a link leads to is no room of ours. */
function sizeOf(path: string): number | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the file `bytes` long, which must not be more than it is. */
function cutFile(path: string, bytes: number): boolean {
  try {
    const file = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      ftruncateSync(file, bytes);
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    // A disk that went read-only, say: then every write says so to its caller.
    return false;
  }
}

function removeFile(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    // A disk that went read-only, say: then every write says so to its caller.
    return false;
  }
}

/** Whether there is room for the file, with what an earlier one of its name has taken. */
function hasRoom(path: string, bytes: number): boolean {
  return freeBytes(path) + (sizeOf(path) ?? 0) >= bytes + MARGIN_BYTES;
}

/** Writes the file whole or not at all, and returns which. Real bytes, because a sparse file holds nothing back. */
function writeFile(path: string, bytes: number): boolean {
  const temporary = `${path}.tmp`;
  const chunk = new Uint8Array(CHUNK_BYTES).fill(0xb5);
  // What is left of an earlier attempt. Whatever else appears there, or where it leads, is not written to.
  if (!removeFile(temporary)) return false;
  try {
    const file = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      giveToOwner(file, path);
      for (let written = 0; written < bytes;) {
        written += writeSync(file, chunk, 0, Math.min(CHUNK_BYTES, bytes - written));
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    return true;
  } catch {
    // No room after all, or a quota that statfs does not show. Without ballast creations are refused, and say so.
    removeFile(temporary);
    return false;
  }
}
