import { expect, test } from "bun:test";
import { createRate } from "../../../src/web/opening/rates.ts";

test("the rate is that of the last seconds, and unknown before, and of a download that starts over", () => {
  const rate = createRate();
  expect(rate.bytesPerSecond()).toBeUndefined();
  rate.add(0, 0);
  rate.add(1000, 1000);
  expect(rate.bytesPerSecond()).toBeUndefined();
  rate.add(2000, 2000);
  expect(rate.bytesPerSecond()).toBe(1000);
  for (let second = 1; second <= 20; second++) rate.add(2000 + second * 5000, 2000 + second * 1000);
  expect(rate.bytesPerSecond()).toBe(5000);
  rate.add(0, 23_000);
  expect(rate.bytesPerSecond()).toBeUndefined();
});

test("while nothing arrives, the rate is unknown", () => {
  const rate = createRate();
  rate.add(1000, 0);
  rate.add(1000, 5000);
  expect(rate.bytesPerSecond()).toBeUndefined();
});
