import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { basename } from "node:path";

/** The files of an open database. SQLite goes on with those that it opened, wherever they are, and never looks again. */
export interface OpenFiles {
  /**
   * The name of a file that is no longer the one at its path: deleted, renamed or replaced. What is written then would be
   * lost. Undefined while all are where they were; once one was not, the answer stays.
   */
  findLost(): string | undefined;
}

/** The files of `database`, which was opened at `path` and has been read from. */
export function rememberFiles(database: Database, path: string): OpenFiles {
  const remembered = [path, `${path}-wal`, `${path}-shm`].map((file) => ({ file, identity: identityOf(file) }));
  const isThere = ({ file, identity }: { file: string; identity: string | undefined }) =>
    identity !== undefined && identityOf(file) === identity;
  // Maybe it was replaced between its opening and now.
  let lost = hasMoved(database) ? basename(path) : undefined;
  return {
    findLost() {
      const missing = lost === undefined ? remembered.find((each) => !isThere(each)) : undefined;
      return (lost ??= missing && basename(missing.file));
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
