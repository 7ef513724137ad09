import { expect, test } from "bun:test";
import { startSweeper } from "../../src/domain/sweeper.ts";
import { until } from "../support/polls.ts";

/** A store that counts its steps, and returns or throws those of `steps`; then nothing is due. */
function countingStore(steps: (boolean | Error)[]) {
  let calls = 0;
  return {
    calls: () => calls,
    async sweep() {
      calls += 1;
      const step = steps.shift() ?? false;
      if (step instanceof Error) throw step;
      return step;
    },
  };
}

const failHere = (error: unknown) => {
  throw error;
};

test("a sweep runs step by step until nothing is due, with pauses between the steps", async () => {
  const store = countingStore([true, true, true]);
  const sweeper = startSweeper({ store, intervalMs: 60_000, onError: failHere });
  const round = sweeper.sweep();
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (store.calls() < 4) setImmediate(turn);
  };
  setImmediate(turn);
  await round;
  expect(store.calls()).toBe(4);
  expect(turns).toBeGreaterThanOrEqual(3);
  sweeper.stop();
});

test("two sweeps never run at the same time", async () => {
  const store = countingStore([true]);
  const sweeper = startSweeper({ store, intervalMs: 60_000, onError: failHere });
  await Promise.all([sweeper.sweep(), sweeper.sweep()]);
  expect(store.calls()).toBe(2);
  sweeper.stop();
});

test("it starts by itself, reports the first of several failures, and retries at the next interval", async () => {
  const store = countingStore([new Error("disk"), new Error("disk still"), false, new Error("disk again")]);
  const errors: unknown[] = [];
  const sweeper = startSweeper({ store, intervalMs: 5, onError: (error) => void errors.push(error) });
  for (const end = performance.now() + 2000; store.calls() < 5 && performance.now() < end;) await Bun.sleep(5);
  sweeper.stop();
  expect(store.calls()).toBeGreaterThanOrEqual(5);
  expect(errors).toEqual([new Error("disk"), new Error("disk again")]);
});

test("a stopped sweeper takes no further step", async () => {
  const store = countingStore([true, true, true, true]);
  const sweeper = startSweeper({ store, intervalMs: 5, onError: failHere });
  const round = sweeper.sweep();
  sweeper.stop();
  await round;
  expect(store.calls()).toBe(1);
  const later = countingStore([]);
  const other = startSweeper({ store: later, intervalMs: 5, onError: failHere });
  await until(() => later.calls() >= 3);
  other.stop();
  expect(store.calls()).toBe(1);
});
