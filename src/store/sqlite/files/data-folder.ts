import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import type { Stats } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../../contract/error-traces.ts";
import { DatabaseError } from "./errors.ts";
import { isOurs, ownerOf, ownName, quote, refuseLink } from "./owners.ts";
import { findSize, sizeOf } from "./plain-files.ts";
import { nearest, noRoom, onReadOnly } from "./refused-writes.ts";

export const DATABASE_FILE = "handoff.db";
export const BALLAST_FILE = "ballast";
/**
 * The folder in the data folder in which a backup becomes a database. What a killed restore has left in it is deleted,
 * so that nothing else may be called that.
 */
export const RESTORE_FOLDER = "handoff.db-restore";

/** The names of what a server has in the data folder. */
export const DATA_FILES = [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, BALLAST_FILE];
/** The permissions of the group and of others. */
const OTHERS = 0o077;

/**
 * Makes `folder` if it is not there, for its owner alone, and checks that nobody else can read or write what is in it.
 * From then on this process makes files for its owner alone. Throws DatabaseError, with what mends it, and then has
 * changed nothing in the folder.
 */
export function openDataFolder(folder: string): void {
  // For the database and the files that SQLite puts beside it.
  process.umask(OTHERS);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST" || code === "ENOTDIR") {
      const isLink = code === "EEXIST" && lstatSync(folder).isSymbolicLink() && !existsSync(folder);
      const what = isLink ? "is a symbolic link to what isn't there" : "is a file, or lies in one";
      throw new DatabaseError(`the data folder '${folder}' ${what}`, { cause: error });
    }
    throw new DatabaseError(`cannot make the data folder '${folder}': ${reasonOf(error, folder)}`, { cause: error });
  }
  // With a slash at the end, the folder that a link leads to.
  refuseOthers(`${folder}/`, folder, "the data folder", "700");
  for (const name of DATA_FILES) {
    const path = join(folder, name);
    refuseOthers(path, path, "the file", "600");
    if (name.startsWith(DATABASE_FILE)) refuseLink(path);
  }
  refuseLeftovers(folder);
}

/**
 * Throws DatabaseError when the database is missing or empty, but something that an old server left is there: it would
 * be taken for a new server.
 */
export function refuseLeftovers(folder: string): void {
  // In this order: the first process makes the database before the others.
  const left = DATA_FILES.slice(1).filter((name) => sizeOf(join(folder, name)) > 0);
  const size = findSize(join(folder, DATABASE_FILE));
  if ((size ?? 0) === 0 && existsSync(join(folder, RESTORE_FOLDER))) throw unfinishedRestore(folder);
  if (left.length === 0 || (size ?? 0) > 0) return;
  const paths = left.map((name) => quote(join(folder, name))).join(" ");
  const path = join(folder, DATABASE_FILE);
  const proof = left.includes(`${DATABASE_FILE}-wal`)
    ? `its latest changes are there, in '${path}-wal'`
    : `${left.join(", ")} beside it says that there was one`;
  throw new DatabaseError(
    `'${path}' is ${size === undefined ? "missing" : "empty"}, but ${proof}. Nothing was changed. Put the database back; if a server still runs on it, its log says how. Or, to restore a backup or begin anew, first stop any server that runs on it, then run: rm ${paths}`,
  );
}

function unfinishedRestore(folder: string): DatabaseError {
  return new DatabaseError(
    `a backup was to be restored into '${folder}', and that did not come to its end. Nothing was changed. Run 'handoff admin restore' again; or, to begin anew, run: rm -r ${quote(join(folder, RESTORE_FOLDER))}`,
  );
}

/** The reason why nothing can be looked up or made at `path`, in words. */
function reasonOf(error: unknown, path: string): string {
  switch (codeOf(error)) {
    case "EACCES":
    case "EPERM":
      return `${ownName()} may not do that in ${describeFolder(path)}. Run this as root or as that owner, or name another folder`;
    case "ENAMETOOLONG":
      return "its name is too long. Name another folder";
    case "ENOENT":
      return `no folder can be made in ${describeFolder(path)}. Name another folder`;
    case "EROFS":
      return onReadOnly(path);
    case "ELOOP":
      return "links in its path lead in a circle. Name another folder";
    case "ENOSPC":
    case "EDQUOT":
      return noRoom(path);
    default:
      return codeOf(error) ?? "unknown reason";
  }
}

/** The folder above `path`, the nearest that can be seen, with its owner. */
function describeFolder(path: string): string {
  const folder = nearest(dirname(path));
  return `'${folder}', which belongs to ${ownerOf(folder) ?? "somebody else"}`;
}

/** True for a folder that has files, and none of a server. */
function isOfSomethingElse(folder: string): boolean {
  try {
    const names = readdirSync(folder);
    return names.length > 0 && !names.some((name) => name.startsWith(DATABASE_FILE) || name === BALLAST_FILE);
  } catch {
    return false;
  }
}

function refuseOthers(path: string, shown: string, what: string, mode: string): void {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new DatabaseError(`cannot read ${what} '${shown}': ${reasonOf(error, path)}`, { cause: error });
  }
  // The mode of a link says nothing, and what is no file at all is refused as that when it is opened.
  const isMeant = mode === "700" ? stats?.isDirectory() : stats?.isFile();
  if (!stats || !isMeant || (stats.mode & OTHERS) === 0) return;
  const can = (stats.mode & 0o022) === 0 ? "read" : "write";
  const others = `others than its owner can ${can} ${what} '${shown}'`;
  if (stats.isDirectory() && isOfSomethingElse(path)) {
    // To close the folder to others, such as / or /var/lib, could be the end of what is in it.
    throw new DatabaseError(
      `${others}, and something else is in it. Name a folder of its own: it's made if it isn't there`,
    );
  }
  if (isOurs(path)) throw new DatabaseError(`${others}. Run: chmod ${mode} ${quote(shown)}`);
  throw new DatabaseError(
    `${others}, which belongs to ${ownerOf(path)}, and this is ${ownName()}. If it's meant to be the data of this server, run as root: chmod ${mode} ${quote(shown)}; chown -R ${ownName()}: ${quote(shown)}`,
  );
}
