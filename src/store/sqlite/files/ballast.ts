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
import { codeOf } from "../../../contract/system-codes.ts";
import { giveToOwner } from "./owners.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const CHUNK_BYTES = 1024 * 1024;
/**
 * The bytes that are left free beyond the ballast when it is taken again: without room for the WAL, the next creations
 * would drop it at once.
 */
const MARGIN_BYTES = 12 * 1024 * 1024;
/**
 * The bytes that are kept when the rest is given up. SQLite makes its index of the WAL anew when the database is
 * opened, and that takes room.
 */
const SPARE_BYTES = 512 * 1024;
/**
 * The bytes that the index of a WAL of 32 MiB takes. The room is given up in steps because a neighbour may take each
 * before SQLite does.
 */
export const OPENING_BYTES = 64 * 1024;

/** A file that takes up room on the disk, to be given back when there is no other. None of its methods throws. */
export interface Ballast {
  readonly bytes: number;
  /** The bytes that must be free on the disk for the room to be taken. */
  readonly neededBytes: number;
  /** True when the room is held back now. */
  held(): boolean;
  /** The bytes that it takes up now; 0 when it is not there. */
  size(): number;
  /** True when some of it was given up, by whatever process, and not acquired since. */
  isGivenUp(): boolean;
  /** Gives up so much of it. Returns false when only the spare is left, which is for opening the database. */
  shrink(bytes: number): boolean;
  /** Gives up all but the spare. */
  release(): void;
  /** Gives up what opening the database takes, of the spare too. Returns false when nothing is left. */
  shrinkForOpening(): boolean;
  /** Takes the room if the disk has it. Returns whether it is held. */
  acquire(): boolean;
  /**
   * The reason why it could not be written when that was tried last, as the file system names it; undefined when it
   * was, or for want of room.
   */
  failure(): string | undefined;
}

/** A ballast of `bytes` in the file `path`; 0 for a process that leaves the server's alone. */
export function openBallast(path: string, bytes: number): Ballast {
  let isHeld = sizeOf(path) === bytes;
  let failure: string | undefined;
  const size = () => sizeOf(path) ?? 0;
  const cut = (to: number): boolean => {
    isHeld = false;
    return cutFile(path, to);
  };
  return {
    bytes,
    neededBytes: bytes + MARGIN_BYTES,
    held: () => isHeld,
    size,
    isGivenUp: () => (sizeOf(path) ?? Infinity) < Math.max(bytes, SPARE_BYTES + 1),
    shrink: (fewer) => size() > SPARE_BYTES && cut(Math.max(SPARE_BYTES, size() - fewer)),
    release: () => void cut(Math.min(SPARE_BYTES, size())),
    shrinkForOpening: () => size() > 0 && cut(Math.max(0, size() - OPENING_BYTES)),
    acquire() {
      failure = undefined;
      const note = (error: unknown) => void (failure = nameFailure(error));
      // Once it was given up it is written anew, also if it could not be cut: that it can be written has to be seen.
      isHeld &&= size() === bytes;
      isHeld ||= hasRoom(path, bytes) && removeFile(path, note) && writeFile(path, bytes, note);
      return isHeld;
    },
    failure: () => failure,
  };
}

/** The code of an error that is no want of room; undefined for one that is. */
function nameFailure(error: unknown): string | undefined {
  const code = codeOf(error) ?? "unknown";
  return code === "ENOSPC" ? undefined : code;
}

/** The bytes of the disk of `path` that are free for us; 0 when that is not to be known. */
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

function removeFile(path: string, onError: (error: unknown) => void): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}

/** True when there is room for the file, with what an earlier one of its name has taken. */
function hasRoom(path: string, bytes: number): boolean {
  return freeBytes(path) + (sizeOf(path) ?? 0) >= bytes + MARGIN_BYTES;
}

/** Writes the file whole or not at all, and returns which. Real bytes, because a sparse file holds nothing back. */
function writeFile(path: string, bytes: number, onError: (error: unknown) => void): boolean {
  const temporary = `${path}.tmp`;
  const chunk = new Uint8Array(CHUNK_BYTES).fill(0xb5);
  // What is left of an earlier attempt. Whatever else appears there, or where it leads, is not written to.
  if (!removeFile(temporary, onError)) return false;
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
  } catch (error) {
    // No room after all, or a quota that statfs does not show. Without ballast creations are refused, and say so.
    removeFile(temporary, () => undefined);
    onError(error);
    return false;
  }
}
