import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import {
  capitalize,
  formatBriefly,
  formatDay,
  formatPast,
  formatTime,
  formatTimeLeft,
} from "../../../src/web/parts/formats.ts";

const NOW = new Date(2026, 10, 22, 12, 0).getTime();
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
beforeEach(() => void setSystemTime(NOW));
afterEach(() => void setSystemTime());
const at = (inMs: number) => new Date(NOW + inMs).toISOString();

test("a time has its day, and those beside today their names", () => {
  expect(formatTime(at(2 * HOUR))).toMatch(/^today, 2:00/);
  expect(formatTime(at(-DAY))).toMatch(/^yesterday, 12:00/);
  expect(formatTime(at(DAY))).toMatch(/^tomorrow, 12:00/);
  expect(formatTime(at(6 * DAY))).toMatch(/^Sat, Nov 28, 12:00/);
  expect(formatTime(at(60 * DAY))).toMatch(/^Thu, Jan 21, 2027, 12:00/);
});

test("a day has a time only when it is today", () => {
  expect(formatDay(at(2 * HOUR))).toMatch(/^today, 2:00/);
  expect([formatDay(at(DAY)), formatDay(at(6 * DAY))]).toEqual(["tomorrow", "Sat, Nov 28"]);
});

test("a past time of this minute is just now, also when this machine's clock is behind", () => {
  for (const inMs of [0, -59 * SECOND, 40 * SECOND]) expect(formatPast(at(inMs))).toBe("just now");
  expect(formatPast(at(-61 * SECOND))).toMatch(/^today, 11:58/);
  expect(formatPast(at(2 * HOUR))).toMatch(/^today, 2:00/);
});

test("what is left is told in its largest unit, and what is over by its time", () => {
  const left = { [45 * SECOND]: "45 seconds", [HOUR]: "1 hour", [6 * DAY]: "6 days" };
  for (const [inMs, said] of Object.entries(left)) expect(formatTimeLeft(at(Number(inMs)))).toBe(`${said} left`);
  expect(formatTimeLeft(at(-2 * HOUR))).toMatch(/^today, 10:00/);
});

test("a list has the time of today, else the day, and begins with a capital", () => {
  expect(formatBriefly(at(2 * HOUR))).toMatch(/^2:00/);
  expect([formatBriefly(at(-DAY)), formatBriefly(at(-3 * DAY))]).toEqual(["Yesterday", "Thu, Nov 19"]);
  expect(capitalize("élan")).toBe("Élan");
});
