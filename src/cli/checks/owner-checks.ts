import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isId } from "../../contract/ids.ts";
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
  const names = readdirSync(blobs).filter((name) => isId(name, "upload"));
  for (const path of [blobs, ...names.map((name) => join(blobs, name))]) {
    const fault = findFault(path, { uid, isFolder: path === blobs });
    if (fault === undefined) continue;
    const advice = {
      owner: `belongs to ${ownerOf(path)}, and the data folder to ${ownerOf(folder)}: the server can't use large secrets. Run: ${chownCommand(folder, folder)}`,
      mode: `can't be read and written by its owner, so that large secrets fail. Run: chmod ${path === blobs ? "700" : "600"} ${quote(path)}`,
      kind: "has the name of a large secret's file, and is something else. Move it away",
    };
    return failed("data folder", `'${path}' ${advice[fault]}`);
  }
  return undefined;
}

/** Finds out why the server's user can't use a path; undefined when it can, or when it is gone. */
function findFault(
  path: string,
  { uid, isFolder }: { readonly uid: number; readonly isFolder: boolean },
): "owner" | "mode" | "kind" | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (isFolder ? !stats.isDirectory() : !stats.isFile()) return "kind";
  if (stats.uid !== uid) return "owner";
  const needed = isFolder ? ALL : READ_AND_WRITE;
  return (stats.mode & needed) === needed ? undefined : "mode";
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
