import { expect, test } from "bun:test";
import { createStateCounts } from "../../../src/cli/metrics/state-counts.ts";

test("who asks again soon gets the last count, and nobody makes two counts at the same time", async () => {
  let times = 0;
  const read = createStateCounts({
    async countStates() {
      times += 1;
      await new Promise(setImmediate);
      return [{ kind: "secret", teamId: "team", state: "available", count: times }];
    },
  });
  const [first, second] = await Promise.all([read(), read()]);
  expect(first?.counts[0]?.count).toBe(1);
  expect(second).toBe(first);
  expect(await read()).toBe(first);
  expect(times).toBe(1);
});

test("a count that fails is none, and takes no other figure along", async () => {
  const read = createStateCounts({ countStates: () => Promise.reject(new Error("the disk fails")) });
  expect(await read()).toBeUndefined();
});
