/** The window over which the speed is averaged, and the least of it that says something. */
const WINDOW_MS = 15_000;
const LEAST_MS = 1500;

interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** The speed of a transfer. */
export interface Rate {
  /** Notes that so many bytes have left by the time `at`, in milliseconds. Fewer than before begin anew. */
  readonly note: (bytes: number, at: number) => void;
  /** Bytes per second in the last while; undefined when it isn't known yet. */
  readonly read: () => number | undefined;
}

export function createRate(): Rate {
  let samples: readonly Sample[] = [];
  return {
    note(bytes, at) {
      const isBack = bytes < (samples.at(-1)?.bytes ?? 0);
      const recent = samples.filter((each) => at - each.at <= WINDOW_MS);
      samples = [...(isBack ? [] : recent), { at, bytes }];
    },
    read() {
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || last.at - first.at < LEAST_MS || last.bytes === first.bytes) return undefined;
      return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
    },
  };
}
