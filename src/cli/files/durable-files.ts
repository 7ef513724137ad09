import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { codeOf } from "../../contract/error-traces.ts";
import { withFile } from "../../store/sqlite/files/plain-files.ts";

// How a file is written so that it is there whole after a crash, or not at all: under a name that nobody looks for,
// onto the disk, then under its own name, and then the name onto the disk. These throw what node:fs throws.

/** Writes an unfinished file durably, and removes leftovers. With `isExact` it has this `mode` whatever the umask. */
export function writeUnfinished(
  path: string,
  bytes: Uint8Array,
  { mode, isExact = false }: { readonly mode: 0o600 | 0o700; readonly isExact?: boolean },
): void {
  rmSync(path, { force: true });
  const file = openSync(path, "wx", mode);
  let isWritten = false;
  try {
    if (isExact) fchmodSync(file, mode);
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
    fsyncSync(file);
    isWritten = true;
  } finally {
    closeSync(file);
    if (!isWritten) removeUnfinished(path);
  }
}

/** Gives a finished file its name. Throws EEXIST, also when somebody else has just taken the name. */
export function place(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
    rmSync(unfinished);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(codeOf(error) ?? "")) throw error;
    // A file system without links: the name is taken first, and then given to the file.
    closeSync(openSync(path, "wx", 0o600));
    renameSync(unfinished, path);
  }
}

/** Removes what could not be finished, as far as that can be: why it could not is what is said. */
export function removeUnfinished(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is in the way of what was to be written, or its folder is none.
  }
}

/** Puts the names in a folder on disk, as fsync does the content of a file. */
export function syncFolder(path: string): void {
  withFile(path, "r", fsyncSync);
}
