const BLOCK_BYTES = 512;
const CHECKSUM_OFFSET = 148;
const CHECKSUM_BYTES = 8;
const MARK_OFFSET = 257;
/** The magic values of POSIX and GNU tar, with the zero byte that text never has. */
const MARKS = ["ustar\0", "ustar  \0"];

/**
 * True when bytes begin with the header of a tar archive, whole or not, by its magic value or its checksum
 * (POSIX.1-2017, pax, "ustar Interchange Format"). Archives from before POSIX have no magic value.
 */
export function beginsLikeTar(bytes: Uint8Array): boolean {
  if (bytes[0] === undefined || bytes[0] === 0) return false;
  return MARKS.some((mark) => readText(bytes, MARK_OFFSET, mark.length) === mark) || hasChecksum(bytes);
}

function hasChecksum(bytes: Uint8Array): boolean {
  if (bytes.length < BLOCK_BYTES) return false;
  const checksum = /^ *([0-7]+)[\0 ]/.exec(readText(bytes, CHECKSUM_OFFSET, CHECKSUM_BYTES))?.[1];
  if (checksum === undefined) return false;
  // The checksum counts its own field as spaces.
  const header = bytes.subarray(0, BLOCK_BYTES);
  const sum = header.reduce((total, byte, i) => total + (isInChecksum(i) ? 0x20 : byte), 0);
  return Number.parseInt(checksum, 8) === sum;
}

function isInChecksum(offset: number): boolean {
  return offset >= CHECKSUM_OFFSET && offset < CHECKSUM_OFFSET + CHECKSUM_BYTES;
}

function readText(bytes: Uint8Array, offset: number, length: number): string {
  return new TextDecoder("latin1").decode(bytes.subarray(offset, offset + length));
}
