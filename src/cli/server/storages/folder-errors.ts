import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { codeOf } from "../../../contract/error-traces.ts";
import { isOutcomeUnknown } from "../../../domain/storage-refusals.ts";
import { Refusal } from "../../../domain/values/errors.ts";
import { unusable } from "../../../store/sqlite/engine/database.ts";
import { DATABASE_FILE, refuseLeftovers } from "../../../store/sqlite/files/data-folder.ts";
import { unreadable } from "../../../store/sqlite/files/database-header.ts";
import {
  DatabaseError,
  isDiskFull,
  isLocked,
  isUnreadable,
  isUnusable,
  isWantOfRoom,
} from "../../../store/sqlite/files/errors.ts";
import { ownerOf, ownName } from "../../../store/sqlite/files/owners.ts";
import { noRoom } from "../../../store/sqlite/files/refused-writes.ts";
import { CommandError, usageError } from "../../terminal/terminal.ts";

/** Throws CommandError when there is no database in `folder`, or this user can't look for one. */
export function checkThere(folder: string): void {
  const path = join(folder, DATABASE_FILE);
  try {
    if (lstatSync(path, { throwIfNoEntry: false })) return;
    refuseLeftovers(folder);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    if (codeOf(error) === "EACCES") {
      const owner = ownerOf(folder);
      const whose = owner === undefined ? "" : `, which belongs to ${owner}`;
      const who = owner === "root" ? "root" : `root or as ${owner ?? "its owner"}`;
      throw new CommandError(`${ownName()} may not look into the data folder '${folder}'${whose}. Run this as ${who}.`);
    }
  }
  throw usageError(
    `there is no database in '${resolve(folder)}'. Name the server's data folder with --data-dir, or begin with 'handoff admin team create'`,
  );
}

/** Explains trouble with the storage to the sysadmin; returns any other error as it is. */
export function explain(error: unknown, folder: string): unknown {
  // It is already explained. A full standard output is not a full disk of the folder.
  if (error instanceof CommandError) return error;
  if (isOutcomeUnknown(error)) {
    return new CommandError(
      `The disk of '${folder}' failed while this was written, so that nobody knows whether it was. Look, and run this again if it wasn't.`,
      "failure",
      error,
    );
  }
  const causes = [error, error instanceof Error ? error.cause : undefined];
  if (causes.some(isLocked)) {
    return new CommandError(
      "Another process has held the database locked for too long. Nothing was changed. Run this again; if it stays so, look for a backup or another program that has the file open.",
    );
  }
  if (causes.some((cause) => isDiskFull(cause) || isWantOfRoom(cause))) {
    return new CommandError(`Nothing was changed: ${noRoom(folder)}.`);
  }
  if (causes.some(isUnreadable) && !(error instanceof DatabaseError)) {
    return unreadable(join(folder, DATABASE_FILE), error);
  }
  if (causes.some(isUnusable) && !(error instanceof DatabaseError)) return unusable(folder, error);
  return error instanceof Refusal ? new CommandError(error.message, "failure", error) : error;
}
