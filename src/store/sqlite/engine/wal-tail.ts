import type { Database } from "bun:sqlite";
import type { BackgroundReport } from "./background-failures.ts";

/**
 * The frames that a failed COMMIT left at the end of the WAL. If only the flush failed, they are complete. This process
 * has rolled the transaction back, but the next one to open the database would take it as committed, and a refused
 * claim would count after all.
 */
export interface WalTail {
  /** True while a transaction that was rolled back could still come back. */
  isInDoubt(): boolean;
  /** Call it when a COMMIT has failed after its frames were written. */
  doubt(): void;
  /**
   * Overwrites doubtful frames by committing a transaction that changes nothing. Returns true when none are left. If
   * that commit can't be flushed, a new process no longer finds the frames, but after a power failure it may: they stay
   * in doubt.
   */
  overwrite(): boolean;
}

/**
 * The tail of the WAL of `database`. Nothing is written to it once `areFilesOurs` returns false. Failed attempts are
 * reported.
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
        // The disk still fails, or another process writes, and so overwrites the frames for us. The next attempt will
        // show which.
        report("wal_tail", error);
      }
      return !inDoubt;
    },
  };
}

/**
 * Commits a transaction that writes a page and changes nothing. Throws SQLiteError, with the transaction rolled back.
 */
function commitNothing(database: Database): void {
  database.run("BEGIN IMMEDIATE");
  try {
    const row = database.query<{ user_version: number }, []>("PRAGMA user_version").get();
    // Writes the first page, even with the same number. An UPDATE to the same value would write nothing.
    database.run(`PRAGMA user_version = ${row?.user_version ?? 0}`);
    database.run("COMMIT");
  } finally {
    if (database.inTransaction) database.run("ROLLBACK");
  }
}
