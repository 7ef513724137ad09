import { lstatSync, lutimesSync } from "node:fs";
import { join } from "node:path";
import { makeFile } from "../sqlite/files/owners.ts";

/** An empty file whose time is that of the last backup. The server may not be allowed to read what root has written. */
const LAST_BACKUP_FILE = "last-backup";

/** Notes in the data folder that a backup was made. Throws DatabaseError, and the error of the file system. */
export function noteBackup(folder: string, epochMs: number): void {
  const path = join(folder, LAST_BACKUP_FILE);
  makeFile(path);
  // Whatever is there by now, no link is followed.
  lutimesSync(path, epochMs / 1000, epochMs / 1000);
}

/** The time of the last backup in epoch milliseconds; undefined when none was noted. */
export function findLastBackup(folder: string): number | undefined {
  try {
    return lstatSync(join(folder, LAST_BACKUP_FILE), { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}
