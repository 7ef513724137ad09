import type { TimeSource } from "../../../domain/values/clocks.ts";

/** The time of the machine that the database runs on, as this process has heard of it: one for all processes. */
export interface DatabaseTime extends TimeSource {
  /** Notes that it was this time there, in epoch milliseconds, a moment ago. */
  heard(epochMs: number): void;
}

/** The time for which what was heard counts: after that a clock that was set back is believed. */
const PERIOD_MS = 30_000;

/**
 * The time of the database, which goes on by `elapsed` between two words of it. The clock of this process's own machine is not
 * asked. What is heard is always a little late, so that of several words the latest counts. It is 1970 before the first.
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
