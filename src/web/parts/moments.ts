/** The reader's way of writing times. */
export interface MomentStyle {
  /** BCP 47, with the region where that is known: it decides between 2:58 PM and 14:58. */
  readonly locale: string;
  /** The text for what is less than a minute ago; no part of Intl has it. */
  readonly justNow: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Any morning: whether its hour has a zero before it is a habit of the locale. */
const MORNING = new Date(2026, 0, 1, 9, 5);
/** From here on a size has a digit behind the point. */
const DECIMAL_FROM_BYTES = 1e6;

/**
 * A time of the API (RFC 3339) as it is from `now`, in epoch milliseconds, and by the clock: "in 6 days (Sat, Nov 28, 2:58 PM)",
 * "5 minutes ago (2:58 PM)", "just now". To the nearest minute, hour or day; the date is left out on the same day.
 */
export function formatMoment(time: string, now: number, style: MomentStyle): string {
  const inMs = Date.parse(time) - now;
  if (inMs <= 0 && inMs > -MINUTE) return style.justNow;
  const { locale } = style;
  const exact = formatStamp(time, now, locale);
  const relative = formatRelative(inMs, locale);
  return isJapanese(locale) ? `${relative}（${exact}）` : `${relative} (${exact})`;
}

/** A time by the clock, as it is said at `now`: "2:58 PM" on the same day, else "Sat, Nov 28, 2:58 PM". */
export function formatStamp(time: string, now: number, locale: string): string {
  return isSameDay(time, now) ? formatClock(time, locale) : formatDay(time, now, locale);
}

/** The time of day by the reader's clock: "2:58 PM", "14:58". */
export function formatClock(time: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(time));
}

/** The time that is left, rounded up to whole seconds: "4:38", "1:04:38"; "0:00" when it is over. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const pad = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

/** A size in decimal units: "512 bytes", "99 KB", "3.0 MB". */
export function formatBytes(bytes: number, locale: string): string {
  return formatRounded(bytes, locale, Math.round);
}

/** A limit in the same units, never more than it is. */
export function formatByteLimit(bytes: number, locale: string): string {
  return formatRounded(bytes, locale, Math.floor);
}

/** A time as it is from now, to the nearest minute, hour or day: "in 6 days", "5 minutes ago". */
export function formatRelative(inMs: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
  const rounded = (unitMs: number) => Math.round(Math.abs(inMs) / unitMs) * Math.sign(inMs);
  const seconds = Math.max(1, rounded(SECOND));
  // What is past by less than a minute was just now.
  if (inMs > 0 && seconds < 60) return format.format(seconds, "second");
  if (Math.abs(rounded(MINUTE)) < 60) return format.format(rounded(MINUTE), "minute");
  if (Math.abs(rounded(HOUR)) < 24) return format.format(rounded(HOUR), "hour");
  return format.format(rounded(DAY), "day");
}

/** Day and time: "Sat, Nov 28, 2:58 PM", with the year where it is another one. */
function formatDay(time: string, now: number, locale: string): string {
  const at = new Date(time);
  const isThisYear = at.getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    weekday: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    month: "short",
    day: "numeric",
    hour: formatClock(MORNING.toISOString(), locale).startsWith("0") ? "2-digit" : "numeric",
    minute: "2-digit",
  }).format(at);
}

function isSameDay(time: string, now: number): boolean {
  return new Date(time).toDateString() === new Date(now).toDateString();
}

function isJapanese(locale: string): boolean {
  return locale.split("-")[0] === "ja";
}

function formatRounded(bytes: number, locale: string, round: (value: number) => number): string {
  const write = (value: number, unit: string, decimals: number) => {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const unitDisplay = unit === "byte" ? "long" : "short";
    return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay, ...digits }).format(value);
  };
  const kilobytes = round(bytes / 1e3);
  if (bytes < 1e3) return write(bytes, "byte", 0);
  // The capital is what the other units have, and what people know.
  if (bytes < DECIMAL_FROM_BYTES && kilobytes < 1e3) return write(kilobytes, "kilobyte", 0).replace("kB", "KB");
  const megabytes = round(bytes / 1e5) / 10;
  return megabytes < 1e3 ? write(megabytes, "megabyte", 1) : write(round(bytes / 1e8) / 10, "gigabyte", 1);
}
