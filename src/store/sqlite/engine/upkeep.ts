import type { Database } from "bun:sqlite";
import type { Ballast } from "../files/ballast.ts";
import { PAGE_BYTES } from "../files/ciphertext-pages.ts";
import type { BackgroundReport } from "./background-failures.ts";
import type { LostFiles } from "./lost-files.ts";
import type { Operations } from "./operations.ts";
import type { ReadGuard } from "./read-guard.ts";
import type { WalEmptier } from "./wal-emptying.ts";
import type { Writer } from "./writer.ts";

/** The time between two checks. */
const INTERVAL_MS = 1000;
/** The number of pages returned to the disk at once, 4 MiB: no call waits longer than that takes. */
const STEP_PAGES = 1024;

export interface UpkeepDeps {
  readonly database: Database;
  /** The descriptors of the database's files, which are closed after it. */
  readonly descriptors: Disposable;
  readonly lostFiles: LostFiles;
  readonly writer: Writer;
  readonly operations: Operations;
  readonly ballast: Ballast;
  readonly wal: WalEmptier;
  readonly reads: ReadGuard;
  readonly report: BackgroundReport;
}

/**
 * Empties the WAL, and checks every second whether the files are still ours and the ballast is there. While the ballast
 * has no space, unused pages of the database are returned to the disk.
 */
export function startUpkeep(deps: UpkeepDeps): {
  /** Waits for pending writes, empties the WAL and closes the database. Can be called again. */
  readonly close: () => Promise<void>;
} {
  const { database, descriptors, lostFiles, writer, operations, ballast, wal, reads, report } = deps;
  const countUnused = database.query<{ freelist_count: number }, []>("PRAGMA freelist_count");
  const vacuum = database.query(`PRAGMA incremental_vacuum(${STEP_PAGES})`);
  // `all`, because every page is a step of the statement.
  const run = operations.add({ vacuum: { kind: "essential", run: () => void vacuum.all() } });

  const look = async () => {
    if (!lostFiles.areOurs()) {
      wal.stop();
      lostFiles.abandon();
      return;
    }
    if (ballast.acquire(database)) return;
    // The pages of claimed secrets are free space too.
    const unusedBytes = PAGE_BYTES * (countUnused.get()?.freelist_count ?? 0);
    if (unusedBytes === 0 || unusedBytes < ballast.missingBytes()) return;
    await run("vacuum", undefined);
    // The file shrinks with the next checkpoint.
    wal.emptySoon();
  };
  const onLookFailed = (error: unknown) => {
    reads.note(error);
    report("room", error);
  };

  ballast.acquire(database);
  const timer = setInterval(() => void look().catch(onLookFailed), INTERVAL_MS);
  timer.unref();
  // An earlier process may have been killed between erasing and truncating.
  wal.emptySoon();

  const close = async () => {
    await writer.close();
    clearInterval(timer);
    if (lostFiles.areOurs()) wal.empty();
    wal.stop();
    // Checked again, because emptying takes time, and closing would harm a file that isn't ours.
    if (lostFiles.areOurs()) {
      database.close();
      descriptors[Symbol.dispose]();
    } else {
      lostFiles.abandon();
    }
  };
  let closed: Promise<void> | undefined;
  return { close: () => (closed ??= close()) };
}
