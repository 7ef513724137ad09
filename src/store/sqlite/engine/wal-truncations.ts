/**
 * Empties the WAL soon after something was erased: what was written and erased between two checkpoints stays readable in
 * it until then.
 */
export interface WalTruncations {
  /** Empties the WAL after the delay, because something was erased, unless that is to happen anyway. */
  truncateSoon(): void;
  /** Empties the WAL now. Returns false when a reader in another process holds it; then it is tried again later. */
  emptyNow(): boolean;
  /** True when a process has been holding the WAL for longer than there is patience for. */
  isHeldUp(): boolean;
  /** Ends all attempts. */
  stop(): void;
}

/**
 * Truncations by `emptyWal`, which returns false when another process holds the WAL; `patienceMs` is how long one may before
 * that is told.
 */
export function createWalTruncations(
  emptyWal: () => boolean,
  { delayMs, patienceMs }: { readonly delayMs: number; readonly patienceMs: number },
): WalTruncations {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  let heldSince: number | undefined;

  const emptyNow = () => {
    clearTimeout(timer);
    timer = undefined;
    const done = emptyWal();
    heldSince = done ? undefined : (heldSince ?? performance.now());
    if (!done) schedule();
    return done;
  };
  const schedule = () => {
    if (timer || stopped) return;
    timer = setTimeout(emptyNow, delayMs);
    timer.unref();
  };
  return {
    truncateSoon: schedule,
    emptyNow,
    isHeldUp: () => heldSince !== undefined && performance.now() - heldSince >= patienceMs,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
