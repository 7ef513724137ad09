import { expect, test } from "bun:test";
import { createPace } from "../../../src/domain/values/paces.ts";

test("a burst begins at once, the rest one by one and in order", async () => {
  const begun = performance.now();
  const pace = createPace(100, 5);
  const order: number[] = [];
  const waits = await Promise.all(
    Array.from({ length: 15 }, async (_, number) => {
      await pace();
      order.push(number);
      return performance.now() - begun;
    }),
  );
  expect(order).toEqual(Array.from({ length: 15 }, (_, number) => number));
  // 15 calls at 100 a second, 5 of them at once.
  expect(waits.at(-1)).toBeGreaterThanOrEqual(99);
  expect(waits[10]).toBeGreaterThanOrEqual(59);
});

test("a whole burst begins without a pause, and no more than that", async () => {
  const pace = createPace(1, 5);
  let begun = 0;
  for (let calls = 0; calls < 7; calls++) void pace().then(() => (begun += 1));
  await new Promise(setImmediate);
  expect(begun).toBe(5);
});
