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
  /** Whether a process has been holding the WAL for longer than there is patience for. */
  isHeldUp(): boolean;
  /** Nothing is tried any more. */
  stop(): void;
}

/** The erasures of `database`; `patienceMs` is how long another process may hold the WAL before that is told. */
export function createErasures(
  database: Database,
  options: { readonly delayMs: number; readonly busyTimeoutMs: number; readonly patienceMs: number },
): Erasures {
  const { delayMs, busyTimeoutMs, patienceMs } = options;
  const checkpoint = database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  let heldSince: number | undefined;

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
      const done = checkpoint.get()?.busy === 0;
      heldSince = done ? undefined : (heldSince ?? performance.now());
      return done;
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
    isHeldUp: () => heldSince !== undefined && performance.now() - heldSince >= patienceMs,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
