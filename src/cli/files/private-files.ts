import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { openToRead } from "../../config/readable-files.ts";
import { codeOf } from "../../contract/error-traces.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { place, removeUnfinished, syncFolder, writeUnfinished } from "./durable-files.ts";
import { readInterruptibly } from "./text-files.ts";

/** Longer than any credential: a device must not be read for ever. */
const MAX_CREDENTIAL_BYTES = 64 * 1024;

/**
 * Reads a credential file; undefined when missing. Throws CommandError if others can read it. Only a regular file is
 * read: a pipe that somebody put there would never end.
 */
export function readPrivateFile(path: string): string | undefined {
  const file = find(path, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() && !stats.isDirectory()) throw usageError(`Can't read '${path}': it isn't a file. Remove it.`);
    checkPrivate(path, file);
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a credential from a file or pipe that the user named; undefined when missing. Throws CommandError if others can
 * read it, unless `mayBeShared`, and on Ctrl-C.
 */
export async function readCredential(
  terminal: Pick<Terminal, "interruptible">,
  path: string,
  mayBeShared: (file: number) => boolean,
): Promise<string | undefined> {
  const file = find(path, () => openToRead(path));
  if (file === undefined) return undefined;
  try {
    checkPrivate(path, file, mayBeShared);
  } catch (error) {
    closeSync(file);
    throw unreadable(path, error);
  }
  try {
    return (await readInterruptibly(terminal, file, MAX_CREDENTIAL_BYTES)).toString();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** What `open` returns; undefined when there is no such file. Throws CommandError. */
function find(path: string, open: () => number): number | undefined {
  try {
    return open();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): CommandError {
  return error instanceof CommandError ? error : usageError(`Can't read '${path}': ${reasonOf(error)}.`);
}

/** Throws CommandError for a directory, and for a file that others can read or change. */
function checkPrivate(path: string, file: number, mayBeShared: (file: number) => boolean = () => false): void {
  const stats = fstatSync(file);
  if (stats.isDirectory()) throw usageError(`Can't read '${path}': it's a directory.`);
  if ((stats.mode & 0o077) === 0 || mayBeShared(file)) return;
  const isOurs = stats.uid === process.getuid?.() && !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  const advice = isOurs ? `Run: chmod 600 '${path}'` : "It's a link, or it belongs to somebody else: look who made it.";
  throw usageError(`Others can read or change '${path}'. ${advice}`);
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
