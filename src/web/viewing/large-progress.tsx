import { useEffect, useState } from "preact/hooks";
import { useUnsaved } from "../browser/unsaved.ts";
import { createRate } from "../large/rates.ts";
import { formatSize } from "../parts/formats.ts";
import { formatCountdown } from "../parts/moments.ts";
import { LARGE_OPENING } from "../texts/large-opening.ts";

const { largeOpening: words } = LARGE_OPENING;

/** How far an opening is, for those who watch it. */
export interface OpeningProgress {
  /** Called with the bytes that have arrived. */
  readonly report: (bytes: number) => void;
  /** Calls `listener` at once and after each report. Returns a function that stops it. */
  readonly watch: (listener: (bytes: number) => void) => () => void;
}

export function createOpeningProgress(): OpeningProgress {
  const listeners = new Set<(bytes: number) => void>();
  let last = 0;
  return {
    report(bytes) {
      last = bytes;
      for (const listener of listeners) listener(bytes);
    },
    watch(listener) {
      listeners.add(listener);
      listener(last);
      return () => void listeners.delete(listener);
    },
  };
}

/** How far it is, how fast, how long it still takes, and a button that stops it. The browser asks before leaving. */
export function LargeProgress(props: {
  readonly progress: OpeningProgress;
  readonly total: number;
  readonly onStop: () => void;
}) {
  const { progress, total, onStop } = props;
  const [rate] = useState(createRate);
  const [bytes, setBytes] = useState(0);
  useUnsaved(true, "secret");
  const [, setTick] = useState(0);
  useEffect(
    () =>
      progress.watch((now) => {
        rate.note(now, performance.now());
        setBytes(now);
      }),
    [],
  );
  useEffect(() => {
    // While nothing arrives, what was said of the speed is no longer true.
    const timer = setInterval(() => setTick((tick) => tick + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const speed = rate.read(performance.now());
  const facts = [words.progress(formatSize(bytes), formatSize(total))];
  if (speed !== undefined && bytes < total) {
    facts.push(words.rate(formatSize(Math.round(speed))));
    facts.push(words.left(formatCountdown(((total - bytes) / speed) * 1000)));
  }
  return (
    <div class="stack-m">
      <progress class="progress" max={total} value={bytes} aria-label={words.progressLabel} />
      <p class="progress-row">
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      <p class="hint">{words.keepOpen}</p>
      <button type="button" class="button" onClick={onStop}>
        {words.stop}
      </button>
    </div>
  );
}
