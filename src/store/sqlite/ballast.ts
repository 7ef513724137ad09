import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const CHUNK_BYTES = 1024 * 1024;
/** Left free beyond the ballast when it is taken again: without room for the WAL, the next creations would drop it at once. */
const MARGIN_BYTES = 12 * 1024 * 1024;

/** Room on the disk held back for claims and expiry, contract section 6. None of its methods throws. */
export interface Ballast {
  /** What has to be free on the disk for the room to be taken. */
  readonly neededBytes: number;
  /** Whether the room is held back now. */
  held(): boolean;
  /** Gives the room back to the disk. */
  release(): void;
  /** Takes the room if the disk has it. Returns whether it is held. */
  acquire(): boolean;
}

/** A ballast of `bytes` in the file `path`. */
export function openBallast(path: string, bytes: number): Ballast {
  let isHeld = isWhole(path, bytes);
  return {
    neededBytes: bytes + MARGIN_BYTES,
    held: () => isHeld,
    release() {
      isHeld = false;
      removeFile(path);
    },
    acquire() {
      isHeld = isWhole(path, bytes) || (removeFile(path) && hasRoom(path, bytes) && writeFile(path, bytes));
      return isHeld;
    },
  };
}

function isWhole(path: string, bytes: number): boolean {
  try {
    // Not what a link leads to: that is no room of ours.
    const stats = lstatSync(path);
    return stats.isFile() && stats.size === bytes;
  } catch {
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

function hasRoom(path: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize >= bytes + MARGIN_BYTES;
  } catch {
    return false;
  }
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
