import { closeSync, existsSync, fsyncSync, openSync, renameSync, statSync, unlinkSync, writeSync } from "node:fs";

const CHUNK_BYTES = 1024 * 1024;

/** Room on the disk held back for claims and expiry, contract section 6. */
export interface Ballast {
  /** Whether the room is held back now. */
  held(): boolean;
  /** Gives the room back to the disk. */
  release(): void;
  /** Takes the room if the disk has it. Returns whether it is held. */
  acquire(): boolean;
}

/** A ballast of `bytes` in the file `path`. */
export function openBallast(path: string, bytes: number): Ballast {
  const held = () => existsSync(path) && statSync(path).size === bytes;
  let isHeld = held();
  return {
    held: () => isHeld,
    release() {
      if (existsSync(path)) unlinkSync(path);
      isHeld = false;
    },
    acquire() {
      if (!isHeld) {
        writeFile(path, bytes);
        isHeld = held();
      }
      return isHeld;
    },
  };
}

/** Writes the file whole or not at all. Real bytes, because a sparse file holds nothing back. */
function writeFile(path: string, bytes: number): void {
  const temporary = `${path}.tmp`;
  const chunk = new Uint8Array(CHUNK_BYTES).fill(0xb5);
  const file = openSync(temporary, "w", 0o600);
  try {
    for (let written = 0; written < bytes;) {
      written += writeSync(file, chunk, 0, Math.min(CHUNK_BYTES, bytes - written));
    }
    fsyncSync(file);
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    if (!(error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT"))) {
      throw error;
    }
  } finally {
    closeSync(file);
  }
}
