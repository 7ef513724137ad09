import { constants } from "bun:sqlite";
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { PAGE_BYTES } from "../files/ciphertext-pages.ts";

const STEP_BYTES = 256 * 1024;
/** What adding free pages takes beside them: the table that they come from, and where SQLite notes which are free. */
const BESIDE_PAGES = 8;

/**
 * Free pages in the database, for what claims and expiry add before they erase: events and calls, half a KiB each. Without
 * them the WAL could not be copied as soon as one is added.
 */
export const SPARE_PAGES = 256;

/**
 * Makes the file of `database`, at `path`, as long as it becomes once the WAL is copied into it, and `spareBytes` longer: real
 * blocks, so that the copying needs no room. `give` is called when there is none, and says whether it has given some. Returns
 * whether it is that long.
 */
export function growDatabase(database: Database, path: string, spareBytes: number, give: (bytes: number) => boolean) {
  const { page_count: pages = 0 } = database.query<{ page_count: number }, []>("PRAGMA page_count").get() ?? {};
  const wanted = pages * PAGE_BYTES + spareBytes;
  // SQLite's own descriptor does it: to close another one would end the locks that SQLite holds on the file.
  const tell = (operation: number, value: number) =>
    database.fileControl(operation, BigInt64Array.of(BigInt(value))) === 0;
  tell(constants.SQLITE_FCNTL_CHUNK_SIZE, PAGE_BYTES);
  try {
    for (let size = statSync(path).size; size < wanted; size = statSync(path).size) {
      const isLonger = tell(constants.SQLITE_FCNTL_SIZE_HINT, Math.min(size + STEP_BYTES, wanted));
      if (!isLonger && !give(STEP_BYTES)) return false;
    }
    return true;
  } finally {
    tell(constants.SQLITE_FCNTL_CHUNK_SIZE, 0);
  }
}

/** How many bytes the file of `database` needs for the spare pages that it still lacks. */
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
