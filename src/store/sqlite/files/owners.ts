import { constants, fchownSync, lstatSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../../contract/error-traces.ts";
import { DatabaseError } from "./errors.ts";
import { withFile } from "./plain-files.ts";

const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** The user that this process runs as; undefined where there are none. */
function ownId(): number | undefined {
  return process.geteuid?.();
}

/**
 * Creates the empty file `path`, 0600, if it is missing. Root gives it to the owner of the folder, as whom the server
 * may run. Throws DatabaseError when a link is there, and the error of the file system.
 */
export function makeFile(path: string): void {
  try {
    withFile(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, (file) => giveToOwner(file, path), 0o600);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    refuseLink(path);
  }
}

/** Gives the open `file`, which root made at `path`, to the owner of the folder. */
export function giveToOwner(file: number, path: string): void {
  if (ownId() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid !== 0) fchownSync(file, uid, gid);
}

/** Throws DatabaseError when `path` is a symbolic link, by which another user could lead root to any file. */
export function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new DatabaseError(
    `'${path}' is a symbolic link, and handoff follows none there. Nothing was changed. Put the file itself there, or remove the link`,
  );
}

/** The owner of `path`, by name where it is known; undefined when that can't be found out. */
export function ownerOf(path: string): string | undefined {
  try {
    return nameOf(statSync(path).uid);
  } catch {
    return undefined;
  }
}

/** The name of the user that this process runs as. */
export function ownName(): string {
  return nameOf(ownId() ?? 0);
}

/** True when this process may change the mode and owner of `path`. */
export function isOurs(path: string): boolean {
  const id = ownId();
  try {
    return id === undefined || id === 0 || statSync(path).uid === id;
  } catch {
    return false;
  }
}

/** The command that gives the data folder and all in it to the owner of `path`, or by default to this process. */
export function chownCommand(folder: string, path?: string): string {
  const { uid, gid } = path === undefined ? { uid: ownId() ?? 0, gid: process.getgid?.() ?? 0 } : statSync(path);
  // A user of systemd has no name, so chown needs the group too. /var/lib/handoff is a link to the folder.
  return `chown -R ${uid}:${gid} ${quote(`${folder.replace(/\/+$/, "")}/`)}`;
}

/** `path` as a shell takes it. */
export function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

function nameOf(id: number): string {
  try {
    const users = readFileSync("/etc/passwd", "utf8").split("\n");
    return users.find((line) => line.split(":")[2] === String(id))?.split(":")[0] ?? String(id);
  } catch {
    return String(id);
  }
}
