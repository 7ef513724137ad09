import { STRINGS } from "./strings.ts";

/** A time of the API in the reader's own way of writing it. */
export function formatTime(time: string): string {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date().toDateString();
  if (isToday) return STRINGS.today(at.toLocaleTimeString(undefined, { timeStyle: "short" }));
  return at.toLocaleString(undefined, { dateStyle: "long", timeStyle: "short" });
}

/** A size for people. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return STRINGS.size(String(bytes), "bytes");
  if (bytes < 1024 ** 2) return STRINGS.size((bytes / 1024).toFixed(1), "KiB");
  return STRINGS.size((bytes / 1024 ** 2).toFixed(1), "MiB");
}
