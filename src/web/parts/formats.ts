import { LOCALE, STRINGS } from "../strings.ts";
import { formatByteLimit, formatBytes, formatMoment, formatRelative, formatStamp } from "./moments.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Base64url has four characters for three bytes, an age file a header, and each of its chunks 16 bytes of its own. */
const BYTES_PER_CHARACTER = 3 / 4;
const HEADER_BYTES = 220;
const CHUNK_BYTES = 65_536;
const CHUNK_OVERHEAD_BYTES = 16;
/** The archive around a file adds two kilobytes or three: below this it would show, and how large so little is tells nobody anything. */
const WORTH_SAYING_BYTES = 100_000;
/** So much of a size in kilobytes may be the archive. */
const COARSE_BYTES = 10_000;
const EXACT_FROM_BYTES = 1_000_000;

const MINUTE_MS = 60_000;

/** A time of the API in the reader's own way of writing it. */
export function formatTime(time: string): string {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date().toDateString();
  if (isToday) return STRINGS.today(at.toLocaleTimeString(LOCALE, { timeStyle: "short" }));
  return at.toLocaleString(LOCALE, { dateStyle: "long", timeStyle: "short" });
}

/** A future time (RFC 3339), relative and by the clock; by the clock alone where this machine's clock is ahead. */
export function formatWhen(time: string): string {
  return Date.parse(time) > Date.now() ? formatFromNow(time, Date.now()) : formatDated(time);
}

/** The same of what has happened, where this machine's clock may be behind. */
export function formatPast(time: string): string {
  const aheadMs = Date.parse(time) - Date.now();
  if (aheadMs <= 0) return formatFromNow(time, Date.now());
  return aheadMs < MINUTE_MS ? STRINGS.justNow : formatDated(time);
}

/** A time that is still to come in few words: how far away it is. */
export function formatShortly(time: string): string {
  const inMs = Date.parse(time) - Date.now();
  return inMs > 0 ? formatRelative(inMs, LOCALE) : formatDated(time);
}

/** A time by the clock, with the day, also where that is today. */
export function formatDated(time: string): string {
  const now = Date.now();
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  const stamp = formatStamp(time, now, LOCALE);
  return isToday ? STRINGS.today(stamp) : stamp;
}

function formatFromNow(time: string, now: number): string {
  return formatMoment(time, now, { locale: LOCALE, justNow: STRINGS.justNow });
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

/** The approximate size of the content in so many bytes of ciphertext; undefined for next to nothing. */
export function describeSize(ciphertextBytes: number): string | undefined {
  const sealed = ciphertextBytes * BYTES_PER_CHARACTER - HEADER_BYTES;
  const bytes = (sealed * CHUNK_BYTES) / (CHUNK_BYTES + CHUNK_OVERHEAD_BYTES);
  if (bytes < WORTH_SAYING_BYTES) return undefined;
  const rounded = bytes < EXACT_FROM_BYTES ? Math.round(bytes / COARSE_BYTES) * COARSE_BYTES : bytes;
  return STRINGS.open.about(formatSize(Math.round(rounded)));
}

/** The same where something is to be said in any case. */
export function describeAnySize(ciphertextBytes: number): string {
  return describeSize(ciphertextBytes) ?? STRINGS.open.lessThan(formatSize(WORTH_SAYING_BYTES));
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
