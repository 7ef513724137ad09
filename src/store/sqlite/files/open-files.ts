import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { openContentsCheck } from "./contents-check.ts";
import type { ContentsCheck } from "./contents-check.ts";
import { openWalIndex } from "./wal-state.ts";
import type { WalIndex } from "./wal-state.ts";

const ROLES = ["database", "wal", "index"] as const;
type Role = (typeof ROLES)[number];

/** A file of an open database, and what has happened to it. */
export interface LostFile {
  readonly role: Role;
  /** `moved`: deleted, renamed or replaced. `cut`: shorter than it was, or written over. */
  readonly how: "moved" | "cut";
}

/**
 * The files of an open database. They must still be its own when it is written: SQLite continues with the files that it
 * opened, wherever they are now, and never checks.
 */
export interface OpenFiles {
  /**
   * The first lost file; undefined while all are as SQLite left them. A loss is final, even if the file is put back.
   * Only a lost index can be followed by a worse loss.
   */
  findLost(): LostFile | undefined;
  /**
   * True when the WAL was deleted, with or without its index, and nothing replaced them. All of its contents can then
   * still be read through this connection, and belong to the database that is there.
   */
  isWalGone(): boolean;
  readonly countFrames: ContentsCheck["countFrames"];
  readonly countCommits: WalIndex["countCommits"];
}

/**
 * The files of `database`, which was opened at `path` and has been read from. Throws the errors of the file system and
 * of SQLite. `descriptors` gets those that are opened, even when this throws. Dispose of it after the database is
 * closed: closing a descriptor ends the locks that SQLite holds on the file.
 */
export function rememberFiles(database: Database, path: string, descriptors: DisposableStack): OpenFiles {
  const paths = { database: path, wal: `${path}-wal`, index: `${path}-shm` } as const;
  const identities = new Map(ROLES.map((role) => [role, identityOf(paths[role])]));
  const index = openWalIndex(paths.index, descriptors);
  const contents = openContentsCheck(database, path, index, descriptors);

  const isThere = (role: Role) => {
    const identity = identities.get(role);
    return identity !== undefined && identityOf(paths[role]) === identity;
  };
  const look = (): LostFile | undefined => {
    const missing = ROLES.find((role) => !isThere(role));
    if (missing) return { role: missing, how: "moved" };
    const cut = contents.findCut();
    return cut && { role: cut, how: "cut" };
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
      contents.findCut() === undefined,
    countFrames: contents.countFrames,
    countCommits: index.countCommits,
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
