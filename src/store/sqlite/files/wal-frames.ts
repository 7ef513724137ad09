import { closeSync, openSync, readSync } from "node:fs";
import { PAGE_BYTES } from "./ciphertext-pages.ts";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES;
/** The places of the two salts that every frame of this round repeats. */
const SALTS = { inHeader: 16, inFrame: 8, bytes: 8 } as const;
const USER_VERSION_OFFSET = 60;

/**
 * The highest `user_version` in the WAL at `path`, which a process that was killed may have left there; 0 when there is
 * none. Reads alone, where SQLite would begin to copy the WAL into the database. The layout is that of SQLite's file
 * format, section 4.
 */
export function findVersionInWal(path: string): number {
  let wal: number;
  try {
    wal = openSync(path, "r");
  } catch {
    // There is none, or SQLite will say what is wrong with it.
    return 0;
  }
  try {
    let version = 0;
    for (const { page, offset } of framesOf(wal)) {
      if (page !== 1) continue;
      const field = readAt(wal, offset + FRAME_HEADER_BYTES + USER_VERSION_OFFSET, 4);
      version = Math.max(version, field?.readUInt32BE(0) ?? 0);
    }
    return version;
  } finally {
    closeSync(wal);
  }
}

/** The end of the frames of this round in the open `wal`, in bytes; 0 when it has not even a header. */
export function findEndOfFrames(wal: number): number {
  if (!readSalts(wal)) return 0;
  let end = HEADER_BYTES;
  for (const { offset } of framesOf(wal)) end = offset + FRAME_BYTES;
  return end;
}

/** The two salts in the header of the open `wal`; undefined when it has none. Zeros that hold room are no header. */
export function readSalts(wal: number): Buffer | undefined {
  const salts = readAt(wal, 0, HEADER_BYTES)?.subarray(SALTS.inHeader, SALTS.inHeader + SALTS.bytes);
  return salts?.some((byte) => byte !== 0) ? salts : undefined;
}

/** The frames of this round: the number of the page that each holds, and where it begins in the file. */
function* framesOf(wal: number): Generator<{ readonly page: number; readonly offset: number }> {
  const salts = readSalts(wal);
  for (let offset = HEADER_BYTES; salts; offset += FRAME_BYTES) {
    const frame = readAt(wal, offset, FRAME_HEADER_BYTES);
    if (!frame?.subarray(SALTS.inFrame, SALTS.inFrame + SALTS.bytes).equals(salts)) return;
    yield { page: frame.readUInt32BE(0), offset };
  }
}

/** The bytes at `offset`; undefined when the file ends before. */
function readAt(file: number, offset: number, bytes: number): Buffer | undefined {
  const buffer = Buffer.alloc(bytes);
  return readSync(file, buffer, 0, bytes, offset) === bytes ? buffer : undefined;
}
