import type { TimeSource } from "../../src/domain/values/clocks.ts";

/** A clock that a test moves. */
export interface TestClock extends TimeSource {
  /** Lets so many milliseconds go by; negative ones set the clock back without any going by. */
  advance(milliseconds: number): void;
  /** Sets the clock, back or forth, without any time going by. */
  jump(milliseconds: number): void;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The time at which a test begins: 9:30 of yesterday (UTC). Admin commands go by the system's clock. By it, what a test
 * has made lies in the past, and hasn't expired.
 */
export const TEST_START = Math.floor(Date.now() / DAY) * DAY - DAY + 9.5 * HOUR;

export function createTestClock(start = TEST_START): TestClock {
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
