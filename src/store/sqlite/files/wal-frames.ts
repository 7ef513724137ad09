import { closeSync, openSync, readSync } from "node:fs";
import { PAGE_BYTES } from "./ciphertext-pages.ts";

/** The layout of a WAL (SQLite's file format, sections 4.1 and 4.2): lengths of its headers, and the places of the salts in them. */
export const WAL_HEADER = { bytes: 32, salts: 16 } as const;
export const FRAME_HEADER = { bytes: 24, salts: 8 } as const;
export const FRAME_BYTES = FRAME_HEADER.bytes + PAGE_BYTES;
/** The length of the two salts that every frame of this round repeats. */
export const SALTS_BYTES = 8;
const USER_VERSION_OFFSET = 60;
/** The places of the checksums, and the number by which their words are big-endian, and not little-endian. */
const CHECKSUMS = { inHeader: 24, inFrame: 16, bytes: 8 } as const;
const MAGIC_BIG_ENDIAN = 0x37_7f_06_83;

/**
 * The highest `user_version` in the WAL at `path`, which a process that was killed may have left there; 0 when there is
 * none. Reads alone, where SQLite would begin to copy the WAL into the database.
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
      const frame = readAt(wal, offset, FRAME_BYTES);
      if (!frame || !isWhole(wal, offset, frame)) continue;
      version = Math.max(version, frame.readUInt32BE(FRAME_HEADER.bytes + USER_VERSION_OFFSET));
    }
    return version;
  } finally {
    closeSync(wal);
  }
}

/**
 * True when the checksum of the frame at `offset` is right. A process that was killed may have written the header of its last frame, over the
 * page of another one from a former round.
 */
function isWhole(wal: number, offset: number, frame: Buffer): boolean {
  const isFirst = offset === WAL_HEADER.bytes;
  const before = readAt(wal, isFirst ? CHECKSUMS.inHeader : offset - FRAME_BYTES + CHECKSUMS.inFrame, CHECKSUMS.bytes);
  const isBigEndian = readAt(wal, 0, 4)?.readUInt32BE(0) === MAGIC_BIG_ENDIAN;
  if (!before) return false;
  let [first, second] = [before.readUInt32BE(0), before.readUInt32BE(4)];
  const add = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += 8) {
      const read = (place: number) => (isBigEndian ? bytes.readUInt32BE(place) : bytes.readUInt32LE(place));
      first = (first + read(at) + second) >>> 0;
      second = (second + read(at + 4) + first) >>> 0;
    }
  };
  add(frame.subarray(0, FRAME_HEADER.salts));
  add(frame.subarray(FRAME_HEADER.bytes));
  return frame.readUInt32BE(CHECKSUMS.inFrame) === first && frame.readUInt32BE(CHECKSUMS.inFrame + 4) === second;
}

/** The end of the frames of this round in the open `wal`, in bytes; 0 when it has not even a header. */
export function findEndOfFrames(wal: number): number {
  if (!readSalts(wal)) return 0;
  let end: number = WAL_HEADER.bytes;
  for (const { offset } of framesOf(wal)) end = offset + FRAME_BYTES;
  return end;
}

/** The two salts in the header of the open `wal`; undefined when it has none. Zeros that hold room are no header. */
export function readSalts(wal: number): Buffer | undefined {
  const salts = readAt(wal, WAL_HEADER.salts, SALTS_BYTES);
  return salts?.some((byte) => byte !== 0) ? salts : undefined;
}

/** The frames of this round: the number of the page that each holds, and where it begins in the file. */
function* framesOf(wal: number): Generator<{ readonly page: number; readonly offset: number }> {
  const salts = readSalts(wal);
  for (let offset: number = WAL_HEADER.bytes; salts; offset += FRAME_BYTES) {
    const frame = readAt(wal, offset, FRAME_HEADER.bytes);
    if (!frame?.subarray(FRAME_HEADER.salts, FRAME_HEADER.salts + SALTS_BYTES).equals(salts)) return;
    yield { page: frame.readUInt32BE(0), offset };
  }
}

/** The bytes of an open file at `offset`, in memory of their own; undefined when the file ends before. */
export function readAt(file: number, offset: number, bytes: number): Buffer | undefined {
  const buffer = Buffer.from(new ArrayBuffer(bytes));
  return readSync(file, buffer, 0, bytes, offset) === bytes ? buffer : undefined;
}
