import { closeSync, openSync, readSync } from "node:fs";

/**
 * Offsets in the -shm file, whose numbers are of the processor's byte order (SQLite's WAL-index format, sections 2.1
 * and 2.1.4). The header is there twice, and the numbers of frames that were copied, and that were to be, stand behind
 * both.
 */
const HEADER_BYTES = 48;
const COMMITS = 8;
const FRAMES = 16;
const SALTS = { start: 32, end: 40 } as const;
const COPIED = 96;
const ATTEMPTED = 128;
const END = 132;

/** The state of the WAL at one moment, for all processes. */
export interface WalState {
  /** The number of frames in this round of the WAL, including copied ones. */
  readonly frames: number;
  /** Eight bytes that every frame of this round repeats, and no other round has. */
  readonly salts: Buffer;
  /** A text that changes with every checkpoint; undefined while one is under way, or was killed. */
  readonly checkpoints: string | undefined;
}

/**
 * SQLite's index of the WAL. It shows whether a key must be read again, and whether SQLite itself changed the
 * database's files. SQLite has no call for that.
 */
export interface WalIndex {
  /** The number of commits of all processes, modulo 2^32. Throws the error of the file system. */
  countCommits(): number;
  /** The state of the WAL; undefined while it is being changed. Throws the error of the file system. */
  read(): WalState | undefined;
}

/** Opens the index at `path`. Throws the error of the file system. `descriptors` as for `rememberFiles`. */
export function openWalIndex(path: string, descriptors: DisposableStack): WalIndex {
  const file = descriptors.adopt(openSync(path, "r"), closeSync);
  const words = new Uint32Array(END / 4);
  const bytes = Buffer.from(words.buffer);
  const read = (offset: number, end: number) => {
    if (readSync(file, bytes, offset, end - offset, offset) < end - offset) throw new Error("the WAL-index was cut");
  };
  const wordAt = (offset: number) => words[offset / 4] ?? 0;

  return {
    countCommits() {
      read(COMMITS, COMMITS + 4);
      return wordAt(COMMITS);
    },
    read() {
      read(0, END);
      if (bytes.compare(bytes, HEADER_BYTES, 2 * HEADER_BYTES, 0, HEADER_BYTES) !== 0) return undefined;
      const salts = Buffer.from(bytes.subarray(SALTS.start, SALTS.end));
      const isCopying = wordAt(COPIED) !== wordAt(ATTEMPTED);
      const checkpoints = isCopying ? undefined : `${salts.toString("hex")} ${wordAt(COPIED)}`;
      return { frames: wordAt(FRAMES), salts, checkpoints };
    },
  };
}
