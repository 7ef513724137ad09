/** The outcome of spending a token. */
interface Spending {
  readonly isAllowed: boolean;
  /** The tokens that are left. */
  readonly left: number;
  /** Milliseconds until there is a token; 0 when there is one now. */
  readonly waitMs: number;
  /** Milliseconds until the bucket is full. */
  readonly fullMs: number;
}

/** A bucket of tokens for each holder. */
export interface TokenBuckets {
  /** Spends a token of `holder`, if there is one. */
  spend(holder: string): Spending;
  /** The milliseconds until `holder` has a token, without spending one; 0 for now. */
  waitFor(holder: string): number;
  /** The number of holders that are remembered. */
  holders(): number;
}

/**
 * A bucket of `capacity` tokens for each holder, refilled with `perSecond`. Only the time at which a bucket is full
 * again is kept (the generic cell rate algorithm), and nothing of a full one. Beyond `maxHolders` the holder with the
 * oldest last call is forgotten, so that no number of addresses can use up the memory.
 */
export function createTokenBuckets(options: {
  readonly capacity: number;
  readonly perSecond: number;
  readonly maxHolders: number;
  /** Milliseconds; never goes back. */
  readonly now: () => number;
}): TokenBuckets {
  const { capacity, perSecond, maxHolders, now } = options;
  const tokenMs = 1000 / perSecond;
  // In the order of their last call.
  const fullAt = new Map<string, number>();

  const forget = (time: number) => {
    for (const [holder, at] of fullAt) {
      if (at > time && fullAt.size <= maxHolders) return;
      fullAt.delete(holder);
    }
  };

  return {
    spend(holder) {
      const time = now();
      const missingMs = Math.max(0, (fullAt.get(holder) ?? time) - time);
      // Rounding may cost a thousandth of a token.
      const left = Math.floor(capacity - missingMs / tokenMs + 0.001);
      const isAllowed = left >= 1;
      const fullMs = missingMs + (isAllowed ? tokenMs : 0);
      if (isAllowed) {
        fullAt.delete(holder);
        fullAt.set(holder, time + fullMs);
        forget(time);
      }
      return {
        isAllowed,
        left: isAllowed ? left - 1 : 0,
        waitMs: Math.max(0, fullMs - (capacity - 1) * tokenMs),
        fullMs,
      };
    },
    waitFor(holder) {
      const time = now();
      return Math.max(0, (fullAt.get(holder) ?? time) - time - (capacity - 1) * tokenMs);
    },
    holders: () => fullAt.size,
  };
}
