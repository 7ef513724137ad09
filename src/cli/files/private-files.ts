import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../contract/error-traces.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, usageError } from "../terminal/terminal.ts";
import { place, removeUnfinished, syncFolder, writeUnfinished } from "./durable-files.ts";

/**
 * Reads a credential file; undefined when missing. Throws CommandError if others can read it, unless `mayBeShared`.
 * Without that, only a regular file is read: a pipe that somebody put there would never end.
 */
export function readPrivateFile(path: string, mayBeShared?: (file: number) => boolean): string | undefined {
  let file: number;
  try {
    file = openSync(path, mayBeShared ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
    throw usageError(`Can't read '${path}': ${reasonOf(error)}.`);
  }
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw usageError(`Can't read '${path}': it's a directory.`);
    if (!mayBeShared && !stats.isFile()) throw usageError(`Can't read '${path}': it isn't a file. Remove it.`);
    if ((stats.mode & 0o077) !== 0 && !mayBeShared?.(file)) {
      const isOurs = stats.uid === process.getuid?.() && !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
      const advice = isOurs
        ? `Run: chmod 600 '${path}'`
        : "It's a link, or it belongs to somebody else: look who made it.";
      throw usageError(`Others can read or change '${path}'. ${advice}`);
    }
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(`Can't read '${path}': ${reasonOf(error)}.`);
  } finally {
    closeSync(file);
  }
}

/** The path that `writePrivateFile` writes to before the file gets its name. */
export function unfinishedPath(path: string): string {
  return `${path}.new`;
}

/** Writes a file for its owner alone, wholly or not at all, and on disk when it returns. Throws CommandError. */
export function writePrivateFile(path: string, content: string): void {
  const unfinished = unfinishedPath(path);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeUnfinished(unfinished, Buffer.from(content), { mode: 0o600, isExact: true });
    renameSync(unfinished, path);
    syncFolder(dirname(path));
  } catch (error) {
    removeUnfinished(unfinished);
    throw new CommandError(`Can't write '${path}': ${reasonOf(error)}.`);
  }
}

/** Creates a file with mode 0600 durably. Returns false when one exists. Throws CommandError. */
export function createPrivateFile(path: string, content: string): boolean {
  // Nobody else finds the file before it is complete.
  const unfinished = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeUnfinished(unfinished, Buffer.from(content), { mode: 0o600, isExact: true });
    place(unfinished, path);
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    removeUnfinished(unfinished);
    if (codeOf(error) === "EEXIST") return false;
    throw new CommandError(`Can't write '${path}': ${reasonOf(error)}. XDG_STATE_HOME can name another directory.`);
  }
}
