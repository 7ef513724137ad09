import { closeSync, constants, fstatSync, openSync, rmSync, statSync } from "node:fs";
import { tryFlock } from "./c-library.ts";
import { giveToOwner, refuseLink } from "./owners.ts";

const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;

/**
 * Takes the lock on the file `path`, which is made for it and removed with it; its folder has to be there. Returns what
 * gives the lock back, or undefined when another holder has it, in this process or in any other. The lock is one of the
 * operating system's, so that it ends with the process, however that ends. Throws the error of the file system when the
 * file cannot be made, written or locked, and DatabaseError when a link is in its place.
 *
 * It is none of SQLite's: what SQLite may not open for writing, or finds missing and then there, it opens for reading
 * alone, and on such a database `BEGIN IMMEDIATE` succeeds without a lock. So two had it.
 */
export function lockFile(path: string): Disposable | undefined {
  for (;;) {
    refuseLink(path);
    const file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
    let isKept = false;
    try {
      if (!tryFlock(file)) return undefined;
      // Its holder gave it back between the opening and the locking: what is locked now is a file that nobody else finds.
      if (!isAt(file, path)) continue;
      giveToOwner(file, path);
      isKept = true;
      return releaseOf(file, path);
    } finally {
      if (!isKept) closeSync(file);
    }
  }
}

function releaseOf(file: number, path: string): Disposable {
  return {
    [Symbol.dispose]() {
      // In this order: what is removed while it is locked is nobody else's yet.
      try {
        rmSync(path, { force: true });
      } finally {
        closeSync(file);
      }
    },
  };
}

/** True when the open `file` is the one at `path`. */
function isAt(file: number, path: string): boolean {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  const opened = fstatSync(file, { bigint: true });
  return found?.ino === opened.ino && found.dev === opened.dev;
}
