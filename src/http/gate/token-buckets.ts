/** The outcome of a call. */
interface Spending {
  readonly isAllowed: boolean;
  /** The number of calls that would still be let in now. */
  readonly left: number;
  /** Milliseconds until the next call is let in; 0 when it would be now. */
  readonly waitMs: number;
  /** Milliseconds until as many calls as ever are let in. */
  readonly fullMs: number;
}

/** Counts what each holder does; see `createTokenBuckets`. */
export interface TokenBuckets {
  /** Spends a token of `holder`, if there is one. */
  spend(holder: string): Spending;
  /** The number of holders that are remembered. */
  holders(): number;
}

/**
 * A bucket of `capacity` tokens for each holder, filled again with `perSecond`. Of a bucket only the moment is kept when it
 * is full again (the generic cell rate algorithm), and nothing of one that is. Beyond `maxHolders` whoever was here longest
 * ago is forgotten, so that no number of addresses can use the memory up.
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
      // A thousandth of a token is what rounding may cost.
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
    holders: () => fullAt.size,
  };
}
