import { closeSync, constants, fstatSync, openSync, rmSync, statSync } from "node:fs";
import { tryFlock } from "./c-library.ts";
import { giveToOwner, refuseLink } from "./owners.ts";

const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;

/**
 * Locks the file `path`, which is made for that and removed when the lock is released. Its folder must exist. Returns
 * undefined when the lock is taken, by this process or another. The operating system releases it when the process ends.
 * Throws the error of the file system, and DatabaseError when a link is there.
 *
 * It is no lock of SQLite's: a file that SQLite can't write, or finds only later, it opens for reading alone, and then
 * `BEGIN IMMEDIATE` succeeds without a lock.
 */
export function lockFile(path: string): Disposable | undefined {
  for (;;) {
    refuseLink(path);
    using opened = new DisposableStack();
    const file = opened.adopt(openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600), closeSync);
    if (!tryFlock(file)) return undefined;
    // Another process released the lock, and removed the file, after it was opened here.
    if (!isAt(file, path)) continue;
    giveToOwner(file, path);
    // Removed before it is closed: while the file is locked, nobody else uses it.
    opened.defer(() => rmSync(path, { force: true }));
    return opened.move();
  }
}

/** True when the open `file` is the one at `path`. */
function isAt(file: number, path: string): boolean {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  const opened = fstatSync(file, { bigint: true });
  return found?.ino === opened.ino && found.dev === opened.dev;
}
