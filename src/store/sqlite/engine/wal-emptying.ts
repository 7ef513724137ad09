import type { Database } from "bun:sqlite";
import type { Ballast } from "../files/ballast.ts";
import { isDiskFull, isLocked, isUnreadable } from "../files/errors.ts";
import type { OpenFiles } from "../files/open-files.ts";
import type { BackgroundReport } from "./background-failures.ts";

/** The number of frames at which the WAL is copied, 8 MiB: few, large checkpoints, for which the ballast has space. */
const MOST_FRAMES = 2048;

/** How long emptying waits for readers. */
const READ_PATIENCE_MS = 10;

export interface WalEmptierDeps {
  readonly database: Database;
  readonly ballast: Pick<Ballast, "held" | "release">;
  readonly files: Pick<OpenFiles, "countFrames">;
  /** True while the files of the database are still its own. After that nothing is written to them. */
  readonly areFilesOurs: () => boolean;
  readonly busyTimeoutMs: number;
  /** The time from an erasure until the WAL is emptied, and between attempts. */
  readonly delayMs: number;
  /** How long another process may hold the WAL before that is a trouble. */
  readonly patienceMs: number;
  readonly report: BackgroundReport;
}

/**
 * Copies the WAL into the database and truncates it, because data that was written and erased between two checkpoints
 * stays readable in it until then. No method throws.
 */
export interface WalEmptier {
  /** Empties the WAL after the delay, unless that is planned already. */
  emptySoon(): void;
  /** Empties the WAL now. An attempt that fails is repeated after the delay. */
  empty(): void;
  /** Copies a WAL that has become long. On a full disk, empties it at any length, because claims need its space. */
  keepShort(): void;
  /** True when the disk failed in the last attempt to empty it. */
  hasFailed(): boolean;
  /** True when another process has been reading the WAL for longer than the patience. */
  isHeldUp(): boolean;
  /** Plans no more attempts. */
  stop(): void;
}

/** Replaces SQLite's own copying, which runs at the end of a COMMIT, while its callers wait for their answers. */
export function createWalEmptier(deps: WalEmptierDeps): WalEmptier {
  const { database, ballast, files, areFilesOurs, busyTimeoutMs, delayMs, patienceMs, report } = deps;
  database.run("PRAGMA wal_autocheckpoint = 0");
  const passive = database.query("PRAGMA wal_checkpoint(PASSIVE)");
  const truncate = database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
  let hasFailed = false;
  let heldSince: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const tryToEmpty = (): boolean => {
    hasFailed = false;
    if (!areFilesOurs()) return false;
    try {
      // The reads of this server end soon. A backup in another process may take its time, and every write would wait
      // for it too.
      database.run(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
      return truncate.get()?.busy === 0;
    } catch (error) {
      report("checkpoint", error);
      if (giveRoom(error)) return tryToEmpty();
      hasFailed = !isLocked(error) && !isDiskFull(error) && !isUnreadable(error);
      return false;
    } finally {
      database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  };
  /** Without space for the database to grow, the WAL can't be copied, and only gets longer. */
  const giveRoom = (error: unknown): boolean => {
    if (!isDiskFull(error) || !ballast.held()) return false;
    ballast.release();
    return true;
  };
  const empty = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const isDone = tryToEmpty();
    heldSince = isDone ? undefined : (heldSince ?? performance.now());
    if (!isDone) emptySoon();
  };
  const emptySoon = (): void => {
    if (!isStopped) timer ??= setTimeout(empty, delayMs).unref();
  };
  return {
    emptySoon,
    empty,
    keepShort() {
      if (!ballast.held()) return empty();
      try {
        if (files.countFrames() >= MOST_FRAMES && areFilesOurs()) passive.get();
      } catch (error) {
        report("checkpoint", error);
        if (giveRoom(error)) empty();
      }
    },
    hasFailed: () => hasFailed,
    isHeldUp: () => heldSince !== undefined && performance.now() - heldSince >= patienceMs,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
