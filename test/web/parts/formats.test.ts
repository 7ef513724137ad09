import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { formatDated, formatPast, formatShortly, formatWhen } from "../../../src/web/parts/formats.ts";

const NOW = new Date(2026, 10, 22, 12, 0).getTime();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
beforeEach(() => void setSystemTime(NOW));
afterEach(() => void setSystemTime());
const at = (inMs: number) => new Date(NOW + inMs).toISOString();

test("a past time is never in the future, even when this machine's clock is behind", () => {
  expect(formatPast(at(-5 * MINUTE))).toMatch(/^5 minutes ago \(/);
  expect(formatPast(at(0))).toBe("just now");
  expect(formatPast(at(40_000))).toBe("just now");
  expect(formatPast(at(2 * HOUR))).toMatch(/^today at \S/);
  expect(formatPast(at(2 * DAY))).toMatch(/^Tue.*Nov/);
  expect(formatDated(at(40_000))).toMatch(/^today at \S/);
});

test("a future time is never in the past, even when this machine's clock is ahead", () => {
  expect(formatWhen(at(6 * DAY))).toMatch(/^in 6 days \(/);
  expect(formatWhen(at(-40_000))).toMatch(/^today at \S/);
  expect(formatWhen(at(-2 * DAY))).toMatch(/^Fri.*Nov/);
  expect(formatShortly(at(6 * DAY))).toBe("in 6 days");
  expect(formatShortly(at(-2 * HOUR))).toMatch(/^today at \S/);
});
