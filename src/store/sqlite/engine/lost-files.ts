import type { Database } from "bun:sqlite";
import { openCLibrary } from "../files/c-library.ts";
import type { LostFile, OpenFiles } from "../files/open-files.ts";

/**
 * Databases kept from the garbage collector, which would close them. Closing copies the WAL into the file and deletes
 * it.
 */
const ABANDONED = new Set<Database>();

/**
 * Keeps `database` open to the end of the process, and ends that with _exit(2), because Bun would close every open
 * database first. In a thread this doesn't affect the process, so the main thread has to abandon its own connection
 * too.
 */
export function abandonDatabase(database: Database): void {
  if (ABANDONED.size === 0 && Bun.isMainThread) {
    const { _exit: endAtOnce } = openCLibrary().symbols;
    process.on("exit", (code) => endAtOnce(code));
  }
  ABANDONED.add(database);
}

/** Advice for a file without a path: a deleted or replaced file lasts only as long as its last descriptor. */
const COPY_BOTH =
  "If handoff.db or handoff.db-wal was deleted or replaced, copy both from /proc/<pid of the server>/fd before the server ends, and put them in the data folder after it has ended, without a handoff.db-shm. Then give them to the owner of that folder.";

/**
 * Stops writes once files of the database were deleted, replaced or overwritten. The files then stay as they are for
 * the next start.
 */
export interface LostFiles {
  /** True while the files are still those of the database. */
  areOurs(): boolean;
  /** Says what has happened and what the admin can do; undefined without a loss. */
  describe(): string | undefined;
  /**
   * Call it when a loss is noticed, and instead of closing the database. Copies the WAL into the database if only the
   * WAL was deleted. After that no file of the database is touched, not even at the end of the process.
   */
  abandon(): void;
}

/** Calls `onAbandon` when `database` is abandoned, with true when reads still find what was written. */
export function createLostFiles(
  database: Database,
  files: OpenFiles,
  onAbandon: (isReadable: boolean) => void = () => undefined,
): LostFiles {
  let isRescued: boolean | undefined;

  /** SQLite still has the deleted WAL open, and that WAL belongs to the database file at the path. */
  const copyWal = (): boolean => {
    try {
      database.run("PRAGMA busy_timeout = 0");
      const row = database
        .query<{ busy: number; log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(FULL)")
        .get();
      return row?.busy === 0 && row.log === row.checkpointed;
    } catch {
      // Then the admin is told that the latest changes are only in the WAL.
      return false;
    }
  };
  return {
    areOurs: () => files.findLost() === undefined,
    describe() {
      const lost = files.findLost();
      return lost && describeLoss(lost, isRescued === true);
    },
    abandon() {
      const lost = files.findLost();
      abandonDatabase(database);
      onAbandon(lost?.how !== "cut");
      if (lost?.role === "wal" && lost.how === "moved") isRescued ??= files.isWalGone() && copyWal();
    },
  };
}

function describeLoss({ role, how }: LostFile, isRescued: boolean): string {
  if (how === "cut" && role === "database") {
    return "The file handoff.db was cut off or written over while the server ran, and secrets in it are lost. Nothing is written any more. Stop the server and restore a backup.";
  }
  if (how === "cut") {
    return "The file handoff.db-wal was cut off or written over while the server ran, and the latest changes in it are lost: secrets can be missing, and claimed ones can be there again. Nothing is written any more. Restart the server to go on with what is left, or restore a backup.";
  }
  const moved = (name: string) =>
    `The file ${name} was deleted, renamed or replaced while the server ran. Nothing is written any more. `;
  switch (role) {
    case "database":
      return `${moved("handoff.db")}Put it back, leave handoff.db-wal where it is, because the latest changes are in it, and restart the server. ${COPY_BOTH} To restore a backup instead, stop the server, then delete handoff.db-wal: it does not belong to that.`;
    case "wal":
      return isRescued
        ? `${moved("handoff.db-wal")}What was in it is in handoff.db now. Restart the server.`
        : `${moved("handoff.db-wal")}The latest changes are in it. Put it back, and restart the server. ${COPY_BOTH} Without handoff.db-wal the latest changes are lost: secrets can be missing, and claimed ones can be there again.`;
    case "index":
      return `${moved("handoff.db-shm")}The other files have everything. Restart the server.`;
  }
}
