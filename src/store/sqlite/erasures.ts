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
  stop(): void;
}

export function createErasures(database: Database, delayMs: number): Erasures {
  const checkpoint = database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
  let timer: ReturnType<typeof setTimeout> | undefined;

  const truncateNow = () => {
    clearTimeout(timer);
    timer = undefined;
    const done = attempt();
    if (!done) schedule();
    return done;
  };
  const attempt = () => {
    try {
      return checkpoint.get()?.busy === 0;
    } catch {
      // A full disk, or a lock: the WAL is as it was, and the next attempt may succeed.
      return false;
    }
  };
  const schedule = () => {
    if (timer) return;
    timer = setTimeout(truncateNow, delayMs);
    timer.unref();
  };
  return { schedule, truncateNow, stop: () => clearTimeout(timer) };
}
