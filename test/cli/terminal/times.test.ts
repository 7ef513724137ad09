import { expect, test } from "bun:test";
import { formatTime, formatWait } from "../../../src/cli/terminal/times.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test("a time of today is without its date, and one of another day has it", () => {
  const now = new Date(2026, 10, 23, 14, 58).getTime();
  const at = (ms: number) => formatTime(new Date(ms).toISOString(), now);
  expect(at(now)).toBe("14:58");
  expect(at(now - DAY)).toBe("2026-11-22 14:58");
  expect(at(new Date(2027, 0, 2, 3, 4).getTime())).toBe("2027-01-02 03:04");
});

test("a wait is in minutes up to two hours, in hours up to two days, and then in days", () => {
  const now = Date.UTC(2026, 10, 23);
  const waits = [-1, 0, 1, 90 * MINUTE, 2 * HOUR, 47 * HOUR, 2 * DAY, 3 * DAY].map((ms) =>
    formatWait(new Date(now + ms).toISOString(), now),
  );
  expect(waits).toEqual([
    "now",
    "now",
    "in 1 minute",
    "in 90 minutes",
    "in 2 hours",
    "in 47 hours",
    "in 2 days",
    "in 3 days",
  ]);
});
