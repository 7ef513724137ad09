import { LOCALE, STRINGS } from "../strings.ts";
import { formatByteLimit, formatBytes, formatMoment, formatRelative, formatStamp } from "./moments.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** A time of the API in the reader's own way of writing it. */
export function formatTime(time: string): string {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date().toDateString();
  if (isToday) return STRINGS.today(at.toLocaleTimeString(LOCALE, { timeStyle: "short" }));
  return at.toLocaleString(LOCALE, { dateStyle: "long", timeStyle: "short" });
}

/** A time of the API (RFC 3339) as it is from now, and by the clock. */
export function formatWhen(time: string): string {
  return formatMoment(time, Date.now(), { locale: LOCALE, justNow: STRINGS.justNow });
}

/** The same in few words: how far away it is when it is still to come, and else when it was. */
export function formatShortly(time: string): string {
  const now = Date.now();
  const inMs = Date.parse(time) - now;
  if (inMs > 0) return formatRelative(inMs, LOCALE);
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  const stamp = formatStamp(time, now, LOCALE);
  return isToday ? STRINGS.today(stamp) : stamp;
}

/** A number of seconds in the largest unit of which it is a whole number. */
export function formatDuration(seconds: number): string {
  const [unit, size] = UNITS.find((each) => seconds % each[1] === 0) ?? ["second", 1];
  return new Intl.NumberFormat(LOCALE, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}

/** A size for people. */
export function formatSize(bytes: number): string {
  return formatBytes(bytes, LOCALE);
}

/** A limit of a size, never more than it is. */
export function formatLimit(bytes: number): string {
  return formatByteLimit(bytes, LOCALE);
}

/** A short time that is left, in whole minutes, rounded up: "4 min". */
export function formatLeft(leftMs: number): string {
  const minutes = Math.max(1, Math.ceil(leftMs / 60_000));
  return new Intl.NumberFormat(LOCALE, { style: "unit", unit: "minute", unitDisplay: "short" }).format(minutes);
}

/** A number as the reader's language writes it. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(LOCALE).format(value);
}
