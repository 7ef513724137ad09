import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { PAGE_BYTES } from "./ciphertext-pages.ts";
import { isCutOff, isSuccessor } from "./database-header.ts";
import { openWalCheck } from "./wal-check.ts";
import type { WalCheck } from "./wal-check.ts";
import { readAt } from "./wal-frames.ts";

/** The time for which a file can be written twice without another time of its last change. */
const SAME_TIME_MS = 50;

/** The pages at the beginning among which VACUUM puts the first page of every table. */
const VACUUMED_PAGES = 128;

type Role = "database" | "wal" | "index";

/** A file of an open database, and what has happened to it. */
export interface LostFile {
  readonly role: Role;
  /** `moved`: deleted, renamed or replaced. `cut`: shorter than it was, or written over. */
  readonly how: "moved" | "cut";
}

/** The files of an open database. SQLite goes on with those that it opened, wherever they are, and never looks again. */
export interface OpenFiles {
  /**
   * A file that is no longer the one at its path, or no longer what was written to it. What is written then would be lost,
   * or would harm what was put in its place. Undefined while all are as they were; once one was not, there is an answer for
   * good: another one only where nothing but the index was lost, and worse has followed.
   */
  findLost(): LostFile | undefined;
  /**
   * True when the WAL is gone, with or without its index, and nothing is in their places, so that all that it held is still
   * to be had through it, and belongs to the database that is there.
   */
  isWalGone(): boolean;
  readonly lengthenIndex: WalCheck["lengthenIndex"];
  readonly countCommits: WalCheck["countCommits"];
  readonly countFrames: WalCheck["countFrames"];
  /** To be called after the database is closed. */
  close(): void;
}

/** The files of `database`, which was opened at `path` and has been read from. */
export function rememberFiles(database: Database, path: string): OpenFiles {
  const walPath = `${path}-wal`;
  const indexPath = `${path}-shm`;
  const remember = (role: Role, file: string) => ({ role, file, identity: identityOf(file) });
  const [main, wal, index] = [remember("database", path), remember("wal", walPath), remember("index", indexPath)];
  const walCheck = openWalCheck(walPath, indexPath);
  const check = openDatabaseCheck(path, {
    checkpoints: walCheck.describeCheckpoints,
    changingPage: rootPageOf(database, "clocks"),
    lasting: lastingBytesOf(database),
  });
  const isThere = ({ file, identity }: typeof main) => identity !== undefined && identityOf(file) === identity;
  // Maybe it was replaced between its opening and now.
  let lost: LostFile | undefined = hasMoved(database) ? { role: "database", how: "moved" } : undefined;

  const look = (): LostFile | undefined => {
    const missing = [main, wal, index].find((each) => !isThere(each));
    if (missing) return { role: missing.role, how: "moved" };
    if (!check.isWhole()) return { role: "database", how: "cut" };
    return walCheck.isWhole() ? undefined : { role: "wal", how: "cut" };
  };
  return {
    findLost() {
      if (lost === undefined || lost.role === "index") lost = look() ?? lost;
      return lost;
    },
    isWalGone: () =>
      !existsSync(walPath) && (isThere(index) || !existsSync(indexPath)) && isThere(main) && walCheck.isWhole(),
    lengthenIndex: walCheck.lengthenIndex,
    countCommits: walCheck.countCommits,
    countFrames: walCheck.countFrames,
    close() {
      walCheck.close();
      check.close();
    },
  };
}

/** The first page of a table; 1 when there is none. */
function rootPageOf(database: Database, table: string): number {
  const row = database
    .query<{ page: number }, [string]>("SELECT rootpage AS page FROM sqlite_schema WHERE name = ?")
    .get(table);
  return row?.page ?? 1;
}

/** Bytes that every database has for good, and no other has. */
interface LastingBytes {
  readonly bytes: string;
  /** The number of the page that has them. Only VACUUM puts them elsewhere. */
  readonly page: number;
}

/** The random id of the installation; undefined when there is none. */
function lastingBytesOf(database: Database): LastingBytes | undefined {
  const page = rootPageOf(database, "installations");
  if (page === 1) return undefined;
  const row = database.query<{ bytes: string }, []>("SELECT public_id AS bytes FROM installations").get();
  return row?.bytes ? { bytes: row.bytes, page } : undefined;
}

