const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The bytes of a chunk around its data: length, type and checksum. */
const FRAME_BYTES = 12;
const MAX_SIDE = 2048;

/** True when `bytes` begin as a PNG does. */
export function looksLikePng(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/**
 * A sentence about what keeps `bytes` from being a whole PNG (ISO/IEC 15948) of a reasonable size with nothing behind it;
 * undefined when nothing does.
 */
export function findPngFault(bytes: Buffer): string | undefined {
  if (!looksLikePng(bytes)) return "is no PNG";
  const types: string[] = [];
  let at = SIGNATURE.length;
  while (at < bytes.length) {
    const length = at + FRAME_BYTES <= bytes.length ? bytes.readUInt32BE(at) : bytes.length;
    const end = at + FRAME_BYTES + length;
    if (end > bytes.length) return "is a PNG that is cut off";
    if (Bun.hash.crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return "is a damaged PNG";
    types.push(bytes.toString("latin1", at + 4, at + 8));
    at = end;
    if (types.at(-1) === "IEND") break;
  }
  if (at !== bytes.length) return "has something behind its picture";
  if (types[0] !== "IHDR" || !types.includes("IDAT") || types.at(-1) !== "IEND") return "is a PNG without a picture";
  if (types.includes("acTL")) return "is animated";
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width === 0 || height === 0) return "is a PNG without a picture";
  return width > MAX_SIDE || height > MAX_SIDE
    ? `is ${width} by ${height} pixels, and at most ${MAX_SIDE} are taken`
    : undefined;
}
