import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { codeOf } from "../../contract/error-traces.ts";
import { withFile } from "../../store/sqlite/files/plain-files.ts";

// Files are written so that after a crash they are there whole or not at all. The content is written under a temporary
// name and flushed to disk. Then the file gets its name, and the name is flushed. These functions throw what node:fs
// throws.

/** Writes an unfinished file durably, and removes leftovers. With `isExact` it has this `mode` whatever the umask. */
export function writeUnfinished(
  path: string,
  bytes: Uint8Array,
  { mode, isExact = false }: { readonly mode: 0o600 | 0o700; readonly isExact?: boolean },
): void {
  removeFile(path);
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

/**
 * Removes what was left under the name of an unfinished file, and returns it. Returns another name when that can't be
 * removed, because another user put it there.
 */
export function freeName(path: string): string {
  try {
    removeFile(path);
    return path;
  } catch (error) {
    if (!["EPERM", "EACCES", "EISDIR"].includes(codeOf(error) ?? "")) throw error;
    return `${path}.${crypto.randomUUID().slice(0, 8)}`;
  }
}

/** Removes a file if it is there. Unlike Bun's rmSync, the error for a file of another user says so. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Gives a finished file its name. Throws EEXIST, even when the name was taken just now. */
export function place(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
    unlinkSync(unfinished);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(codeOf(error) ?? "")) throw error;
    // On a file system without links, the name is created first and then replaced by the file.
    closeSync(openSync(path, "wx", 0o600));
    renameSync(unfinished, path);
  }
}

/** Removes an unfinished file. Ignores errors, since the first error is the one to report. */
export function removeUnfinished(path: string): void {
  try {
    removeFile(path);
  } catch {
    // A folder has this name, or its parent is not a folder.
  }
}

/** Flushes the names in a folder to disk, as fsync does with the content of a file. */
export function syncFolder(path: string): void {
  withFile(path, "r", fsyncSync);
}
