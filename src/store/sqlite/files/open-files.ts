import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { closeSync, existsSync, fstatSync, openSync, statSync } from "node:fs";
import { isCutOff } from "./database-header.ts";
import { openWalCheck } from "./wal-check.ts";
import type { WalCheck } from "./wal-check.ts";

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
  const opened = openSync(path, "r");
  let size = fstatSync(opened).size;
  /** A file that SQLite makes shorter is as long as its header says. */
  const isCut = () => {
    const before = size;
    size = fstatSync(opened).size;
    return size < before && isCutOff(opened, size);
  };
  const isThere = ({ file, identity }: typeof main) => identity !== undefined && identityOf(file) === identity;
  // Maybe it was replaced between its opening and now.
  let lost: LostFile | undefined = hasMoved(database) ? { role: "database", how: "moved" } : undefined;

  const look = (): LostFile | undefined => {
    const missing = [main, wal, index].find((each) => !isThere(each));
    if (missing) return { role: missing.role, how: "moved" };
    if (isCut()) return { role: "database", how: "cut" };
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
      closeSync(opened);
    },
  };
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
