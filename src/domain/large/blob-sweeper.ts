import type { LargeStorage } from "../ports/uploads.ts";

export interface BlobSweeper {
  /** Ends what has expired, and erases every blob that is no longer needed. Rejects as the store of blobs does. */
  sweep(): Promise<void>;
  /** Interrupts a sweep, and resolves once nothing is under way. The next start goes on. */
  stop(): Promise<void>;
}

/**
 * Starts a sweep now, and every `intervalMs`. A failed one is tried again at the next interval; `onError` gets the
 * first of several failures.
 */
export function startBlobSweeper(deps: {
  readonly large: LargeStorage;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
  /** Nothing is swept before this resolves. */
  readonly opened?: Promise<void>;
}): BlobSweeper {
  const { uploads, blobs } = deps.large;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isFailing = false;

  const sweep = () => {
    running ??= blobs
      .eraseOthers(() => uploads.keptUploads(), stopping.signal)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const work = async () => {
    if (running) return;
    try {
      await sweep();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !stopping.signal.aborted) deps.onError(error);
      isFailing = true;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    if (stopping.signal.aborted) return;
    void work();
    timer = setInterval(() => void work(), deps.intervalMs);
    timer.unref();
  };
  if (deps.opened) void deps.opened.then(start);
  else start();
  return {
    sweep,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}
