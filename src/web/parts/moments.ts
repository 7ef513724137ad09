const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Sizes from here on have one decimal. */
const DECIMAL_FROM_BYTES = 1e6;

/** Formats that were made. Making one takes longer than using it, and a list uses each of them on every row. */
const formats = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

/** A day of the calendar for a reader. */
export interface NamedDay {
  readonly name: string;
  /** True for "today", "yesterday" and "tomorrow", which take no preposition. */
  readonly isNear: boolean;
}

/**
 * Names the day of a time of the API (RFC 3339) as seen on the day of `now` (epoch milliseconds): "today", "yesterday",
 * "tomorrow", else "Sat, Nov 28", with the year when it is another one.
 */
export function nameDay(time: string, now: number, locale: string): NamedDay {
  const at = new Date(time);
  const today = new Date(now);
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  const days = (midnight(at) - midnight(today)) / DAY;
  if (Math.abs(days) <= 1) {
    return { name: relativeFormat(locale).format(days, "day"), isNear: true };
  }
  const year = at.getFullYear() === today.getFullYear() ? {} : ({ year: "numeric" } as const);
  const format = dateFormat(locale, { weekday: "short", ...year, month: "short", day: "numeric" });
  return { name: format.format(at), isNear: false };
}

/** Formats the time of day: "2:58 PM", "14:58". */
export function formatClock(time: string, locale: string): string {
  return dateFormat(locale, { timeStyle: "short" }).format(new Date(time));
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

/** Formats a remaining time in the largest unit that fits, rounded to the nearest: "6 days", "5 minutes". */
export function formatRemaining(leftMs: number, locale: string): string {
  const format = (count: number, unit: string) =>
    numberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
  const rounded = (unitMs: number) => Math.round(leftMs / unitMs);
  if (rounded(SECOND) < 60) return format(Math.max(1, rounded(SECOND)), "second");
  if (rounded(MINUTE) < 60) return format(rounded(MINUTE), "minute");
  return rounded(HOUR) < 24 ? format(rounded(HOUR), "hour") : format(rounded(DAY), "day");
}

function formatRounded(bytes: number, locale: string, round: (value: number) => number): string {
  const write = (value: number, unit: string, decimals: number) => {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const unitDisplay = unit === "byte" ? "long" : "short";
    return numberFormat(locale, { style: "unit", unit, unitDisplay, ...digits }).format(value);
  };
  const kilobytes = round(bytes / 1e3);
  if (bytes < 1e3) return write(bytes, "byte", 0);
  // The capital matches the other units, and is familiar.
  if (bytes < DECIMAL_FROM_BYTES && kilobytes < 1e3) return write(kilobytes, "kilobyte", 0).replace("kB", "KB");
  const megabytes = round(bytes / 1e5) / 10;
  return megabytes < 1e3 ? write(megabytes, "megabyte", 1) : write(round(bytes / 1e8) / 10, "gigabyte", 1);
}

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return remember("date", [locale, options], () => new Intl.DateTimeFormat(locale, options));
}

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return remember("number", [locale, options], () => new Intl.NumberFormat(locale, options));
}

function relativeFormat(locale: string): Intl.RelativeTimeFormat {
  return remember("relative", [locale], () => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
}

function remember<F extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>(
  kind: string,
  wish: readonly unknown[],
  create: () => F,
): F {
  const key = kind + JSON.stringify(wish);
  const format = (formats.get(key) as F | undefined) ?? create();
  formats.set(key, format);
  return format;
}
