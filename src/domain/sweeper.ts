import type { SweepStore } from "./ports/sweeps.ts";

/** The most rows that one step may touch: few enough that a request behind it does not notice. */
const STEP_ROWS = 100;

export interface Sweeper {
  /** Does what is due, in small steps with room for requests between them. */
  sweep(): Promise<void>;
  stop(): void;
}

/**
 * Starts to do, every `intervalMs` once `opened` has resolved, what is due by time alone. A failed round is tried again at the next, and the
 * first of several is told to `onError`: nothing depends on the sweeper but the space that it frees.
 */
export function startSweeper(deps: {
  readonly store: SweepStore;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
  readonly opened?: Promise<void>;
}): Sweeper {
  let stopped = false;
  let running: Promise<void> | undefined;

  const round = async () => {
    while (!stopped && (await deps.store.sweep(STEP_ROWS))) await new Promise(setImmediate);
  };
  const sweep = () => {
    running ??= round().finally(() => {
      running = undefined;
    });
    return running;
  };
  let isFailing = false;
  const work = async () => {
    try {
      await sweep();
      isFailing = false;
    } catch (error) {
      if (!isFailing) deps.onError(error);
      isFailing = true;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    if (stopped) return;
    timer = setInterval(() => void work(), deps.intervalMs);
    timer.unref();
  };
  if (deps.opened) void deps.opened.then(start);
  else start();
  return {
    sweep,
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
