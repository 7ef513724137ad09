import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { mapFile } from "./c-library.ts";
import { FRAME_BYTES, FRAME_HEADER, readAt, SALTS_BYTES, WAL_HEADER } from "./wal-frames.ts";
import { writeIfRoom } from "./wal-room.ts";

/**
 * The fields that are read here, of the header of the -shm file (SQLite's WAL-index format, section 2.1), which is there
 * twice and of the processor's byte order.
 */
const INDEX = { bytes: 48, commits: 8, frames: 16, salts: 32 } as const;
/** The fields behind both, of checkpoints: the frames that are copied, and those that were to be (section 2.1.4). */
const CHECKPOINTS = { copied: 96, attempted: 128, end: 132 } as const;
/** The index has blocks of 32 KiB, each for 4096 frames; its header takes the place of 34 (WAL-index format, section 2.2). */
const BLOCK = { bytes: 32 * 1024, frames: 4096, header: 34 } as const;

/** A look at the WAL from beside SQLite, which believes that it is as it was written. */
export interface WalCheck {
  /**
   * True when the WAL still reaches as far as the index says, with the salts of this round at its beginning and its
   * end. One that cannot be read is not said to be damaged.
   */
  isWhole(): boolean;
  /**
   * The number of commits, of whatever process, as the index counts them: another one after every commit that changed
   * something. It begins anew after 2^32. Throws once this is closed.
   */
  countCommits(): number;
  /** A text that is another one after every checkpoint, of whatever process; undefined while one is under way, or did not come to its end. */
  describeCheckpoints(): string | undefined;
  /** The number of frames in this round of the WAL, those too that were copied. Throws once this is closed. */
  countFrames(): number;
  /**
   * Makes the index as long as it becomes when the WAL is so long, as SQLite would. `give` is called when there is no room, and
   * says whether it has given some. To be called with SQLite's lock of a writer. Throws what else the file system says.
   */
  lengthenIndex(walBytes: number, give: (bytes: number) => boolean): void;
  /** To be called after the database is closed: closing a descriptor ends the locks that SQLite holds on the file. */
  close(): void;
}

/** Throws what the file system says when one of the files, at these paths, cannot be opened. */
export function openWalCheck(walPath: string, indexPath: string): WalCheck {
  const wal = openSync(walPath, "r");
  const index = openOrClose(indexPath, wal);
  // Every request asks for a count, and a call of the system costs more than all else that it takes to know a key.
  const mapped = mapFile(index, CHECKPOINTS.end);

  /** The round of the WAL that was seen last, by its salts, and how many frames it had. */
  let seen = { round: "", frames: 0 };
  const roundOf = (read: (offset: number) => number) => `${read(INDEX.salts)} ${read(INDEX.salts + 4)}`;

  const readState = (at: number) => {
    const read = (offset: number) => mapped.readU32(at + offset);
    return { round: roundOf(read), frames: read(INDEX.frames) };
  };

  const isAsSaid = (header: Buffer): boolean => {
    const read = (offset: number) => new Uint32Array(header.buffer, header.byteOffset + offset, 1)[0] ?? 0;
    const [round, frames] = [roundOf(read), read(INDEX.frames)];
    const salts = header.subarray(INDEX.salts, INDEX.salts + SALTS_BYTES);
    // Within a round there are only ever more: fewer are those of a copy that was put in the place of both files.
    if (round === seen.round && frames < seen.frames) return false;
    seen = { round, frames };
    if (frames === 0) return true;
    const lastFrame = WAL_HEADER.bytes + (frames - 1) * FRAME_BYTES;
    return (
      readAt(wal, WAL_HEADER.salts, SALTS_BYTES)?.equals(salts) === true &&
      readAt(wal, lastFrame + FRAME_HEADER.salts, SALTS_BYTES)?.equals(salts) === true &&
      readAt(wal, lastFrame + FRAME_BYTES - 1, 1) !== undefined
    );
  };
  const readIndex = () => readAt(index, 0, 2 * INDEX.bytes);

  return {
    isWhole() {
      try {
        for (let header = readIndex(); header;) {
          const isBeingWritten = !header.subarray(0, INDEX.bytes).equals(header.subarray(INDEX.bytes));
          if (isBeingWritten || isAsSaid(header)) return true;
          // Another process may have begun the WAL anew in between: the index is told before the file is cut.
          const later = readIndex();
          if (later?.equals(header)) return false;
          header = later;
        }
        return true;
      } catch {
        // That it can't be read is no proof that it was cut. The reads of SQLite fail then too, and are a trouble.
        return true;
      }
    },
    countCommits: () => mapped.readU32(INDEX.commits),
    describeCheckpoints() {
      const [copied, attempted] = [mapped.readU32(CHECKPOINTS.copied), mapped.readU32(CHECKPOINTS.attempted)];
      if (copied !== attempted) return undefined;
      return `${roundOf(mapped.readU32)} ${copied}`;
    },
    countFrames() {
      const [found, copy] = [readState(0), readState(INDEX.bytes)];
      // Otherwise it is being written.
      if (found.round === copy.round && found.frames === copy.frames) seen = found;
      return found.frames;
    },
    lengthenIndex(walBytes, give) {
      const frames = Math.ceil(walBytes / FRAME_BYTES);
      const bytes = Math.ceil((frames + BLOCK.header) / BLOCK.frames) * BLOCK.bytes;
      for (let { size } = fstatSync(index); size < bytes;) {
        const written = writeIfRoom(index, BLOCK.bytes - (size % BLOCK.bytes), size);
        if (written === 0 && !give(BLOCK.bytes)) return;
        size += written;
      }
    },
    close() {
      mapped.unmap();
      closeSync(wal);
      closeSync(index);
    },
  };
}

/** Opens the index; where that fails, `wal` is closed: SQLite locks other files, and never the WAL. */
function openOrClose(indexPath: string, wal: number): number {
  try {
    return openSync(indexPath, constants.O_RDWR | constants.O_NOFOLLOW);
  } catch (error) {
    closeSync(wal);
    throw error;
  }
}
