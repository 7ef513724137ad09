import { parseDuration } from "../../config/units.ts";
import { toIsoTime } from "../../contract/times.ts";

/** Seconds of a duration with its unit: a bare number could as well mean years. Undefined when it isn't valid. */
export function parseSpan(value: string): number | undefined {
  return /^\d+$/.test(value) ? undefined : parseDuration(value);
}

/** Epoch milliseconds of a date or time. NaN when it isn't valid, or not in the calendar. */
export function parseDate(value: string): number {
  const [, date] = /^(\d{4}-\d\d-\d\d)(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.exec(value) ?? [];
  const midnight = date === undefined ? NaN : Date.parse(date);
  // The parser reads February 31 as March 3.
  return Number.isNaN(midnight) || toIsoTime(midnight)?.slice(0, 10) !== date ? NaN : Date.parse(value);
}
