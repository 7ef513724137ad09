import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { CommandError, usageError } from "./terminal.ts";

/**
 * Reads a file that holds a credential. Returns undefined when it is not there. Throws CommandError when it cannot be
 * read, or when others than its owner can.
 */
export function readPrivateFile(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw usageError(`the file '${path}' cannot be read`);
  }
  try {
    if ((fstatSync(file).mode & 0o077) !== 0) {
      throw usageError(`others than you can read the file '${path}'. Run: chmod 600 '${path}'`);
    }
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(`the file '${path}' cannot be read`);
  } finally {
    closeSync(file);
  }
}

/** Writes a file for its owner alone, wholly or not at all, and on disk when it returns. Throws CommandError. */
export function writePrivateFile(path: string, content: string): void {
  const unfinished = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(unfinished, "w", 0o600);
    try {
      fchmodSync(file, 0o600);
      writeSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new CommandError(`cannot write '${path}': ${reasonOf(error)}`);
  }
}

/**
 * Makes a file for its owner alone, on disk when it returns. Returns false, and leaves it alone, when there is one
 * already. Throws CommandError.
 */
export function createPrivateFile(path: string, content: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(path, "wx", 0o600);
    try {
      writeSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw new CommandError(`cannot write '${path}': ${reasonOf(error)}. XDG_STATE_HOME can name another folder`);
  }
}

/** Puts the names in a folder on disk, as fsync does the content of a file. */
export function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** What an error of the file system means, in words. */
export function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "there is no room left on the disk";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "it cannot be written by you";
    case "ENOENT":
      return "there is no such file or folder";
    case "ENOTDIR":
      return "a part of its path is no folder";
    case "EISDIR":
      return "it is a folder";
    case "EEXIST":
      return "it exists already";
    case "ENAMETOOLONG":
      return "its name is too long";
    case "ELOOP":
      return "it is a link";
    case "E2BIG":
      return "the arguments and variables are larger than this system takes";
    case "ERR_INVALID_ARG_VALUE":
      return "there is a zero byte in an argument or variable";
    default:
      return codeOf(error) ?? "unknown reason";
  }
}

/** The code of an error of the file system, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
