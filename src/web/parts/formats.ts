import type { Secret } from "../../contract/secrets.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import { LOCALE, PAGE } from "../texts/page.ts";
import { formatByteLimit, formatBytes, formatClock, formatRemaining, nameDay } from "./moments.ts";

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

/** Formats a time of the API (RFC 3339) within a sentence: "today, 2:58 PM", "Sat, Nov 28, 2:58 PM". */
export function formatTime(time: string): string {
  return PAGE.atTime(formatDayOf(time), formatClock(time, LOCALE));
}

/** Formats the day of a time within a sentence, and the time too if it is today: "Sat, Nov 28", "today, 2:58 PM". */
export function formatDay(time: string): string {
  return isToday(time) ? formatTime(time) : formatDayOf(time);
}

/** Formats a time for a message: "Saturday, November 28 at 2:38 PM GMT+1". */
export function formatForMessage(time: string): string {
  return new Date(time).toLocaleString(LOCALE, {
    weekday: "long",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
}

/** Formats a past time within a sentence: "just now" within a minute, as this machine's clock may be behind. */
export function formatPast(time: string): string {
  return Math.abs(Date.parse(time) - Date.now()) < MINUTE_MS ? PAGE.justNow : formatTime(time);
}

/** Formats a time for a list: the time of today, else the day alone. */
export function formatBriefly(time: string): string {
  return isToday(time) ? formatClock(time, LOCALE) : capitalize(nameDay(time, Date.now(), LOCALE).name);
}

/** Formats how much time is left: "6 days left". A time in the past is shown as it is. */
export function formatTimeLeft(time: string): string {
  const leftMs = Date.parse(time) - Date.now();
  return leftMs > 0 ? PAGE.timeLeft(formatRemaining(leftMs, LOCALE)) : formatTime(time);
}

/** Begins a line: the first letter becomes a capital where the language has capitals. */
export function capitalize(text: string): string {
  const [first = ""] = text;
  return first.toLocaleUpperCase(LOCALE) + text.slice(first.length);
}

function formatDayOf(time: string): string {
  const { name, isNear } = nameDay(time, Date.now(), LOCALE);
  return isNear ? name : PAGE.onDay(name);
}

function isToday(time: string): boolean {
  return new Date(time).toDateString() === new Date().toDateString();
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

type Sized = Pick<Secret, "ciphertext_bytes" | "envelope_version">;

/**
 * Estimates the size of the content from the size of its ciphertext; undefined when it is too small to estimate. The
 * page always shows sizes of content, never of ciphertext.
 */
export function describeSize(secret: Sized): string | undefined {
  // The ciphertext of a large secret isn't encoded.
  const ratio = secret.envelope_version === LARGE_VERSION ? 1 : BYTES_PER_CHARACTER;
  const sealed = secret.ciphertext_bytes * ratio - HEADER_BYTES;
  const bytes = (sealed * CHUNK_BYTES) / (CHUNK_BYTES + CHUNK_OVERHEAD_BYTES);
  if (bytes < WORTH_SAYING_BYTES) return undefined;
  const rounded = bytes < EXACT_FROM_BYTES ? Math.round(bytes / COARSE_BYTES) * COARSE_BYTES : bytes;
  return PAGE.size.about(formatSize(Math.round(rounded)));
}

/** The same, also for small sizes. */
export function describeAnySize(secret: Sized): string {
  return describeSize(secret) ?? PAGE.size.lessThan(formatSize(WORTH_SAYING_BYTES));
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

/** Formats a part of one as a percentage, rounded down. */
export function formatPercent(part: number): string {
  return new Intl.NumberFormat(LOCALE, { style: "percent" }).format(Math.floor(part * 100) / 100);
}

/** Formats a number for the reader's locale. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(LOCALE).format(value);
}