function hasMoved(database: Database): boolean {
  const moved = new Int32Array(2);
  database.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, moved);
  return moved[0] !== 0;
}

/** Device and inode of the file at `path`; undefined when there is none. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    // The folder is not to be read any more.
    return undefined;
  }
}

/** A look at the database's file from beside SQLite, which believes that it is as it was written. */
interface DatabaseCheck {
  /**
   * True when the file is what checkpoints made of it: as long as its header says, and not written to by others. One that
   * cannot be read is not said to be damaged.
   */
  isWhole(): boolean;
  /** To be called after the database is closed: closing a descriptor ends the locks that SQLite holds on the file. */
  close(): void;
}

/** The file as it was when no checkpoint was under way. */
interface Known {
  readonly checkpoints: string;
  readonly mtimeMs: number;
  readonly pages: Buffer;
  /** False while it could be written once more without another `mtimeMs`. */
  readonly isSettled: boolean;
}

interface CheckOptions {
  /** Another text after every checkpoint, of whatever process; undefined while one is under way. */
  readonly checkpoints: () => string | undefined;
  /** The number of a page that every transaction changes. */
  readonly changingPage: number;
  readonly lasting: LastingBytes | undefined;
}

/** The check of the file at `path`. */
function openDatabaseCheck(path: string, { checkpoints, changingPage, lasting }: CheckOptions): DatabaseCheck {
  const file = openSync(path, "r");
  let { size } = fstatSync(file);
  let known: Known | undefined;
  let hadLasting = false;

  /** The first page, and the other one. Where the file ends before, zeros: what is held for what it is to become. */
  const readPages = () =>
    Buffer.concat(
      [1, changingPage].map((page) => readAt(file, (page - 1) * PAGE_BYTES, PAGE_BYTES) ?? Buffer.alloc(PAGE_BYTES)),
    );

  /** False when the file had the lasting bytes, and has them no more. A checkpoint need not have written that page. */
  const keepsLasting = (): boolean => {
    if (!lasting) return true;
    const has = (from: number, pages: number) => {
      const bytes = Buffer.alloc(pages * PAGE_BYTES);
      readSync(file, bytes, 0, bytes.length, (from - 1) * PAGE_BYTES);
      return bytes.includes(lasting.bytes);
    };
    // A new database has them in the WAL alone until the first checkpoint.
    const isThere = has(lasting.page, 1) || (hadLasting && has(1, VACUUMED_PAGES));
    if (hadLasting && !isThere) return false;
    hadLasting = isThere;
    return true;
  };

  /** False when another than SQLite has written to the file since it was looked at last. */
  const isAsWritten = (state: string, mtimeMs: number): boolean => {
    const isQuiet = mtimeMs === known?.mtimeMs && known.isSettled;
    const pages = isQuiet ? known?.pages : readPages();
    const isSame = known?.checkpoints === state;
    const isOurs = isSame || keepsLasting();
    // Another process may have begun a checkpoint in between: the next look will tell.
    if (!pages || ((!isQuiet || !isSame) && checkpoints() !== state)) return true;
    if (known && !(isSame ? pages.equals(known.pages) : isOurs && isSuccessor(pages, known.pages))) return false;
    known = { checkpoints: state, mtimeMs, pages, isSettled: Math.abs(Date.now() - mtimeMs) > SAME_TIME_MS };
    return true;
  };

  const look = (): boolean => {
    // In this order: what a checkpoint writes from now on has another time.
    const state = checkpoints();
    const { mtimeMs, size: found } = fstatSync(file);
    const isShorter = found < size;
    size = found;
    // A file that SQLite makes shorter is as long as its header says.
    if (isShorter && isCutOff(file, found)) return false;
    return state === undefined || isAsWritten(state, mtimeMs);
  };
  return {
    isWhole() {
      try {
        return look();
      } catch {
        // That it can't be read is no proof that it was changed. The reads of SQLite fail then too, and are a trouble.
        return true;
      }
    },
    close: () => closeSync(file),
  };
}
