import type { TimeSource } from "../../../domain/values/clocks.ts";

/** The clock of the database's machine, as this process has observed it. All processes share it. */
export interface DatabaseTime extends TimeSource {
  /** Records that the database's clock showed `epochMs` a moment ago. */
  heard(epochMs: number): void;
}

/** How long an observation counts. After that, a clock that was set back is believed. */
const PERIOD_MS = 30_000;

/**
 * The time of the database, which advances by `elapsed` between two observations. The clock of this process's own
 * machine isn't used. Each observation arrives a little late, so the latest time among several counts. Returns 0 before
 * the first observation.
 */
export function createDatabaseTime(elapsed: () => number = () => performance.now()): DatabaseTime {
  let [offset, formerOffset] = [-Infinity, -Infinity];
  let since = elapsed();
  return {
    elapsed,
    now() {
      const latest = Math.max(offset, formerOffset);
      return latest === -Infinity ? 0 : elapsed() + latest;
    },
    heard(epochMs) {
      const now = elapsed();
      if (now - since > PERIOD_MS) {
        [offset, formerOffset] = [-Infinity, offset];
        since = now;
      }
      offset = Math.max(offset, epochMs - now);
    },
  };
}
