import { expect, test } from "bun:test";
import { createRate } from "../../../src/web/large/rates.ts";

test("a speed is that of the last seconds, and not known at once", () => {
  const rate = createRate();
  expect(rate.read(0)).toBeUndefined();
  rate.note(0, 0);
  rate.note(1000, 1000);
  expect(rate.read(1000)).toBeUndefined();
  rate.note(2000, 2000);
  expect(rate.read(2000)).toBe(1000);
  for (let second = 1; second <= 20; second++) rate.note(2000 + second * 5000, 2000 + second * 1000);
  expect(rate.read(22_000)).toBe(5000);
});

test("a speed begins anew where bytes have to be moved again", () => {
  const rate = createRate();
  rate.note(0, 0);
  rate.note(8000, 2000);
  expect(rate.read(2000)).toBe(4000);
  rate.note(5000, 2500);
  expect(rate.read(2500)).toBeUndefined();
  rate.note(7000, 4500);
  expect(rate.read(4500)).toBe(1000);
});

test("what doesn't move has no speed, and the time in which it didn't move counts for none", () => {
  const rate = createRate();
  rate.note(0, 0);
  rate.note(8000, 2000);
  expect(rate.read(4999)).toBe(4000);
  for (let second = 3; second <= 9; second++) rate.note(8000, second * 1000);
  expect(rate.read(9000)).toBeUndefined();
  rate.note(9000, 9500);
  expect(rate.read(9500)).toBeUndefined();
  rate.note(11_000, 11_500);
  expect(rate.read(11_500)).toBe(1000);
});
