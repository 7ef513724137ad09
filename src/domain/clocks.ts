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
