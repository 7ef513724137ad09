import { expect, test } from "bun:test";
import { createRate } from "../../../../src/web/sending/large/rates.ts";

test("a speed is that of the last while, and not known at once", () => {
  const rate = createRate();
  rate.note(0, 0);
  expect(rate.read()).toBeUndefined();
  rate.note(1000, 1000);
  expect(rate.read()).toBeUndefined();
  rate.note(2000, 2000);
  expect(rate.read()).toBe(1000);
  // What was long ago counts no more.
  rate.note(102_000, 20_000);
  rate.note(112_000, 30_000);
  expect(rate.read()).toBe(1000);
});

test("a speed begins anew where bytes have to be sent again, and nothing that moves has none", () => {
  const rate = createRate();
  rate.note(0, 0);
  rate.note(8000, 2000);
  expect(rate.read()).toBe(4000);
  rate.note(5000, 2500);
  expect(rate.read()).toBeUndefined();
  rate.note(5000, 10_000);
  expect(rate.read()).toBeUndefined();
  rate.note(6000, 12_500);
  expect(rate.read()).toBe(100);
});
