import type { SweepStore } from "./ports/store.ts";

/** The maximum number of rows in one step: few enough that waiting calls aren't delayed noticeably. */
const STEP_ROWS = 100;

export interface Sweeper {
  /** Does everything that is due, in small steps with room for calls between them. */
  sweep(): Promise<void>;
  stop(): void;
}

/**
 * Starts a sweep every `intervalMs` after `opened` has resolved. A failed sweep is retried at the next interval;
 * `onError` gets the first of several failures. Only the freed space depends on the sweeper.
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
