/** How long the client waits for a server. */
export interface Patience {
  /** The longest time without a byte, and the allowance beyond the time that the slowest connection takes. */
  readonly graceMs: number;
  /** The speed of the slowest connection that is waited for. */
  readonly bytesPerMs: number;
}

export const PATIENCE: Patience = { graceMs: 30_000, bytesPerMs: 16 };

/** Aborts a call that takes too long. */
export interface Deadline {
  /** Aborted when the server has taken too long, or when the caller's signal is aborted. */
  readonly signal: AbortSignal;
  /**
   * Call it when the body of the answer begins. The body must arrive at `bytesPerMs` or faster, whatever length it
   * declares, and without a pause of `graceMs`. Call the returned function with the number of bytes received so far.
   */
  readonly beginBody: () => (bytes: number) => void;
  /** Restarts the time without a byte, for a stream that has no end. */
  readonly goOn: () => void;
  /** Clears the timer. */
  readonly stop: () => void;
}

/** Starts the deadline of a call with a body of `sentBytes`, whose answer the server may delay by `waitMs`. */
export function startDeadline(
  { graceMs, bytesPerMs }: Patience,
  { waitMs, sentBytes }: { readonly waitMs: number; readonly sentBytes: number },
  signal: AbortSignal | undefined,
): Deadline {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const allow = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => late.abort(), ms);
  };
  allow(graceMs + waitMs + sentBytes / bytesPerMs);
  return {
    signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    beginBody() {
      const startedAt = performance.now();
      allow(graceMs);
      return (bytes) => {
        const dueAt = startedAt + graceMs + bytes / bytesPerMs;
        allow(Math.min(graceMs, dueAt - performance.now()));
      };
    },
    goOn: () => allow(graceMs),
    stop: () => clearTimeout(timer),
  };
}

/** Resolves after `milliseconds`, or as soon as `signal` is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
