import { createMonotonicClock, systemClock } from "../../src/domain/clocks.ts";
import { createIds } from "../../src/domain/ids.ts";
import { systemRandom } from "../../src/domain/random.ts";
import { openThreadedStore } from "../../src/store/sqlite/threads/threaded-store.ts";
import { benchFolder } from "./folders.ts";
import { growthCalls } from "./growth-calls.ts";
import type { MeasuredCall } from "./growth-calls.ts";
import { seedGrowth } from "./growth-seeds.ts";
import { median } from "./statistics.ts";

/** So many samples of each call; one is made of as many calls as take so long. */
const THOROUGH = { samples: 7, sampleMicroseconds: 20_000 };
const TOMBSTONE_SECONDS = 30 * 86_400;

/** The processor time of each call with `stored` secrets, in microseconds: the median of several samples. */
export async function measureCalls(
  stored: number,
  { samples, sampleMicroseconds } = THOROUGH,
): Promise<Map<string, number>> {
  using folder = benchFolder();
  const seeded = seedGrowth(folder.path, stored);
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const store = openThreadedStore({
    folder: folder.path,
    tombstoneSeconds: TOMBSTONE_SECONDS,
    ballastBytes: 0,
    clock,
    ids,
    onEnd(error) {
      throw error;
    },
  });
  const results = new Map<string, number>();
  for (const call of growthCalls(store, ids, seeded)) {
    const times: number[] = [];
    // The first one is slower: nothing has been compiled for it.
    if (!call.isScarce) await measure(call, sampleMicroseconds);
    while (times.length < samples) times.push(await measure(call, sampleMicroseconds));
    results.set(call.name, median(times));
  }
  await store.close();
  return results;
}

/** The processor time of one call, in microseconds, over as many of them as take `atLeast`. */
async function measure({ times, isScarce, run }: MeasuredCall, atLeast: number): Promise<number> {
  const before = process.cpuUsage();
  for (let calls = times; ; calls += times) {
    await run();
    const { user, system } = process.cpuUsage(before);
    if (isScarce || user + system >= atLeast) return (user + system) / calls;
  }
}
