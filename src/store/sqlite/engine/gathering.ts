/**
 * After a slow batch, the next one waits for the callers of the last one. Otherwise a slow disk always has two groups
 * of callers, each waiting for the other's flush. The wait is a small share of the batch's time.
 */
export const GATHERING = { leastMs: 2, share: 1 / 4, mostMs: 10 } as const;

/** Delays `flush` until enough jobs are waiting, or the time is over. */
export function createGathering(flush: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let awaited = 0;
  const end = () => {
    timer = undefined;
    flush();
  };
  return {
    begin(jobs: number, milliseconds: number) {
      awaited = jobs;
      timer = setTimeout(end, Math.ceil(milliseconds));
    },
    /** Called for every new job. */
    note(jobs: number) {
      if (timer === undefined || jobs < awaited) return;
      clearTimeout(timer);
      timer = undefined;
      setImmediate(flush);
    },
  };
}
