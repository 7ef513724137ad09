import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { PAGE_BYTES } from "./ciphertext-pages.ts";

/** The codes of the errors that a write can fail with, by their numbers in Linux and macOS. */
const CODES: Readonly<Record<number, string>> = { 5: "EIO", 28: "ENOSPC", 30: "EROFS", 69: "EDQUOT", 122: "EDQUOT" };

/**
 * Writes to the file of `database`, which SQLite does only in checkpoints: it is a page longer until the next one.
 * Returns the code of the system's error, which SQLite's own error doesn't tell; undefined when writing succeeded.
 * Throws the error of the file system when the file can't be looked up.
 */
export function findWriteFailure(database: Database): string | undefined {
  // SQLite's own descriptor writes: closing another one would end the locks that SQLite holds on the file.
  const control = (operation: number, value: number) =>
    database.fileControl(operation, BigInt64Array.of(BigInt(value)));
  const longer = statSync(database.filename).size + PAGE_BYTES;
  control(constants.SQLITE_FCNTL_CHUNK_SIZE, PAGE_BYTES);
  try {
    if (control(constants.SQLITE_FCNTL_SIZE_HINT, longer) === 0) return undefined;
  } finally {
    control(constants.SQLITE_FCNTL_CHUNK_SIZE, 0);
  }
  const errno = new Int32Array(2);
  database.fileControl(constants.SQLITE_FCNTL_LAST_ERRNO, errno);
  return CODES[errno[0] ?? 0] ?? `error ${errno[0]}`;
}
