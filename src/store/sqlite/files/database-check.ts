import type { Database } from "bun:sqlite";
import { closeSync, fstatSync, openSync } from "node:fs";
import { PAGE_BYTES } from "./ciphertext-pages.ts";
import { readAt } from "./wal-check.ts";
import type { WalIndex } from "./wal-state.ts";

/** Offsets in the header of a database (SQLite's file format, section 1.3). */
const CHANGE_COUNT = 24;
const PAGE_COUNT = 28;
const APPLICATION_ID = 68;
const NO_PAGE = Buffer.alloc(PAGE_BYTES);

/** The pages at the beginning, among which SQLite puts the first page of every table. */
const FIRST_PAGES = 128;

/** The time within which a file can be written twice with the same time of its last change. */
const SAME_TIME_MS = 50;

/** Notices that another program has cut the database file or written over it, which SQLite would not. */
export interface DatabaseCheck {
  /**
   * True while the file is what checkpoints made of it: as long as its header says, and not changed between two of
   * them. Also true when it can't be read: reads of SQLite fail then too, and are a trouble of their own.
   */
  isWhole(): boolean;
  /** To be called after the database is closed: closing a descriptor ends the locks that SQLite holds on the file. */
  close(): void;
}

/** The file as it was between two checkpoints. */
interface Known {
  readonly checkpoints: string;
  readonly mtimeMs: number;
  readonly pages: Pages;
  /** False while it could be written once more without another `mtimeMs`. */
  readonly isSettled: boolean;
}

/** The first page, and that of the table `clocks`, which every transaction changes. */
type Pages = readonly [first: Buffer, clocks: Buffer];

/** The check of the file of `database`, at `path`. Throws the error of the file system. */
export function openDatabaseCheck(database: Database, path: string, index: WalIndex): DatabaseCheck {
  const file = openSync(path, "r");
  const clocksPage = findPage(database, "clocks");
  const installation = findInstallation(database);
  let hadInstallation = false;
  let { size } = fstatSync(file);
  let known: Known | undefined;

  // Zeros where the file ends before: a new database has its pages in the WAL alone until the first checkpoint.
  const readPages = (): Pages => {
    const readPage = (page: number) => readAt(file, (page - 1) * PAGE_BYTES, PAGE_BYTES) ?? NO_PAGE;
    return [readPage(1), readPage(clocksPage)];
  };

  /** False when the file had the id of the installation, and has it no more: it is another one's. */
  const keepsInstallation = (): boolean => {
    const bytes = readAt(file, 0, Math.min(size, FIRST_PAGES * PAGE_BYTES));
    const hasInstallation = installation !== undefined && bytes?.includes(installation) === true;
    if (hadInstallation && !hasInstallation) return false;
    hadInstallation = hasInstallation;
    return true;
  };

  const isAsWritten = (checkpoints: string, mtimeMs: number): boolean => {
    const isQuiet = mtimeMs === known?.mtimeMs && known.isSettled;
    if (isQuiet && known?.checkpoints === checkpoints) return true;
    const pages = readPages();
    const isSame = known?.checkpoints === checkpoints;
    const isOurs = isSame || keepsInstallation();
    // Another process may have begun a checkpoint in between: the next check will tell.
    if (index.read()?.checkpoints !== checkpoints) return true;
    if (known && !(isSame ? areEqual(pages, known.pages) : isOurs && isSuccessor(pages, known.pages))) return false;
    known = { checkpoints, mtimeMs, pages, isSettled: Math.abs(Date.now() - mtimeMs) > SAME_TIME_MS };
    return true;
  };

  return {
    isWhole() {
      try {
        // In this order: a checkpoint that begins after this gives the file another time.
        const checkpoints = index.read()?.checkpoints;
        const { mtimeMs, size: found } = fstatSync(file);
        const isShorter = found < size;
        size = found;
        // SQLite cuts the file to the length that its header says.
        if (isShorter && found < readPages()[0].readUInt32BE(PAGE_COUNT) * PAGE_BYTES) return false;
        return checkpoints === undefined || isAsWritten(checkpoints, mtimeMs);
      } catch {
        return true;
      }
    },
    close: () => closeSync(file),
  };
}

/** The first page of a table; 1 when there is none. */
function findPage(database: Database, table: string): number {
  const query = database.query<{ page: number }, [string]>("SELECT rootpage AS page FROM sqlite_schema WHERE name = ?");
  return query.get(table)?.page ?? 1;
}

/** The random id of the installation, which no other database has; undefined when there is none. */
function findInstallation(database: Database): string | undefined {
  if (findPage(database, "installations") === 1) return undefined;
  return database.query<{ id: string }, []>("SELECT public_id AS id FROM installations").get()?.id;
}

function areEqual(some: Pages, others: Pages): boolean {
  return some.every((page, index) => others[index]?.equals(page));
}

/**
 * True when SQLite can have made the first page of `later` from that of `earlier`: it counts its changes, in 32 bits.
 */
function isSuccessor([later]: Pages, [earlier]: Pages): boolean {
  const isOfSameKind = later.readUInt32BE(APPLICATION_ID) === earlier.readUInt32BE(APPLICATION_ID);
  return isOfSameKind && ((later.readUInt32BE(CHANGE_COUNT) - earlier.readUInt32BE(CHANGE_COUNT)) | 0) >= 0;
}
