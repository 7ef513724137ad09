import type { Clock } from "../ports/sources.ts";

/** A machine's wall clock and its monotonic timer. */
export interface TimeSource extends Clock {
  /** Milliseconds since an arbitrary moment. Never goes back, even when the wall clock does. */
  elapsed(): number;
}

/** The time of this machine. */
export const systemClock: TimeSource = { now: () => Date.now(), elapsed: () => performance.now() };

/** A clock that never goes back. */
export interface MonotonicClock extends Clock {
  /** Raises the clock to `epochMs`, if it is behind that. */
  raise(epochMs: number): void;
}

/**
 * Creates a clock that follows `source`, and goes on from its own latest reading while `source` is behind that. A clock
 * that jumps back revives nothing that has expired, and one that was ahead for a moment prolongs no life.
 */
export function createMonotonicClock(source: TimeSource): MonotonicClock {
  const latest = { reading: 0, elapsed: source.elapsed() };
  const raise = (epochMs: number): number => {
    const elapsed = source.elapsed();
    const reading = latest.reading + (elapsed - latest.elapsed);
    if (epochMs <= reading) return reading;
    latest.reading = epochMs;
    latest.elapsed = elapsed;
    return epochMs;
  };
  return {
    raise: (epochMs) => void raise(epochMs),
    now: () => Math.floor(raise(source.now())),
  };
}

const DAY_MS = 86_400_000;
/** More than any time zone, leap second or manual daylight saving changes a clock. */
const FAR_BEHIND_MS = DAY_MS;
/** Longer than a server is usually off. */
const FAR_AHEAD_MS = 365 * DAY_MS;

/**
 * Compares the machine's clock with the latest time in a database, both in epoch milliseconds. Returns "behind" when
 * the clock is more than a day behind, "ahead" when it is more than 365 days ahead, because one of them is probably
 * wrong then; otherwise undefined. An empty database has `latestMs` 0, and proves nothing.
 */
export function findClockDoubt(nowMs: number, latestMs: number): "behind" | "ahead" | undefined {
  if (latestMs <= 0) return undefined;
  if (latestMs - nowMs > FAR_BEHIND_MS) return "behind";
  return nowMs - latestMs > FAR_AHEAD_MS ? "ahead" : undefined;
}
