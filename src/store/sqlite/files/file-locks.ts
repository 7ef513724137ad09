import { constants, Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { isLocked } from "./errors.ts";
import { refuseLink } from "./owners.ts";

/**
 * Takes the lock on the file `path`, which is made for it and removed with it; its folder has to be there. Returns what
 * gives the lock back, or undefined when another holder has it, in this process or in any other. The lock is one of the
 * operating system's, taken by SQLite, so that it ends with the process, however that ends. Throws SQLiteError when the
 * file cannot be made or locked, and DatabaseError when a link is in its place.
 */
export function lockFile(path: string): Disposable | undefined {
  for (;;) {
    // Made by SQLite as it opens it: with a file that is made before, two were seen to have the lock.
    refuseLink(path);
    const lock = new Database(path, { create: true });
    try {
      // Of two at the same time one gets it. For BEGIN EXCLUSIVE each can be in the way of the other, and neither does.
      lock.run("BEGIN IMMEDIATE");
    } catch (error) {
      const wasRemoved = isRemoved(lock);
      lock.close();
      if (isLocked(error)) return undefined;
      if (wasRemoved) continue;
      throw error;
    }
    if (!isRemoved(lock)) return releaseOf(lock, path);
    // Its holder gave it back between the opening and the locking: what is locked now is a file that nobody else finds.
    lock.close();
  }
}

function releaseOf(lock: Database, path: string): Disposable {
  return {
    [Symbol.dispose]() {
      // In this order: what is removed while it is locked is nobody else's yet.
      rmSync(path, { force: true });
      lock.close();
    },
  };
}

/** Whether the file that was opened is no longer the one at its path. */
function isRemoved(lock: Database): boolean {
  const moved = new Int32Array(2);
  lock.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, moved);
  return moved[0] !== 0;
}
