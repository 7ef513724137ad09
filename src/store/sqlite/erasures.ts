import type { Database } from "bun:sqlite";

/**
 * Truncates the WAL soon after something was erased: what was written and erased between two checkpoints stays readable
 * in it until then.
 */
export interface Erasures {
  /** Something was erased; truncate the WAL after the delay, unless that is to happen anyway. */
  schedule(): void;
  /** Truncates the WAL now. Returns false when a reader in another process holds it; then it is tried again later. */
  truncateNow(): boolean;
  /** Nothing is tried any more. */
  stop(): void;
}

export function createErasures(database: Database, delayMs: number, busyTimeoutMs: number): Erasures {
  const checkpoint = database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const truncateNow = () => {
    clearTimeout(timer);
    timer = undefined;
    const done = attempt();
    if (!done) schedule();
    return done;
  };
  const attempt = () => {
    try {
      // A reader in another process, such as a backup, may take its time: every request would wait for it with us.
      database.run("PRAGMA busy_timeout = 0");
      return checkpoint.get()?.busy === 0;
    } catch {
      // A full disk, or a lock: the WAL is as it was, and the next attempt may succeed.
      return false;
    } finally {
      database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  };
  const schedule = () => {
    if (timer || stopped) return;
    timer = setTimeout(truncateNow, delayMs);
    timer.unref();
  };
  return {
    schedule,
    truncateNow,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
