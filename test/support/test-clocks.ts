import type { TimeSource } from "../../src/domain/values/clocks.ts";

/** A clock that a test moves. */
export interface TestClock extends TimeSource {
  /** Lets so many milliseconds go by; negative ones set the clock back without any going by. */
  advance(milliseconds: number): void;
  /** Sets the clock, back or forth, without any time going by. */
  jump(milliseconds: number): void;
}

export function createTestClock(start = Date.parse("2026-11-21T09:30:00Z")): TestClock {
  let now = start;
  let elapsed = 0;
  return {
    now: () => now,
    elapsed: () => elapsed,
    advance(milliseconds) {
      now += milliseconds;
      elapsed += Math.max(0, milliseconds);
    },
    jump: (milliseconds) => void (now += milliseconds),
  };
}
