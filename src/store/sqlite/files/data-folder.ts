import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import type { Stats } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../../contract/error-traces.ts";
import { DatabaseError } from "./errors.ts";
import { chownCommand, isOurs, ownerOf, ownName, quote, refuseLink } from "./owners.ts";
import { findSize, sizeOf } from "./plain-files.ts";
import { nearest, noRoom, onReadOnly } from "./refused-writes.ts";

export const DATABASE_FILE = "handoff.db";
export const BALLAST_FILE = "ballast";
/** The lock that admin commands take one after the other, before there is a database. */
export const ADMIN_LOCK_FILE = "admin.lock";
/**
 * The folder in the data folder in which a backup becomes a database. It is deleted if a killed restore has left it, so
 * nothing else may have that name.
 */
export const RESTORE_FOLDER = "handoff.db-restore";
/** The folder in the data folder with the ciphertexts of large secrets, a file each. */
export const BLOBS_FOLDER = "blobs";

/** The names of a server's files in the data folder. */
export const DATA_FILES = [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, BALLAST_FILE];
/** The permissions of the group and of others. */
const OTHERS = 0o077;

/**
 * Creates `folder` if it is missing, for its owner alone, and checks that nobody else can read or write in it. From
 * then on this process creates files for its owner alone. Throws DatabaseError that says how to fix it; then nothing in
 * the folder was changed.
 */
export function openDataFolder(folder: string): void {
  // For the database and the files that SQLite adds.
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
  // With a slash at the end, this is the target of a link.
  refuseOthers(`${folder}/`, folder, "the data folder", "700");
  for (const name of DATA_FILES) {
    const path = join(folder, name);
    refuseOthers(path, path, "the file", "600");
    if (name.startsWith(DATABASE_FILE)) refuseLink(path);
  }
  refuseLeftovers(folder);
}

/**
 * Throws DatabaseError when the database is missing or empty, but an old server left other files: it would be taken for
 * a new server.
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

/** The reason why nothing can be looked up or created at `path`, in words. */
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

/** The nearest visible folder above `path`, with its owner. */
function describeFolder(path: string): string {
  const folder = nearest(dirname(path));
  return `'${folder}', which belongs to ${ownerOf(folder) ?? "somebody else"}`;
}

/** True for a folder with files, but none of a server. */
function isOfSomethingElse(folder: string): boolean {
  try {
    const names = readdirSync(folder).filter((name) => name !== ADMIN_LOCK_FILE);
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
  // A link's mode says nothing, and something that isn't a file at all is refused when it is opened.
  const isMeant = mode === "700" ? stats?.isDirectory() : stats?.isFile();
  if (!stats || !isMeant || (stats.mode & OTHERS) === 0) return;
  const can = (stats.mode & 0o022) === 0 ? "read" : "write";
  const others = `others than its owner can ${can} ${what} '${shown}'`;
  if (stats.isDirectory() && isOfSomethingElse(path)) {
    // Closing the folder to others, such as / or /var/lib, could break everything in it.
    throw new DatabaseError(
      `${others}, and something else is in it. Name a folder of its own: it's made if it isn't there`,
    );
  }
  if (isOurs(path)) throw new DatabaseError(`${others}. Run: chmod ${mode} ${quote(shown)}`);
  throw new DatabaseError(
    `${others}, which belongs to ${ownerOf(path)}, and this is ${ownName()}. If it's meant to be the data of this server, run as root: chmod ${mode} ${quote(shown)}; ${chownCommand(mode === "700" ? shown : dirname(shown))}`,
  );
}
