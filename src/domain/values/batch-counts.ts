import { BATCH_BOUNDS } from "../ports/statistics.ts";
import type { WriteCounts } from "../ports/statistics.ts";

/** Counts transactions by the number of their writes. */
export function createBatchCounter(): { readonly add: (writes: number) => void; readonly count: () => WriteCounts } {
  const batches = BATCH_BOUNDS.map(() => 0);
  let [transactions, writes] = [0, 0];
  return {
    add(size) {
      const index = BATCH_BOUNDS.findIndex((bound) => size <= bound);
      batches[index] = (batches[index] ?? 0) + 1;
      transactions += 1;
      writes += size;
    },
    count: () => ({ transactions, writes, batches: [...batches] }),
  };
}
