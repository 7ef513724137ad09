import { LOCALE, STRINGS } from "../strings.ts";

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

/** A number of seconds in the largest unit of which it is a whole number. */
export function formatDuration(seconds: number): string {
  const [unit, size] = UNITS.find((each) => seconds % each[1] === 0) ?? ["second", 1];
  return new Intl.NumberFormat(LOCALE, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}

/** A size for people. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return STRINGS.size(String(bytes), bytes === 1 ? "byte" : "bytes");
  if (bytes < 1024 ** 2) return STRINGS.size((bytes / 1024).toFixed(1), "KiB");
  return STRINGS.size((bytes / 1024 ** 2).toFixed(1), "MiB");
}
