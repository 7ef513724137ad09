import { createMonotonicClock, systemClock } from "../../src/domain/clocks.ts";
import { createIds } from "../../src/domain/ids.ts";
import { systemRandom } from "../../src/domain/random.ts";
import { openThreadedStore } from "../../src/store/sqlite/threads/threaded-store.ts";
import { benchFolder } from "./folders.ts";
import { growthCalls } from "./growth-calls.ts";
import type { MeasuredCall } from "./growth-calls.ts";
import { seedGrowth } from "./growth-seeds.ts";
import { median } from "./statistics.ts";
import { aim, count, markdownTable, microseconds } from "./tables.ts";

/** The logarithm grows by half from the first of the sizes to the last; what grows by more than this has another reason. */
const MOST_GROWTH = 3;
const SAMPLES = 7;
/** A sample is made of as many calls as take so long. */
const SAMPLE_MICROSECONDS = 20_000;
const TOMBSTONE_SECONDS = 30 * 86_400;

/** The processor time of each call with `stored` secrets, in microseconds: the median of several samples. */
async function measureCalls(stored: number): Promise<Map<string, number>> {
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
    const samples: number[] = [];
    // The first one is slower: nothing has been compiled for it.
    if (!call.isScarce) await measure(call);
    for (let sample = 0; sample < SAMPLES; sample++) samples.push(await measure(call));
    results.set(call.name, median(samples));
  }
  await store.close();
  return results;
}

async function measure({ times, isScarce, run }: MeasuredCall): Promise<number> {
  const before = process.cpuUsage();
  for (let calls = times; ; calls += times) {
    await run();
    const { user, system } = process.cpuUsage(before);
    if (isScarce || user + system >= SAMPLE_MICROSECONDS) return (user + system) / calls;
  }
}

// What `scripts/bench/growth` prints.
const sizes = process.argv.slice(2).map(Number);
if (sizes.length < 2 || !sizes.every((size) => size > 0)) throw new Error("how many secrets are to be stored?");
const results: Map<string, number>[] = [];
for (const size of sizes) results.push(await measureCalls(size));
const [first, last] = [results[0], results.at(-1)];
const rows = [...(last ?? [])].map(([name, time]): readonly string[] => {
  const growth = time / (first?.get(name) ?? Number.NaN);
  const times = results.map((each) => microseconds(each.get(name) ?? Number.NaN));
  return [name, ...times, aim(growth.toFixed(2), growth <= MOST_GROWTH)];
});
console.log(markdownTable(["processor time", ...sizes.map((size) => `${count(size)} stored`), "growth"], rows));
process.exit(0);
