/**
 * Creates a rate limiter: `perSecond` on average, with bursts of up to `burst` after a pause. The returned function
 * resolves when it is the caller's turn, in the order of calls.
 */
export function createPace(perSecond: number, burst: number): () => Promise<void> {
  const gap = 1000 / perSecond;
  let next = -Infinity;
  return async () => {
    const now = performance.now();
    next = Math.max(next, now - burst * gap) + gap;
    if (next > now) await new Promise((resolve) => setTimeout(resolve, next - now));
  };
}
