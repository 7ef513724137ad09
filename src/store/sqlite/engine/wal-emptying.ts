import type { Database } from "bun:sqlite";
import type { OpenFiles } from "../files/open-files.ts";
import { saltsOfWal, wipeWal } from "../files/wal-room.ts";
import type { BackgroundReport } from "./background-failures.ts";
import { commitNothing } from "./wal-tail.ts";

/** The frames from which the WAL is copied, 8 MiB: few, large checkpoints, which the ballast must still have room for. */
const MOST_FRAMES = 2048;

/** The time that emptying waits for readers. */
const READ_PATIENCE_MS = 10;

export interface WalEmptierDeps {
  readonly database: Database;
  /** The path of the database; its WAL is beside it. */
  readonly path: string;
  /** True while the files of the database are still its own. After that nothing is written to them. */
  readonly areFilesOurs: () => boolean;
  readonly busyTimeoutMs: number;
}

/** The steps in which a WAL is emptied. Each returns false when another process is in the way, and throws SQLiteError. */
export interface WalEmptier {
  /** Copies it into the database and gives its room back. */
  cutWal(): boolean;
  /** Copies it into the database. */
  copyWal(): boolean;
  /** Begins a copied WAL anew and writes over what it held. */
  eraseWal(): boolean;
}

export function createWalEmptier({ database, path, areFilesOurs, busyTimeoutMs }: WalEmptierDeps): WalEmptier {
  const walPath = `${path}-wal`;
  const checkpoint = (mode: "TRUNCATE" | "RESTART"): boolean => {
    try {
      // The reads of this server are over in a moment. One of another process, such as a backup, may take its time, and
      // everybody who writes would wait for it with us.
      database.run(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
      return database.query<{ busy: number }, []>(`PRAGMA wal_checkpoint(${mode})`).get()?.busy === 0;
    } finally {
      database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  };
  return {
    cutWal: () => checkpoint("TRUNCATE"),
    copyWal: () => checkpoint("RESTART"),
    eraseWal() {
      const salts = saltsOfWal(walPath);
      commitNothing(database);
      database.run("BEGIN IMMEDIATE");
      try {
        // A reader that came in between may still need what is there.
        if (!areFilesOurs() || saltsOfWal(walPath) === salts) return false;
        wipeWal(walPath);
        return true;
      } finally {
        database.run("ROLLBACK");
      }
    },
  };
}

/**
 * Returns what copies the WAL into the database if it has become long, and takes that over from SQLite, which would do it at the
 * end of a COMMIT, while all who share it wait for their answers.
 */
export function createWalShortener(deps: {
  readonly database: Database;
  readonly files: Pick<OpenFiles, "countFrames">;
  readonly areFilesOurs: () => boolean;
  readonly report: BackgroundReport;
}): () => void {
  const { database, files, areFilesOurs, report } = deps;
  database.run("PRAGMA wal_autocheckpoint = 0");
  const checkpoint = database.query("PRAGMA wal_checkpoint(PASSIVE)");
  return () => {
    try {
      if (files.countFrames() < MOST_FRAMES || !areFilesOurs()) return;
      checkpoint.get();
    } catch (error) {
      report("checkpoint", error);
    }
  };
}
