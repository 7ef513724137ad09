import { readdirSync } from "node:fs";
import { join } from "node:path";
import { removeFile, removeUnfinished } from "./durable-files.ts";

// A directory may hold backups of several installations, and be writable for others than root.

/** The number of characters of an installation's id in the names of its backups. */
const ID_LETTERS = 8;

type BackupNames = ReturnType<typeof backupNames>;

/** The names of one installation's backups in a directory, which no other installation uses. */
export function backupNames(installation: string) {
  const mark = installation.slice(0, ID_LETTERS);
  const finished = new RegExp(`^handoff-\\d{8}T\\d{9}Z-${mark}\\.backup$`);
  const unfinished = new RegExp(`^\\.handoff-backup-${mark}-[0-9a-f-]{36}\\.part(?:-journal)?$`);
  return {
    at: (takenAt: number) => `handoff-${new Date(takenAt).toISOString().replace(/[-:.]/g, "")}-${mark}.backup`,
    isOne: (name: string) => finished.test(name),
    /** Nobody can foresee the name and put something else there. */
    newUnfinished: () => `.handoff-backup-${mark}-${crypto.randomUUID()}.part`,
    isUnfinished: (name: string) => unfinished.test(name),
  };
}

/** Removes what killed backups of this installation left in `folder`. Ignores errors. */
export function removeLeft(folder: string, names: BackupNames): void {
  for (const name of filesIn(folder).filter(names.isUnfinished)) removeUnfinished(join(folder, name));
}

/** The names of the files in `folder`, without links; none when it can't be read. */
function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    // Writing there reports the error.
    return [];
  }
}

/**
 * Deletes all but the newest `keep` backups of this installation in a directory. Returns the names of the deleted ones.
 */
export function removeOlder(folder: string, keep: number, names: BackupNames): string[] {
  const old = filesIn(folder).filter(names.isOne).toSorted().slice(0, -keep);
  for (const name of old) removeFile(join(folder, name));
  return old;
}
