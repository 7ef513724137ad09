import type { Database } from "bun:sqlite";
import type { OpenFiles } from "../files/open-files.ts";
import type { BackgroundReport } from "./background-failures.ts";
import type { LostFiles } from "./lost-files.ts";
import type { ReadGuard } from "./read-guard.ts";
import type { Reserve } from "./reserve.ts";
import type { Vacuum } from "./vacuum.ts";
import type { WalTruncations } from "./wal-truncations.ts";
import type { Writer } from "./writer.ts";

/** The time between two looks at the files and the room on the disk. */
const INTERVAL_MS = 1000;

export interface UpkeepDeps {
  readonly database: Database;
  readonly files: OpenFiles;
  readonly lostFiles: LostFiles;
  readonly writer: Writer;
  readonly reserve: Reserve;
  readonly vacuum: Vacuum;
  readonly erasures: WalTruncations;
  readonly reads: ReadGuard;
  readonly report: BackgroundReport;
}

/** Takes the room that is held back, empties the WAL, and looks every second whether more room is to be had. */
export function startUpkeep(deps: UpkeepDeps): {
  /** Waits for what is under way, empties the WAL and closes the database. Can be called again. */
  readonly close: () => Promise<void>;
} {
  const { database, files, lostFiles, writer, reserve, vacuum, erasures, reads, report } = deps;

  const look = async () => {
    if (!lostFiles.areOurs()) {
      erasures.stop();
      lostFiles.abandon();
      return;
    }
    if (reserve.acquire() || vacuum.freeBytes() < reserve.missingBytes()) return;
    // Where claimed secrets were, there is room too; the file shrinks with the checkpoint.
    if (await vacuum.step()) erasures.truncateSoon();
  };
  const onLookFailed = (error: unknown) => {
    reads.note(error);
    report("room", error);
  };

  reserve.acquire();
  const timer = setInterval(() => void look().catch(onLookFailed), INTERVAL_MS);
  timer.unref();
  // A process before this one may have been killed between erasing and truncating.
  erasures.truncateSoon();

  const close = async () => {
    await writer.close();
    clearInterval(timer);
    if (lostFiles.areOurs()) erasures.emptyNow();
    erasures.stop();
    // Looked at again: what is right for a file of ours harms another.
    if (lostFiles.areOurs()) {
      database.close();
      files.close();
    } else {
      lostFiles.abandon();
    }
  };
  let closed: Promise<void> | undefined;
  return { close: () => (closed ??= close()) };
}
