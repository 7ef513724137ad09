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
    const { kind, size } = readBlock(archive.subarray(at, at + BLOCK_BYTES));
    if (!KNOWN.has(kind)) return true;
    at += BLOCK_BYTES + padded(size);
  }
  return false;
}

/** The most bytes of an extended header, as in modern-tar. */
const MAX_EXTENSION_BYTES = 8 * 1024 * 1024;
/** The size of a file that is too large for the field of its header. */
const SIZE_RECORD = /\d+ size=(\d{1,15})\n/g;

/** Does the same for an archive that comes in pieces: returns true at the first piece that shows it. */
export function createKindScanner(): (piece: Uint8Array) => boolean {
  const block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  let skipped = 0;
  let isOver = false;
  /** The parts of an extended header while it is skipped. */
  let extension: Uint8Array[] | undefined;
  let nextSize: number | undefined;

  const readHeader = (): boolean => {
    filled = 0;
    isOver = block[0] === 0;
    if (isOver) return false;
    const { kind, size } = readBlock(block);
    if (kind === "x") extension = [];
    const isExtension = kind === "x" || kind === "g" || kind === "L" || kind === "K";
    skipped = padded(isExtension ? size : (nextSize ?? size));
    if (!isExtension) nextSize = undefined;
    return !KNOWN.has(kind) || (isExtension && size > MAX_EXTENSION_BYTES);
  };

  const skip = (piece: Uint8Array): number => {
    const part = piece.subarray(0, skipped);
    skipped -= part.length;
    extension?.push(part.slice());
    if (extension && skipped === 0) {
      const text = extension.map((each) => new TextDecoder("latin1").decode(each)).join("");
      const size = [...text.matchAll(SIZE_RECORD)].at(-1)?.[1];
      if (size !== undefined) nextSize = Number(size);
      extension = undefined;
    }
    return part.length;
  };

  return (piece) => {
    for (let at = 0; at < piece.length && !isOver;) {
      if (skipped > 0) {
        at += skip(piece.subarray(at));
        continue;
      }
      const part = piece.subarray(at, at + BLOCK_BYTES - filled);
      block.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled === BLOCK_BYTES && readHeader()) return true;
    }
    return false;
  };
}

/** The kind of an entry, and the bytes of its content behind the header. */
function readBlock(block: Uint8Array): { readonly kind: string; readonly size: number } {
  const kind = String.fromCharCode(block[TYPE_OFFSET] ?? 0);
  const field = new TextDecoder("latin1").decode(block.subarray(SIZE_OFFSET, SIZE_OFFSET + SIZE_BYTES));
  return { kind, size: WITHOUT_CONTENT.has(kind) ? 0 : Number.parseInt(field, 8) || 0 };
}

function padded(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}
