/** Older than this, a sample tells nothing about the connection now. */
const WINDOW_MS = 10_000;
/** Less time than this tells too little. */
const LEAST_MS = 1500;
/** When nothing has moved for so long, nothing does. */
const SILENT_MS = 3000;

interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** The speed of a transfer. */
export interface Rate {
  /** Notes that so many bytes were moved by the time `at`, in milliseconds of any clock. */
  readonly note: (bytes: number, at: number) => void;
  /** Bytes per second lately; undefined when it isn't known yet, or nothing moves. */
  readonly read: (at: number) => number | undefined;
}

/** Begins to measure. Bytes that have to be moved again begin it anew, and so does the end of a silence. */
export function createRate(): Rate {
  let samples: readonly Sample[] = [];
  let moved: Sample | undefined;
  return {
    note(bytes, at) {
      if (moved && (bytes < moved.bytes || (bytes > moved.bytes && at - moved.at > SILENT_MS))) samples = [];
      if (bytes !== moved?.bytes) moved = { at, bytes };
      samples = [...samples.filter((each) => at - each.at <= WINDOW_MS), { at, bytes }];
    },
    read(at) {
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || !moved || at - moved.at > SILENT_MS || last.at - first.at < LEAST_MS) return undefined;
      return last.bytes === first.bytes ? undefined : ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
    },
  };
}
