import type { StateCount, StatisticsStore } from "../../domain/ports/statistics.ts";

/**
 * A count is good for so long, and for so many times as long as counting took: little more than half a hundredth of a
 * core.
 */
const LEAST_AGE_MS = 10_000;
const AGE_PER_MS = 40;
/** The time that whoever asks waits for a new count; after that the last one has to do. */
const PATIENCE_MS = 5000;

/** Secrets and requests by state, as they were counted last. */
export interface Counted {
  readonly counts: readonly StateCount[];
  /** The time when counting ended, in epoch milliseconds. */
  readonly countedAt: number;
}

/** Returns a function that counts again when the last count is old. Undefined before the first; never rejects. */
export function createStateCounts(store: Pick<StatisticsStore, "countStates">): () => Promise<Counted | undefined> {
  let last: Counted | undefined;
  let staleAt = -Infinity;
  let counting: Promise<void> | undefined;

  const count = async () => {
    const startedAt = performance.now();
    try {
      last = { counts: await store.countStates(), countedAt: Date.now() };
    } catch {
      // What is wrong with the storage is told elsewhere.
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
