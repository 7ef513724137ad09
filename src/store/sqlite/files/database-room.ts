import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { PAGE_BYTES } from "./ciphertext-pages.ts";

const STEP_BYTES = 256 * 1024;
/**
 * The pages that adding free ones takes beside them: the table that they come from, and where SQLite notes which are
 * free.
 */
const BESIDE_PAGES = 8;

/**
 * Free pages in the database, for what claims and expiry add before they erase: events and calls, half a KiB each. Without
 * them the WAL could not be copied as soon as one is added.
 */
export const SPARE_PAGES = 256;

/** The names of the errors that a write can fail with, by their numbers in Linux and macOS. */
const ERRORS: Readonly<Record<number, string>> = { 5: "EIO", 28: "ENOSPC", 30: "EROFS", 69: "EDQUOT", 122: "EDQUOT" };

/**
 * Makes the file of `database`, at `path`, as long as it becomes once the WAL is copied into it, and `spareBytes` longer: real
 * blocks, so that the copying needs no room. `give` is called when there is none, and says whether it has given some. Returns
 * whether it is that long.
 */
export function growDatabase(
  database: Database,
  path: string,
  spareBytes: number,
  give: (bytes: number) => boolean,
): boolean {
  const { page_count: pages = 0 } = database.query<{ page_count: number }, []>("PRAGMA page_count").get() ?? {};
  const wanted = pages * PAGE_BYTES + spareBytes;
  for (let { size } = statSync(path); size < wanted;) {
    lengthen(database, Math.min(size + STEP_BYTES, wanted));
    const { size: reached } = statSync(path);
    if (reached === size && !give(STEP_BYTES)) return false;
    size = reached;
  }
  return true;
}

/**
 * Tries to write to the file of `database`, at `path`, which makes it a page longer until the WAL is copied next. Returns what
 * that failed with, as the file system names it.
 */
export function findWriteFailure(database: Database, path: string): string | undefined {
  if (lengthen(database, statSync(path).size + PAGE_BYTES)) return undefined;
  const number = new Int32Array(2);
  database.fileControl(constants.SQLITE_FCNTL_LAST_ERRNO, number);
  return ERRORS[number[0] ?? 0] ?? `error ${number[0]}`;
}

/** Makes the file so many bytes long, and returns whether that was possible. */
function lengthen(database: Database, bytes: number): boolean {
  // SQLite's own descriptor does it: to close another one would end the locks that SQLite holds on the file.
  const tell = (operation: number, value: number) =>
    database.fileControl(operation, BigInt64Array.of(BigInt(value))) === 0;
  tell(constants.SQLITE_FCNTL_CHUNK_SIZE, PAGE_BYTES);
  try {
    return tell(constants.SQLITE_FCNTL_SIZE_HINT, bytes);
  } finally {
    tell(constants.SQLITE_FCNTL_CHUNK_SIZE, 0);
  }
}

/** The bytes that the file of `database` needs for the spare pages that it still lacks; 0 when it lacks none. */
export function missingSpareBytes(database: Database): number {
  const { freelist_count: free = 0 } =
    database.query<{ freelist_count: number }, []>("PRAGMA freelist_count").get() ?? {};
  return free >= SPARE_PAGES ? 0 : (SPARE_PAGES - free + BESIDE_PAGES) * PAGE_BYTES;
}

/** Adds the spare pages that `database` still lacks. Throws SQLiteError, with nothing done. */
export function addSparePages(database: Database): void {
  const bytes = missingSpareBytes(database) - BESIDE_PAGES * PAGE_BYTES;
  if (bytes <= 0) return;
  database.run("BEGIN IMMEDIATE");
  try {
    database.run("CREATE TABLE spare (zeros)");
    database.run("INSERT INTO spare VALUES (zeroblob(?))", [bytes]);
    database.run("DROP TABLE spare");
    database.run("COMMIT");
  } finally {
    if (database.inTransaction) database.run("ROLLBACK");
  }
}
