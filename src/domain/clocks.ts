import type { Clock } from "./ports.ts";

/** The time of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that never goes back. */
export interface MonotonicClock extends Clock {
  /** From now on the clock never says less than `epochMs`. */
  raise(epochMs: number): void;
}

/** `clock`, held at its highest reading whenever it jumps back, so that nothing that has expired is revived. */
export function createMonotonicClock(clock: Clock): MonotonicClock {
  let latest = 0;
  const raise = (epochMs: number) => {
    if (epochMs > latest) latest = epochMs;
  };
  return {
    raise,
    now() {
      raise(clock.now());
      return latest;
    },
  };
}
