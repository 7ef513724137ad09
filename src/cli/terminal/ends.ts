import { parseDuration } from "../../config/units.ts";
import { toIsoTime } from "../../contract/times.ts";

/** Seconds of a duration with its unit: a bare number here would as easily be a year. Undefined for what is none. */
export function parseSpan(value: string): number | undefined {
  return /^\d+$/.test(value) ? undefined : parseDuration(value);
}

/** Epoch milliseconds of a date or time. NaN for what is none, or one that the calendar does not have. */
export function parseDate(value: string): number {
  const [, date] = /^(\d{4}-\d\d-\d\d)(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.exec(value) ?? [];
  const midnight = date === undefined ? NaN : Date.parse(date);
  // The parser takes the 31st of February for the 3rd of March.
  return Number.isNaN(midnight) || toIsoTime(midnight)?.slice(0, 10) !== date ? NaN : Date.parse(value);
}
