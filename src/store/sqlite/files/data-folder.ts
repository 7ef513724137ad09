import { lstatSync, mkdirSync } from "node:fs";
import type { Stats } from "node:fs";
import { join } from "node:path";
import { DatabaseError, fileErrorCode } from "./errors.ts";

export const DATABASE_FILE = "handoff.db";
export const BALLAST_FILE = "ballast";

const FILES = [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, BALLAST_FILE, `${BALLAST_FILE}.tmp`];
/** Whatever the group and others may do. */
const OTHERS = 0o077;

/**
 * Makes `folder` if it is not there, for its owner alone, and checks that nobody else can read or write what is in it.
 * Throws DatabaseError, with the command that mends it, and then has written nothing.
 */
export function openDataFolder(folder: string): void {
  // For the database and the files that SQLite puts beside it.
  process.umask(OTHERS);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = fileErrorCode(error);
    if (code === "EEXIST" || code === "ENOTDIR") {
      throw new DatabaseError(`the data folder '${folder}' is a file, or lies in one`, { cause: error });
    }
    throw new DatabaseError(`cannot make the data folder '${folder}': ${code ?? "unknown reason"}`, { cause: error });
  }
  // With a slash at the end, the folder that a link leads to.
  refuseOthers(`${folder}/`, folder, "the data folder", "700");
  for (const name of FILES) {
    const path = join(folder, name);
    refuseOthers(path, path, "the file", "600");
  }
}

function refuseOthers(path: string, shown: string, what: string, mode: string): void {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new DatabaseError(`cannot read ${what} '${shown}': ${fileErrorCode(error) ?? "unknown reason"}`, {
      cause: error,
    });
  }
  // The mode of a link says nothing, and what is no file at all is refused as that when it is opened.
  const isMeant = mode === "700" ? stats?.isDirectory() : stats?.isFile();
  if (!stats || !isMeant || (stats.mode & OTHERS) === 0) return;
  const can = (stats.mode & 0o022) === 0 ? "read" : "write";
  throw new DatabaseError(`others than its owner can ${can} ${what} '${shown}'. Run: chmod ${mode} ${quote(shown)}`);
}

/** `path` as a shell takes it. */
function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
