import { accessSync, constants, lstatSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf } from "../../../contract/error-traces.ts";
import { isDiskFull, isLocked, isWantOfRoom } from "./errors.ts";
import { chownCommand, isOurs, ownerOf, ownName, quote } from "./owners.ts";

const MIB = 1024 * 1024;
/** The bytes that opening a database takes; a new one took between 512 and 768 KiB. */
const OPENING_MIB = 1;

/**
 * Why the database in `folder`, or a file of `paths` in it, can't be used, and what to do. `error` is SQLite's, or that
 * of the file system.
 */
export function whyNotUsable(error: unknown, folder: string, paths: readonly string[]): string {
  if (isDiskFull(error) || isWantOfRoom(error)) return noRoom(folder);
  if (isLocked(error)) return "another program holds it locked";
  if (!/^(SQLITE_CANTOPEN|SQLITE_READONLY|EACCES|EPERM|EROFS)/.test(codeOf(error) ?? "")) {
    return error instanceof Error ? error.message : "unknown reason";
  }
  const readOnly = [...paths, folder].find(isReadOnly);
  if (readOnly !== undefined) return onReadOnly(readOnly);
  // SQLite reports the same for a file that it can't create for lack of space.
  if (findFreeFiles(nearest(folder)) === 0) return noRoom(folder);
  return `the folder or the file cannot be written by this user${ownerAdvice(folder, [...paths, folder])}`;
}

function ownerAdvice(folder: string, paths: readonly string[]): string {
  const foreign = paths.find((path) => lstatSync(path, { throwIfNoEntry: false }) && !isOurs(path));
  if (foreign === undefined) return modeAdvice(paths);
  return `. '${foreign}' belongs to ${ownerOf(foreign)}, and this is ${ownName()}. Run as root: ${chownCommand(folder)}`;
}

function modeAdvice(paths: readonly string[]): string {
  for (const path of paths) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const mode = stats?.isDirectory() ? 0o700 : 0o600;
    if (!stats || (stats.mode & mode) === mode) continue;
    return `. The mode of '${path}' doesn't let its owner. Run: chmod ${mode.toString(8)} ${quote(path)}`;
  }
  return "";
}

/** True when the file system of `path` is read-only; false also when that can't be found out. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    return codeOf(error) === "EROFS";
  }
}

/** Says that nothing can be written at `path`, on a read-only file system, and what to do. */
export function onReadOnly(path: string): string {
  return `the file system of '${nearest(path)}' is mounted read-only. Mount it writable (in a systemd unit, ReadWritePaths= allows that), or name another folder with --data-dir. If it was writable before, the system's log says why`;
}

/** Says that there is no space for writes to `folder`, and how much to free where. */
export function noRoom(folder: string): string {
  const place = nearest(folder);
  if (findFreeFiles(place) === 0) {
    return `the file system of '${place}' takes no more files. Delete some there, then try again. To see how many it takes, run: df -i ${quote(place)}`;
  }
  const { bavail, bsize } = statfsSync(place);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  if (freeMib >= OPENING_MIB) {
    return `writing fails although ${freeMib} MiB are free on the file system of '${place}': the disk quota of ${ownName()} may be used up, or the disk fails. Raise the quota or make room, then try again`;
  }
  return `there is no room left on the file system of '${place}'. Make at least ${OPENING_MIB} MiB free there, then try again. To see what is used, run: df -h ${quote(place)}`;
}

/** The number of files that the file system of `place` can still take; undefined when it doesn't count them. */
function findFreeFiles(place: string): number | undefined {
  const { files, ffree } = statfsSync(place);
  return files > 0 ? ffree : undefined;
}

/** `path`, or the nearest visible folder above it. */
export function nearest(path: string): string {
  let found = resolve(path);
  while (ownerOf(found) === undefined && found !== dirname(found)) found = dirname(found);
  return found;
}
