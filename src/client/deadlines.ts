/** The patience with a server. */
export interface Patience {
  /** The time without a byte, and beyond what the least speed allows for. */
  readonly graceMs: number;
  /** The slowest connection that is worth waiting for. */
  readonly bytesPerMs: number;
}

export const PATIENCE: Patience = { graceMs: 30_000, bytesPerMs: 16 };

/** The end of a call that takes too long. */
export interface Deadline {
  /** Aborted when the server has taken too long, or whoever calls wants no more of it. */
  readonly signal: AbortSignal;
  /**
   * To be called when the body of the answer begins. It has to come at the least speed, whatever length it declares, and
   * must not stop. Returns what has to be told how many bytes have come so far.
   */
  readonly beginBody: () => (bytes: number) => void;
  /** Allows for as long without a byte once more, of what has no end. */
  readonly goOn: () => void;
  /** Lets go of the timer. */
  readonly stop: () => void;
}

/** Starts to wait for an answer to a call with a body of `sentBytes` that the server may hold back for `waitMs`. */
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
