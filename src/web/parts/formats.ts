import { LOCALE, PAGE } from "../texts/page.ts";
import { formatByteLimit, formatBytes, formatMoment, formatRelative, formatStamp } from "./moments.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Base64url uses four characters for three bytes. An age file has a header, and 16 more bytes for each chunk. */
const BYTES_PER_CHARACTER = 3 / 4;
const HEADER_BYTES = 220;
const CHUNK_BYTES = 65_536;
const CHUNK_OVERHEAD_BYTES = 16;
/**
 * An archive adds two or three kilobytes, which would distort smaller sizes. Such sizes are of no use to the reader
 * anyway.
 */
const WORTH_SAYING_BYTES = 100_000;
/** Sizes in kilobytes are rounded to this, because the archive may be a part of them. */
const COARSE_BYTES = 10_000;
const EXACT_FROM_BYTES = 1_000_000;

const MINUTE_MS = 60_000;

/** Formats a time of the API (RFC 3339) for the reader's locale. */
export function formatTime(time: string): string {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date().toDateString();
  if (isToday) return PAGE.today(at.toLocaleTimeString(LOCALE, { timeStyle: "short" }));
  return at.toLocaleString(LOCALE, { dateStyle: "long", timeStyle: "short" });
}

/**
 * Formats a future time of the API (RFC 3339), both relative and absolute. When this machine's clock is ahead, only
 * absolute: a future time must not be "ago".
 */
export function formatWhen(time: string): string {
  return Date.parse(time) > Date.now() ? formatFromNow(time, Date.now()) : formatDated(time);
}

/** The same for a past time, when this machine's clock may be behind. */
export function formatPast(time: string): string {
  const aheadMs = Date.parse(time) - Date.now();
  if (aheadMs <= 0) return formatFromNow(time, Date.now());
  return aheadMs < MINUTE_MS ? PAGE.justNow : formatDated(time);
}

/** Formats how far away a future time is, in few words. */
export function formatShortly(time: string): string {
  const inMs = Date.parse(time) - Date.now();
  return inMs > 0 ? formatRelative(inMs, LOCALE) : formatDated(time);
}

/** Formats a time with its day, even for today. */
export function formatDated(time: string): string {
  const now = Date.now();
  const isToday = new Date(time).toDateString() === new Date(now).toDateString();
  const stamp = formatStamp(time, now, LOCALE);
  return isToday ? PAGE.today(stamp) : stamp;
}

function formatFromNow(time: string, now: number): string {
  return formatMoment(time, now, { locale: LOCALE, justNow: PAGE.justNow });
}

/** Formats seconds in the largest unit without a remainder. */
export function formatDuration(seconds: number): string {
  const [unit, size] = UNITS.find((each) => seconds % each[1] === 0) ?? ["second", 1];
  return new Intl.NumberFormat(LOCALE, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}

/** Formats a size in bytes. */
export function formatSize(bytes: number): string {
  return formatBytes(bytes, LOCALE);
}

/**
 * Estimates the size of the content from the size of its ciphertext; undefined when it is too small to estimate. The
 * page always shows sizes of content, never of ciphertext.
 */
export function describeSize(ciphertextBytes: number): string | undefined {
  const sealed = ciphertextBytes * BYTES_PER_CHARACTER - HEADER_BYTES;
  const bytes = (sealed * CHUNK_BYTES) / (CHUNK_BYTES + CHUNK_OVERHEAD_BYTES);
  if (bytes < WORTH_SAYING_BYTES) return undefined;
  const rounded = bytes < EXACT_FROM_BYTES ? Math.round(bytes / COARSE_BYTES) * COARSE_BYTES : bytes;
  return PAGE.size.about(formatSize(Math.round(rounded)));
}

/** The same, also for small sizes. */
export function describeAnySize(ciphertextBytes: number): string {
  return describeSize(ciphertextBytes) ?? PAGE.size.lessThan(formatSize(WORTH_SAYING_BYTES));
}

/** Formats a limit, rounded down. */
export function formatLimit(bytes: number): string {
  return formatByteLimit(bytes, LOCALE);
}

/** Formats a short remaining time in whole minutes, rounded up: "4 min". */
export function formatLeft(leftMs: number): string {
  const minutes = Math.max(1, Math.ceil(leftMs / 60_000));
  return new Intl.NumberFormat(LOCALE, { style: "unit", unit: "minute", unitDisplay: "short" }).format(minutes);
}

/** Formats a number for the reader's locale. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(LOCALE).format(value);
}
