const DAY_MS = 86_400_000;

/** A time of the API for people, in their time zone: `10:42`, or `2026-11-28 10:42` unless it is today. */
export function formatTime(time: string, now = Date.now()): string {
  const at = new Date(time);
  const isToday = new Date(now).toDateString() === at.toDateString();
  const clock = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
  return isToday ? clock : `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${clock}`;
}

/** The same to the second, for times that are near. */
export function formatClock(time: string): string {
  const at = new Date(time);
  return `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

/** The time left until a time of the API: `in 3 days`. */
export function formatWait(time: string, now = Date.now()): string {
  const left = Date.parse(time) - now;
  if (left <= 0) return "now";
  const format = new Intl.RelativeTimeFormat("en");
  if (left >= 2 * DAY_MS) return format.format(Math.round(left / DAY_MS), "day");
  if (left >= 7_200_000) return format.format(Math.round(left / 3_600_000), "hour");
  return format.format(Math.ceil(left / 60_000), "minute");
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
