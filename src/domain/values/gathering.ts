/** Delays `flush`, which commits a batch, until enough jobs are waiting or the time is over. */
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
