import type { EventFeed } from "./ports/events.ts";
import type { Clock } from "./ports/sources.ts";

interface WaitInput<T> {
  /** The id of a secret, of a request or of a team, whose events wake the call. */
  readonly topic: string;
  /** The credential that this is a waiting call of; undefined when it has a place already, by `enter`. */
  readonly credentialId: string | undefined;
  readonly seconds: number;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
  readonly read: () => Promise<T>;
  /** True when `value` is worth answering with before the time is over; `first` is what was read first. */
  readonly settled: (value: T, first: T) => boolean;
  /** The time at which `value` will change by time alone, in epoch milliseconds. */
  readonly changesAt?: (value: T) => number;
}

/** Lets callers wait for a change, so that no client has to poll. */
export interface Waits {
  /** Resolves with what `read` reads: when it is settled, or else when the time is over or nobody waits any more. */
  until<T>(input: WaitInput<T>): Promise<T>;
  /**
   * Takes a place for whoever waits again and again, until what is returned is called, once; undefined when all places of the
   * credential are taken. `onRelease` hears that nobody waits any more, at once if that is so already.
   */
  enter(credentialId: string, onRelease: () => void): (() => void) | undefined;
  /** The number of calls that wait at the moment. */
  waiting(): number;
  /** Answers all who wait at once, and everybody who comes later. */
  release(): void;
}

/** `maxPerCredential` is the number of places of a credential: who has that many calls waiting gets the next ones answered at once. */
export function createWaits(deps: { feed: EventFeed; clock: Clock; maxPerCredential: number }): Waits {
  const wakers = new Map<string, Set<() => void>>();
  const waiting = new Map<string, number>();
  const enduring = new Set<() => void>();
  let released = false;

  deps.feed.subscribe((event) => {
    // Mostly nobody waits, and this hears of everything.
    if (wakers.size === 0) return;
    for (const topic of [event.secretId, event.requestId, event.teamId]) {
      if (topic !== null) for (const wake of wakers.get(topic) ?? []) wake();
    }
  });

  /** Listens on a topic from now on; `heard` resolves at the first change since, after the time, or when nobody waits. */
  const listen = (topic: string) => {
    const { promise: change, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const listeners = wakers.get(topic) ?? new Set();
    wakers.set(topic, listeners.add(wake));
    if (released) wake();
    return {
      async heard(milliseconds: number, signal: AbortSignal) {
        const timer = setTimeout(wake, milliseconds);
        signal.addEventListener("abort", wake, { once: true });
        await change;
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
      },
      close() {
        listeners.delete(wake);
        if (listeners.size === 0 && wakers.get(topic) === listeners) wakers.delete(topic);
      },
    };
  };

  const wait = async <T>(input: WaitInput<T>): Promise<T> => {
    const deadline = performance.now() + input.seconds * 1000;
    let first: { readonly value: T } | undefined;
    for (;;) {
      // Listening begins before reading: a change between the two would go unheard otherwise.
      const ear = listen(input.topic);
      try {
        const value = await input.read();
        first ??= { value };
        const remaining = deadline - performance.now();
        if (input.settled(value, first.value) || remaining <= 0 || input.signal.aborted || released) return value;
        const change = input.changesAt ? input.changesAt(value) - deps.clock.now() : Infinity;
        await ear.heard(Math.max(1, Math.min(remaining, change)), input.signal);
      } finally {
        ear.close();
      }
    }
  };

  /** Returns what gives the place back; undefined when all are taken. */
  const takePlace = (credentialId: string): (() => void) | undefined => {
    const others = waiting.get(credentialId) ?? 0;
    if (others >= deps.maxPerCredential) return undefined;
    waiting.set(credentialId, others + 1);
    return () => {
      const left = (waiting.get(credentialId) ?? 1) - 1;
      if (left > 0) waiting.set(credentialId, left);
      else waiting.delete(credentialId);
    };
  };

  return {
    enter(credentialId, onRelease) {
      const leave = takePlace(credentialId);
      if (!leave) return undefined;
      const tell = () => onRelease();
      if (released) tell();
      else enduring.add(tell);
      return () => {
        enduring.delete(tell);
        leave();
      };
    },
    async until(input) {
      if (input.seconds <= 0) return input.read();
      if (input.credentialId === undefined) return wait(input);
      const leave = takePlace(input.credentialId);
      if (!leave) return input.read();
      try {
        return await wait(input);
      } finally {
        leave();
      }
    },
    waiting: () => waiting.values().reduce((sum, calls) => sum + calls, 0),
    release() {
      released = true;
      for (const tell of enduring) tell();
      for (const listeners of wakers.values()) for (const wake of listeners) wake();
    },
  };
}
