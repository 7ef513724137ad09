import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../contract/error-traces.ts";
import { ADMIN_LOCK_FILE } from "../../store/sqlite/files/data-folder.ts";
import { DatabaseError } from "../../store/sqlite/files/errors.ts";
import { lockFile } from "../../store/sqlite/files/file-locks.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError } from "../terminal/terminal.ts";

const PATIENCE_MS = 60_000;
const RETRY_MS = 25;
/** The errors of flock(2) in a file system that has no locks. */
const NO_LOCKS: ReadonlySet<string | undefined> = new Set(["ENOLCK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

/** Locks `folder`, made if missing, for this admin command. Throws CommandError after `patienceMs`. */
export async function takeTurn(folder: string, patienceMs = PATIENCE_MS): Promise<Disposable> {
  // For the folder, the lock, and the files that SQLite adds.
  process.umask(0o077);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const turn = tryLock(folder);
    if (turn) return turn;
    if (performance.now() > deadline) {
      throw new CommandError(
        `Another admin command has been at work on '${folder}' for ${Math.round(patienceMs / 1000)} seconds. Nothing was changed. Wait until it has ended, or stop it, then run this again.`,
      );
    }
    // Waiting commands don't all try at the same moment.
    await Bun.sleep(RETRY_MS * (1 + Math.random()));
  }
}

/** Throws CommandError when the lock exists but can't be used: without it, commands would interfere with each other. */
function tryLock(folder: string): Disposable | undefined {
  const path = join(folder, ADMIN_LOCK_FILE);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return lockFile(path);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    if (isThere(path) && codeOf(error) !== "EROFS") {
      const advice = NO_LOCKS.has(codeOf(error))
        ? "Put the data folder on a disk of this machine."
        : "Run this as its owner. If no admin command is at work, delete the file.";
      throw new CommandError(`Can't lock '${path}': ${reasonOf(error)}. Nothing was changed. ${advice}`);
    }
    // Opening the database reports what is wrong with the folder.
    return { [Symbol.dispose]: () => undefined };
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
