import { SQLiteError } from "bun:sqlite";
import { codeOf } from "../../../contract/error-traces.ts";
import { UserError } from "../../../contract/user-errors.ts";
import { storageUnavailable } from "../../../domain/storage-refusals.ts";
import { Refusal } from "../../../domain/values/errors.ts";

/** The database can't be used as it is; the message says what to do. */
export class DatabaseError extends UserError {
  override readonly name = "DatabaseError";

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super("failure", message, options);
  }
}

/** The error for stored bytes that differ from those that were written. */
class DamageError extends Error {
  override readonly name = "DamageError";
}

/** The refusal of a call that needs something damaged on disk. */
export function damagedOnDisk(): Refusal {
  return storageUnavailable(new DamageError("a ciphertext is damaged"));
}

/** True when SQLite failed for lack of disk space, or for what looks the same: a quota, no space for the -shm file. */
export function isDiskFull(error: unknown): boolean {
  return ["SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE"].includes(sqliteCodeOf(error));
}

/** True when the file system has no space for a file, or no more for this user. */
export function isWantOfRoom(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "");
}

/** True when another process holds the database. */
export function isLocked(error: unknown): boolean {
  return sqliteCodeOf(error).startsWith("SQLITE_BUSY");
}

/**
 * True when a COMMIT that failed with `error` has left no complete transaction in the WAL, because it failed before its
 * last frame was written. After any other failure, such as that of the flush, all frames may be there.
 */
export function leavesNoFrames(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR_WRITE|BUSY|CONSTRAINT)/.test(sqliteCodeOf(error));
}

/**
 * The error for the caller of a failed write: a Refusal unchanged, trouble with disk or locks as `storage_unavailable`,
 * anything else unchanged.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  return isStorageTrouble(sqliteCodeOf(error)) ? storageUnavailable(error) : error;
}

function isStorageTrouble(code: string): boolean {
  return /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|PROTOCOL|CORRUPT|NOTADB)/.test(code);
}

function sqliteCodeOf(error: unknown): string {
  // drizzle wraps SQLite's errors.
  const origin = error instanceof Error && error.cause instanceof SQLiteError ? error.cause : error;
  return origin instanceof SQLiteError ? (origin.code ?? "") : "";
}

/** True when stored data was read and differs from what was written. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamageError;
}

/** True when the database couldn't be read: the disk failed, or returned something other than what was written. */
export function isUnreadable(error: unknown): boolean {
  return /^SQLITE_(IOERR(_READ|_SHORT_READ|_CORRUPTFS|_DATA)?$|CORRUPT|NOTADB)/.test(sqliteCodeOf(error));
}

/** True when the database's files couldn't be opened or written, as on a read-only file system. */
export function isUnusable(error: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCodeOf(error));
}
