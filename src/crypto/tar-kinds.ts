const BLOCK_BYTES = 512;
const SIZE_OFFSET = 124;
const SIZE_BYTES = 12;
const TYPE_OFFSET = 156;
/** Files, links, devices, folders and extended headers, of POSIX and GNU. POSIX allows reading `7` as a file. */
const KNOWN = new Set("\u000001234567xgLK");
const WITHOUT_CONTENT = new Set("123456");

/** True for an archive with entries, such as sparse files, whose content isn't simply the data behind the header. */
export function hasUnknownKinds(archive: Uint8Array): boolean {
  for (let at = 0; at + BLOCK_BYTES <= archive.length && archive[at] !== 0;) {
    const type = String.fromCharCode(archive[at + TYPE_OFFSET] ?? 0);
    if (!KNOWN.has(type)) return true;
    const field = new TextDecoder("latin1").decode(archive.subarray(at + SIZE_OFFSET, at + SIZE_OFFSET + SIZE_BYTES));
    const size = WITHOUT_CONTENT.has(type) ? 0 : Number.parseInt(field, 8) || 0;
    at += BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return false;
}
