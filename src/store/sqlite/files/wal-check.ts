import { closeSync, openSync, readSync } from "node:fs";
import { PAGE_BYTES } from "./ciphertext-pages.ts";
import type { WalIndex, WalState } from "./wal-state.ts";

/**
 * The layout of the WAL (SQLite's file format, section 4.1): lengths of its headers, and offsets of the salts in them.
 */
const WAL_HEADER = { bytes: 32, salts: 16 } as const;
const FRAME_HEADER = { bytes: 24, salts: 8 } as const;
const FRAME_BYTES = FRAME_HEADER.bytes + PAGE_BYTES;
const SALTS_BYTES = 8;

/**
 * Notices that another program has cut the WAL or written over it, after which SQLite would lose what was acknowledged.
 */
export interface WalCheck {
  /**
   * True while the WAL is as long as its index says, and its header and its last frame are of this round. Also true
   * when it can't be read: reads of SQLite fail then too, and are a trouble of their own.
   */
  isWhole(): boolean;
  /** The number of frames in this round. Throws the error of the file system. */
  countFrames(): number;
  close(): void;
}

/** The check of the WAL at `path`. Throws the error of the file system. */
export function openWalCheck(path: string, index: WalIndex): WalCheck {
  const wal = openSync(path, "r");
  let seen: WalState | undefined;

  const hasSalts = (offset: number, salts: Buffer) => readAt(wal, offset, SALTS_BYTES)?.equals(salts) === true;

  const isAsIndexed = (state: WalState): boolean => {
    // In a round frames are only added. With fewer, an earlier copy of WAL and index was put in their place.
    if (seen?.salts.equals(state.salts) && state.frames < seen.frames) return false;
    seen = state;
    if (state.frames === 0) return true;
    const last = WAL_HEADER.bytes + (state.frames - 1) * FRAME_BYTES;
    return (
      hasSalts(WAL_HEADER.salts, state.salts) &&
      hasSalts(last + FRAME_HEADER.salts, state.salts) &&
      readAt(wal, last + FRAME_BYTES - 1, 1) !== undefined
    );
  };

  return {
    isWhole() {
      try {
        const state = index.read();
        if (!state || isAsIndexed(state)) return true;
        // Another process may have begun the WAL anew in between: it changes the index before it cuts the file.
        const later = index.read();
        return !later || later.frames !== state.frames || !later.salts.equals(state.salts);
      } catch {
        return true;
      }
    },
    countFrames() {
      const state = index.read();
      if (state) seen = state;
      return state?.frames ?? 0;
    },
    close: () => closeSync(wal),
  };
}

/** The bytes of an open file at `offset`, in memory of their own; undefined when the file ends before. */
export function readAt(file: number, offset: number, bytes: number): Buffer | undefined {
  const buffer = Buffer.from(new ArrayBuffer(bytes));
  return readSync(file, buffer, 0, bytes, offset) === bytes ? buffer : undefined;
}
