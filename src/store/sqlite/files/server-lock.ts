import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../../contract/error-traces.ts";
import { tryFlock } from "./c-library.ts";
import { DATABASE_FILE, openDataFolder } from "./data-folder.ts";
import { DatabaseError } from "./errors.ts";
import { makeFile } from "./owners.ts";
import { whyNotUsable } from "./refused-writes.ts";

/**
 * Locks the database in `folder` for one server: two would not see each other's changes. The lock is flock(2) on the
 * database file itself, so that deleting a file doesn't get around it, and it ends with the process. It does not clash
 * with SQLite's locks, which closing any descriptor of the file ends: take it before this process opens the database,
 * and dispose of it after the database is closed. Throws DatabaseError when another server holds the lock, or the file
 * system has no locks.
 */
export function lockFolder(folder: string): Disposable {
  const lock = tryLockFolder(folder);
  if (lock) return lock;
  throw new DatabaseError(
    `another server runs on the data folder '${folder}': stop it, or name another with --data-dir`,
  );
}

/** The same, but returns undefined when another server holds the lock. */
export function tryLockFolder(folder: string): Disposable | undefined {
  openDataFolder(folder);
  using opened = new DisposableStack();
  const file = opened.adopt(openDatabaseFile(folder), closeSync);
  try {
    return tryFlock(file) ? opened.move() : undefined;
  } catch (error) {
    throw new DatabaseError(
      `cannot lock '${join(folder, DATABASE_FILE)}' (${codeOf(error) ?? "unknown reason"}), so two servers could run on it. Put the data folder on a disk of this machine`,
      { cause: error },
    );
  }
}

function openDatabaseFile(folder: string): number {
  const path = join(folder, DATABASE_FILE);
  try {
    makeFile(path);
    return openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    if (codeOf(error) === "EISDIR") {
      throw new DatabaseError(`'${path}' is a folder, and the database is to be there. Move it away`);
    }
    throw new DatabaseError(`cannot use the database '${path}': ${whyNotUsable(error, folder, [path])}`, {
      cause: error,
    });
  }
}
