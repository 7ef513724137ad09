import { useEffect, useState } from "preact/hooks";

/** A call that takes longer is worth a word: most are answered within a moment. */
const PATIENCE_MS = 5000;

/** The times, by `performance.now()`, at which the calls began that have no answer so far. */
const waiting = new Set<{ readonly since: number }>();
const watchers = new Set<() => void>();
const listeners = new Set<(since: number) => void>();

/** Notes that the server is asked for something. Returns what is to be told of the end, and whether it was an answer that helps. */
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

/** Has `listener` told whenever the server has answered as it should, and when that call began. Returns what ends it. */
export function onAnswer(listener: (since: number) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** True while the server owes an answer for longer than it should. */
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
