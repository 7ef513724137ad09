import { useEffect, useState } from "preact/hooks";

/** Most calls are answered within a moment. The page mentions slower ones. */
const PATIENCE_MS = 5000;

/** The pending calls, with their start times by `performance.now()`. */
const waiting = new Set<{ readonly since: number }>();
const watchers = new Set<() => void>();
const listeners = new Set<(since: number) => void>();

/** Records the start of a call. Returns a function to call at its end, with true for a useful answer. */
export function noteCall(): (isAnswered: boolean) => void {
  const call = { since: performance.now() };
  waiting.add(call);
  tellWatchers();
  return (isAnswered) => {
    if (!waiting.delete(call)) return;
    tellWatchers();
    if (isAnswered) for (const listener of listeners) listener(call.since);
  };
}

/** Calls `listener` with the start time of each call that got a useful answer. Returns a function that stops it. */
export function onAnswer(listener: (since: number) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** True while a call has been pending for longer than PATIENCE_MS. */
export function useSlowServer(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      clearTimeout(timer);
      const [oldest] = waiting;
      const leftMs = oldest ? oldest.since + PATIENCE_MS - performance.now() : 0;
      setSlow(oldest !== undefined && leftMs <= 0);
      if (leftMs > 0) timer = setTimeout(update, leftMs);
    };
    watchers.add(update);
    update();
    return () => {
      clearTimeout(timer);
      watchers.delete(update);
    };
  }, []);
  return isSlow;
}

function tellWatchers(): void {
  for (const watcher of watchers) watcher();
}
