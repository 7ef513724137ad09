import type { StateCount, StatisticsStore } from "../../domain/ports/statistics.ts";

/** A count is valid for this time, and for this multiple of the time that it took: that costs about 0.5% of a core. */
const LEAST_AGE_MS = 10_000;
const AGE_PER_MS = 40;
/** The time that a scrape waits for a new count before it uses the last one. */
const PATIENCE_MS = 5000;

/** The last counts of secrets and requests by state. */
export interface Counted {
  readonly counts: readonly StateCount[];
  /** The time when counting ended, in epoch milliseconds. */
  readonly countedAt: number;
}

/**
 * Returns a function that counts again when the last count is old. It returns undefined before the first count, and
 * never rejects.
 */
export function createStateCounts(store: Pick<StatisticsStore, "countStates">): () => Promise<Counted | undefined> {
  let last: Counted | undefined;
  let staleAt = -Infinity;
  let counting: Promise<void> | undefined;

  const count = async () => {
    const startedAt = performance.now();
    try {
      last = { counts: await store.countStates(), countedAt: Date.now() };
    } catch {
      // Storage troubles are reported elsewhere.
    }
    const now = performance.now();
    staleAt = now + Math.max(LEAST_AGE_MS, (now - startedAt) * AGE_PER_MS);
  };
  return async () => {
    if (performance.now() >= staleAt) counting ??= count().finally(() => (counting = undefined));
    if (counting) await Promise.race([counting, Bun.sleep(PATIENCE_MS)]);
    return last;
  };
}
