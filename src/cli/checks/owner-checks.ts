import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { BLOBS_FOLDER, DATA_FILES } from "../../store/sqlite/files/data-folder.ts";
import { chownCommand, ownerOf, quote } from "../../store/sqlite/files/owners.ts";
import { failed } from "./findings.ts";
import type { Finding } from "./findings.ts";

/** The permissions that the owner needs on a file, and on a folder. */
const READ_AND_WRITE = 0o600;
const ALL = 0o700;

/** Finds a data file that the server's user can't use, which root wouldn't notice; undefined when there is none. */
export function findUnusable(folder: string): Finding | undefined {
  const { uid, mode } = statSync(folder);
  if ((mode & ALL) !== ALL) return unusable(folder, "700");
  for (const path of DATA_FILES.map((name) => join(folder, name))) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) continue;
    if (stats.uid !== uid) return ofTwoOwners(folder, path);
    if ((stats.mode & READ_AND_WRITE) !== READ_AND_WRITE) return unusable(path, "600");
  }
  return findUnusableBlob(folder, uid);
}

/** Finds a file of a large secret, or their folder, that the server's user can't use. */
function findUnusableBlob(folder: string, uid: number): Finding | undefined {
  const blobs = join(folder, BLOBS_FOLDER);
  if (!lstatSync(blobs, { throwIfNoEntry: false })) return undefined;
  const found = [blobs, ...readdirSync(blobs).map((name) => join(blobs, name))].find(
    // What is erased meanwhile is no longer needed.
    (path) => (lstatSync(path, { throwIfNoEntry: false })?.uid ?? uid) !== uid,
  );
  if (found === undefined) return undefined;
  return failed(
    "data folder",
    `'${found}' belongs to ${ownerOf(found)}, and the data folder to ${ownerOf(folder)}: the server can't use large secrets. Run: ${chownCommand(folder, folder)}`,
  );
}

function ofTwoOwners(folder: string, path: string): Finding {
  // Of the two, the server runs as the one that isn't root.
  const own = statSync(folder).uid === 0 ? path : folder;
  return failed(
    "data folder",
    `'${path}' belongs to ${ownerOf(path)}, and the data folder to ${ownerOf(folder)}: the server can't start as either, unless that is root. Run: ${chownCommand(folder, own)}`,
  );
}

function unusable(path: string, mode: string): Finding {
  return failed(
    "data folder",
    `Its owner can't read and write '${path}', so the server can't start. Run: chmod ${mode} ${quote(path)}`,
  );
}
