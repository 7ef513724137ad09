import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { openDatabaseCheck } from "./database-check.ts";
import { openWalCheck } from "./wal-check.ts";
import type { WalCheck } from "./wal-check.ts";
import { openWalIndex } from "./wal-state.ts";
import type { WalIndex } from "./wal-state.ts";

type Role = "database" | "wal" | "index";

/** A file of an open database, and what has happened to it. */
export interface LostFile {
  readonly role: Role;
  /** `moved`: deleted, renamed or replaced. `cut`: shorter than it was, or written over. */
  readonly how: "moved" | "cut";
}

/**
 * The files of an open database, which must still be its own when it is written: SQLite goes on with the files that it
 * opened, wherever they are by now, and never checks.
 */
export interface OpenFiles {
  /**
   * The first file that is lost; undefined while all are as SQLite left them. A loss is final, though the file is put
   * back. Only that of the index is followed by a worse one.
   */
  findLost(): LostFile | undefined;
  /**
   * True when the WAL was deleted, with or without its index, and nothing took their places: all that it held can still
   * be read through this connection, and belongs to the database that is there.
   */
  isWalGone(): boolean;
  readonly countCommits: WalIndex["countCommits"];
  readonly countFrames: WalCheck["countFrames"];
  /** To be called after the database is closed: closing a descriptor ends the locks that SQLite holds on the file. */
  close(): void;
}

/** The files of `database`, which was opened at `path` and has been read from. Throws the error of the file system. */
export function rememberFiles(database: Database, path: string): OpenFiles {
  const paths = { database: path, wal: `${path}-wal`, index: `${path}-shm` } as const;
  const roles = ["database", "wal", "index"] as const;
  const identities = roles.map((role) => identityOf(paths[role]));
  using opened = new DisposableStack();
  const open = <T extends { close(): void }>(part: T): T => (opened.defer(part.close), part);
  const index = open(openWalIndex(paths.index));
  const walCheck = open(openWalCheck(paths.wal, index));
  const databaseCheck = open(openDatabaseCheck(database, path, index));
  const parts = opened.move();

  const isThere = (role: Role) => {
    const identity = identities[roles.indexOf(role)];
    return identity !== undefined && identityOf(paths[role]) === identity;
  };
  const look = (): LostFile | undefined => {
    const missing = roles.find((role) => !isThere(role));
    if (missing) return { role: missing, how: "moved" };
    if (!databaseCheck.isWhole()) return { role: "database", how: "cut" };
    return walCheck.isWhole() ? undefined : { role: "wal", how: "cut" };
  };
  // It may have been replaced before it was remembered.
  let lost: LostFile | undefined = hasMoved(database) ? { role: "database", how: "moved" } : undefined;
  return {
    findLost() {
      if (lost === undefined || lost.role === "index") lost = look() ?? lost;
      return lost;
    },
    isWalGone: () =>
      !existsSync(paths.wal) &&
      (isThere("index") || !existsSync(paths.index)) &&
      isThere("database") &&
      walCheck.isWhole(),
    countCommits: index.countCommits,
    countFrames: walCheck.countFrames,
    close: () => parts.dispose(),
  };
}

function hasMoved(database: Database): boolean {
  const moved = new Int32Array(2);
  database.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, moved);
  return moved[0] !== 0;
}

/** Device and inode of the file at `path`; undefined when there is none, or it can't be looked up. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    return undefined;
  }
}
