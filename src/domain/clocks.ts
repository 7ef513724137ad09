import type { Clock } from "./ports/sources.ts";

/** The time of a machine: what its clock says, and how long it has been. */
export interface TimeSource extends Clock {
  /** Milliseconds since some moment in the past. Never goes back, whatever becomes of the clock. */
  elapsed(): number;
}

/** The time of the machine. */
export const systemClock: TimeSource = { now: () => Date.now(), elapsed: () => performance.now() };

/** A clock that never goes back. */
export interface MonotonicClock extends Clock {
  /** From now on the clock never says less than `epochMs`. */
  raise(epochMs: number): void;
}

/**
 * The clock of `source`, which goes on from its latest reading whenever it is behind that: nothing that has expired is
 * revived by a clock that jumps back, and nothing lives longer because the clock was ahead for a moment.
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
/** No zone and no leap makes a clock go back by so much, and a summer time that was set by hand does not either. */
const FAR_BEHIND_MS = DAY_MS;
/** A server is seldom off for longer. */
const FAR_AHEAD_MS = 365 * DAY_MS;

/**
 * Compares the machine's clock with the latest time that a database has seen, both in epoch milliseconds. Returns how it stands
 * to that when one of them is likely to be wrong: more than a day `behind`, or more than 365 days `ahead`; undefined when
 * neither is. A database that has seen none, with `latestMs` 0, says nothing about the clock.
 */
export function findClockDoubt(nowMs: number, latestMs: number): "behind" | "ahead" | undefined {
  if (latestMs <= 0) return undefined;
  if (latestMs - nowMs > FAR_BEHIND_MS) return "behind";
  return nowMs - latestMs > FAR_AHEAD_MS ? "ahead" : undefined;
}
