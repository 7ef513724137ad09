import type { Database } from "bun:sqlite";
import type { BackgroundReport } from "./background-failures.ts";

/**
 * The frames that a COMMIT that failed leaves behind the end of the WAL. When the flush fails, they lie there whole: to
 * this process the transaction was taken back, but the next one to read the WAL from the start takes it for committed.
 */
export interface WalTail {
  /** True when a transaction that was taken back could still come back. */
  isInDoubt(): boolean;
  /** A COMMIT has failed with its frames written: they are in doubt from now on. */
  doubt(): void;
  /**
   * Commits a transaction that changes nothing over the frames in doubt, so that they can't be read any more. Returns
   * whether that is flushed. If only the flush failed, they are gone for a process that starts, but maybe not after a
   * power cut: then they stay in doubt.
   */
  overwrite(): boolean;
}

/**
 * The tail of the WAL of `database`, to which nothing is written once `areFilesOurs` is false; attempts that failed are
 * told to `report`.
 */
export function createWalTail(database: Database, areFilesOurs: () => boolean, report: BackgroundReport): WalTail {
  let inDoubt = false;

  return {
    isInDoubt: () => inDoubt,
    doubt: () => void (inDoubt = true),
    overwrite() {
      if (!inDoubt) return true;
      if (!areFilesOurs()) return false;
      try {
        commitNothing(database);
        inDoubt = false;
      } catch (error) {
        // The disk still fails, or another process writes, and so overwrites them for us: the next attempt will tell.
        report("wal_tail", error);
      }
      return !inDoubt;
    },
  };
}

/** Commits a transaction that writes a page and changes nothing. Throws SQLiteError, with the transaction taken back. */
export function commitNothing(database: Database): void {
  database.run("BEGIN IMMEDIATE");
  try {
    const { user_version: version = 0 } =
      database.query<{ user_version: number }, []>("PRAGMA user_version").get() ?? {};
    // Writes the first page, whatever the number was: an UPDATE to what a row has already would write nothing.
    database.run(`PRAGMA user_version = ${version}`);
    database.run("COMMIT");
  } finally {
    if (database.inTransaction) database.run("ROLLBACK");
  }
}
