/** Older than this, a sample tells nothing about the connection now. */
const KEPT_MS = 10_000;
/** Less time than this tells too little. */
const LEAST_MS = 1500;

/** How fast something arrives. */
export interface Rate {
  /** Adds the bytes that have arrived until `now`, in milliseconds by any clock. */
  readonly add: (bytes: number, now: number) => void;
  /** The bytes per second lately; undefined when it isn't known yet, or nothing arrives. */
  readonly bytesPerSecond: () => number | undefined;
}

export function createRate(): Rate {
  let samples: { readonly bytes: number; readonly at: number }[] = [];
  return {
    add(bytes, now) {
      // A download that starts over has fewer.
      samples = samples.filter((each) => now - each.at <= KEPT_MS && each.bytes <= bytes);
      samples.push({ bytes, at: now });
    },
    bytesPerSecond() {
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || last.at - first.at < LEAST_MS || last.bytes === first.bytes) return undefined;
      return ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
    },
  };
}
