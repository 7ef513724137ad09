/** The reader's conventions for times. */
export interface MomentStyle {
  /** BCP 47, with the region if known: it decides between 2:58 PM and 14:58. */
  readonly locale: string;
  /** The text for less than a minute ago, which Intl does not have. */
  readonly justNow: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Any morning time, which shows whether the locale writes a leading zero. */
const MORNING = new Date(2026, 0, 1, 9, 5);
/** Sizes from here on have one decimal. */
const DECIMAL_FROM_BYTES = 1e6;

/**
 * Formats a time of the API (RFC 3339) relative to `now` (epoch milliseconds) and by the clock: "in 6 days (Sat, Nov
 * 28, 2:58 PM)", "5 minutes ago (2:58 PM)", "just now". Rounds to the nearest minute, hour or day; leaves out the date
 * on the same day.
 */
export function formatMoment(time: string, now: number, style: MomentStyle): string {
  const inMs = Date.parse(time) - now;
  if (inMs <= 0 && inMs > -MINUTE) return style.justNow;
  const { locale } = style;
  const exact = formatStamp(time, now, locale);
  const relative = formatRelative(inMs, locale);
  return isJapanese(locale) ? `${relative}（${exact}）` : `${relative} (${exact})`;
}

/** Formats a time by the clock: "2:58 PM" on the day of `now`, else "Sat, Nov 28, 2:58 PM". */
export function formatStamp(time: string, now: number, locale: string): string {
  return isSameDay(time, now) ? formatClock(time, locale) : formatDay(time, now, locale);
}

/** Formats the time of day: "2:58 PM", "14:58". */
export function formatClock(time: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(time));
}

/** Formats a remaining time, rounded up to whole seconds: "4:38", "1:04:38"; "0:00" once it is over. */
export function formatCountdown(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const pad = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

/** Formats a size in decimal units: "512 bytes", "99 KB", "3.0 MB". */
export function formatBytes(bytes: number, locale: string): string {
  return formatRounded(bytes, locale, Math.round);
}

/** Formats a limit in the same units, rounded down. */
export function formatByteLimit(bytes: number, locale: string): string {
  return formatRounded(bytes, locale, Math.floor);
}

/** Formats a time relative to now, to the nearest minute, hour or day: "in 6 days", "5 minutes ago". */
export function formatRelative(inMs: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "always" });
  const rounded = (unitMs: number) => Math.round(Math.abs(inMs) / unitMs) * Math.sign(inMs);
  const seconds = Math.max(1, rounded(SECOND));
  // A time less than a minute ago is "just now".
  if (inMs > 0 && seconds < 60) return format.format(seconds, "second");
  if (Math.abs(rounded(MINUTE)) < 60) return format.format(rounded(MINUTE), "minute");
  if (Math.abs(rounded(HOUR)) < 24) return format.format(rounded(HOUR), "hour");
  return format.format(rounded(DAY), "day");
}

/** Formats day and time: "Sat, Nov 28, 2:58 PM", with the year when it is another one. */
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
  // The capital matches the other units, and is familiar.
  if (bytes < DECIMAL_FROM_BYTES && kilobytes < 1e3) return write(kilobytes, "kilobyte", 0).replace("kB", "KB");
  const megabytes = round(bytes / 1e5) / 10;
  return megabytes < 1e3 ? write(megabytes, "megabyte", 1) : write(round(bytes / 1e8) / 10, "gigabyte", 1);
}
