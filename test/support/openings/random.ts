/** Chances that a seed repeats. */
export interface Chances {
  /** True as often as `share` says, of 1. */
  happens(share: number): boolean;
  /** A whole number from 0 up to and without `end`. */
  below(end: number): number;
  /** One of several; undefined of none. */
  pick<T>(from: readonly T[]): T | undefined;
}

export function createChances(seed: number): Chances {
  let state = seed >>> 0;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { happens: (share) => next() < share, below, pick: (from) => from[below(from.length)] };
}
