import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createPace } from "../../../src/domain/values/paces.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Calls `pace` so many times. Returns the numbers of the calls that have begun, in their order. */
function callAtOnce(pace: () => Promise<void>, calls: number): readonly number[] {
  const begun: number[] = [];
  for (let number = 0; number < calls; number++) void pace().then(() => begun.push(number));
  return begun;
}

/** Lets the time go by, and everything begin whose turn it then is. */
async function advance(milliseconds: number): Promise<void> {
  jest.advanceTimersByTime(milliseconds);
  for (let turns = 0; turns < 10; turns++) await Promise.resolve();
}

const firstOf = (count: number) => Array.from({ length: count }, (_, number) => number);

test("a burst begins at once, the rest one by one and in order", async () => {
  const begun = callAtOnce(createPace(1, 5), 15);
  await advance(0);
  expect(begun).toEqual(firstOf(5));
  for (let more = 1; more <= 10; more++) {
    await advance(990);
    expect(begun).toEqual(firstOf(4 + more));
    await advance(10);
    expect(begun).toEqual(firstOf(5 + more));
  }
});

test("after a pause a whole burst begins at once again, and no more than that", async () => {
  const pace = createPace(1, 5);
  callAtOnce(pace, 7);
  await advance(60_000);
  const begun = callAtOnce(pace, 7);
  await advance(0);
  expect(begun).toEqual(firstOf(5));
});
