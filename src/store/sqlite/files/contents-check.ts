import type { Database } from "bun:sqlite";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { PAGE_BYTES } from "./ciphertext-pages.ts";
import type { WalIndex, WalState } from "./wal-state.ts";

/** Offsets in the header of a database (SQLite's file format, section 1.3). */
const CHANGE_COUNT = 24;
const PAGE_COUNT = 28;
const APPLICATION_ID = 68;
const NO_PAGE = Buffer.alloc(PAGE_BYTES);

/** The first pages, among which SQLite puts the first page of every table. */
const FIRST_PAGES = 128;

/** The lengths of the headers in a WAL, and the offsets of the salts in them (the same, section 4.1). */
const WAL_HEADER = { bytes: 32, salts: 16 } as const;
const FRAME_HEADER = { bytes: 24, salts: 8 } as const;
const FRAME_BYTES = FRAME_HEADER.bytes + PAGE_BYTES;
const SALTS_BYTES = 8;

/** The time within which a file can be written twice with the same modification time. */
const SAME_TIME_MS = 50;

/** Detects that another program has truncated or overwritten the database file or the WAL. */
export interface ContentsCheck {
  /**
   * The file that isn't as SQLite left it; undefined when both are. Also undefined while another process changes them,
   * and when they can't be read: then SQLite's reads fail too, which is a trouble of its own.
   */
  findCut(): "database" | "wal" | undefined;
  /** The number of frames in this round of the WAL. Throws the error of the file system. */
  countFrames(): number;
}

/** The first page, and that of the table `clocks`, which every transaction changes. */
type Pages = readonly [first: Buffer, clocks: Buffer];

/** The database file between two checkpoints. */
interface Known {
  readonly checkpoints: string;
  readonly mtimeMs: number;
  readonly pages: Pages;
  readonly hasInstallation: boolean;
  /** False while it could be written once more with the same `mtimeMs`. */
  readonly isSettled: boolean;
}

/**
 * The check of the files of `database`, at `path`. Throws the errors of the file system and of SQLite. `descriptors` as
 * for `rememberFiles`.
 */
export function openContentsCheck(
  database: Database,
  path: string,
  index: WalIndex,
  descriptors: DisposableStack,
): ContentsCheck {
  const file = descriptors.adopt(openSync(path, "r"), closeSync);
  const wal = descriptors.adopt(openSync(`${path}-wal`, "r"), closeSync);
  const { page: clocksPage = 1 } =
    database.query<{ page: number }, []>("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'clocks'").get() ??
    {};
  // No other database has this id.
  const installation = database.query<{ id: string }, []>("SELECT public_id AS id FROM installations").get()?.id ?? "";
  let { size } = fstatSync(file);
  let known: Known | undefined;
  let seen: WalState | undefined;

  // Zeros beyond the end: a new database has its pages in the WAL alone until the first checkpoint.
  const readPage = (page: number) => readAt(file, (page - 1) * PAGE_BYTES, PAGE_BYTES) ?? NO_PAGE;

  /** True when the database file is what checkpoints made of it, or another process changes it. */
  const isAsWritten = (state: WalState, mtimeMs: number): boolean => {
    const { checkpoints } = state;
    const isSame = checkpoints === known?.checkpoints;
    if (checkpoints === undefined || (isSame && known?.isSettled && mtimeMs === known.mtimeMs)) return true;
    const pages: Pages = [readPage(1), readPage(clocksPage)];
    const hasInstallation =
      isSame && known
        ? known.hasInstallation
        : readAt(file, 0, Math.min(size, FIRST_PAGES * PAGE_BYTES))?.includes(installation) === true;
    if (!isStill(index, state)) return true;
    const next = { checkpoints, mtimeMs, pages, hasInstallation };
    if (known && !(isSame ? areEqual(pages, known.pages) : isSuccessor(next, known))) return false;
    known = { ...next, isSettled: Math.abs(Date.now() - mtimeMs) > SAME_TIME_MS };
    return true;
  };

  const hasSalts = (offset: number, { salts }: WalState) => readAt(wal, offset, SALTS_BYTES)?.equals(salts) === true;

  /** True when the WAL is as long as its index says, and its header and its last frame are of this round. */
  const isAsIndexed = (state: WalState): boolean => {
    // In a round frames are only added. With fewer, an earlier copy of WAL and index has replaced them.
    if (seen?.salts.equals(state.salts) && state.frames < seen.frames) return false;
    seen = state;
    if (state.frames === 0) return true;
    const last = WAL_HEADER.bytes + (state.frames - 1) * FRAME_BYTES;
    return (
      hasSalts(WAL_HEADER.salts, state) &&
      hasSalts(last + FRAME_HEADER.salts, state) &&
      readAt(wal, last + FRAME_BYTES - 1, 1) !== undefined
    );
  };

  return {
    findCut() {
      try {
        // In this order: a checkpoint that begins after this gives the file another time.
        const state = index.read();
        const { mtimeMs, size: found } = fstatSync(file);
        const isShorter = found < size;
        size = found;
        // SQLite truncates the file to the length in its header.
        if (isShorter && found < readPage(1).readUInt32BE(PAGE_COUNT) * PAGE_BYTES) return "database";
        if (!state) return undefined;
        if (!isAsWritten(state, mtimeMs)) return "database";
        // Another process may have begun the WAL anew: it changes the index before it truncates the file.
        return isAsIndexed(state) || !isStill(index, state) ? undefined : "wal";
      } catch {
        return undefined;
      }
    },
    countFrames() {
      seen = index.read() ?? seen;
      return seen?.frames ?? 0;
    },
  };
}

/** The bytes of an open file at `offset`, in new memory; undefined when the file ends before. */
function readAt(file: number, offset: number, bytes: number): Buffer | undefined {
  const buffer = Buffer.from(new ArrayBuffer(bytes));
  return readSync(file, buffer, 0, bytes, offset) === bytes ? buffer : undefined;
}

/** True while no process has changed the WAL or the database file since `state` was read. */
function isStill(index: WalIndex, { frames, salts, checkpoints }: WalState): boolean {
  const now = index.read();
  return now?.frames === frames && now.salts.equals(salts) && now.checkpoints === checkpoints;
}

function areEqual(some: Pages, others: Pages): boolean {
  return some.every((page, index) => others[index]?.equals(page));
}

type Checked = Pick<Known, "pages" | "hasInstallation">;

/** True when a checkpoint can have turned `earlier` into `later`: same installation, no fewer changes. */
function isSuccessor(later: Checked, earlier: Checked): boolean {
  if (earlier.hasInstallation && !later.hasInstallation) return false;
  const [now, before] = [later.pages[0], earlier.pages[0]];
  // SQLite counts in 32 bits.
  const changes = (now.readUInt32BE(CHANGE_COUNT) - before.readUInt32BE(CHANGE_COUNT)) | 0;
  return now.readUInt32BE(APPLICATION_ID) === before.readUInt32BE(APPLICATION_ID) && changes >= 0;
}
