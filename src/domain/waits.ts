import type { EventFeed } from "./ports/events.ts";
import type { Clock } from "./ports/sources.ts";

interface WaitInput<T> {
  /** The id of the secret, request or team whose events wake the call. */
  readonly topic: string;
  /** The credential whose waiting slots the call counts for; undefined when `enter` has reserved one. */
  readonly credentialId: string | undefined;
  readonly seconds: number;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
  readonly read: () => Promise<T>;
  /** True when `value` can be answered before the time is over. `first` is the first value read. */
  readonly settled: (value: T, first: T) => boolean;
  /** The time at which `value` changes without an event, in epoch milliseconds. */
  readonly changesAt?: (value: T) => number;
}

/** Lets callers wait for a change, so that no client has to poll. */
export interface Waits {
  /**
   * Resolves with the value of `read` when that is settled, when the time is over, when the caller is gone, or after
   * `release`.
   */
  until<T>(input: WaitInput<T>): Promise<T>;
  /**
   * Reserves a waiting slot for a caller that waits repeatedly; the returned function releases it, and must be called
   * once. Undefined when all slots of the credential are taken. `onRelease` is called on `release`, at once if that has
   * happened.
   */
  enter(credentialId: string, onRelease: () => void): (() => void) | undefined;
  /** The number of waiting calls. */
  waiting(): number;
  /** Ends all waits at once, and all later ones immediately. */
  release(): void;
}

/**
 * Creates the waits. `maxPerCredential` is the number of waiting slots of a credential; further calls are answered at
 * once.
 */
export function createWaits(deps: { feed: EventFeed; clock: Clock; maxPerCredential: number }): Waits {
  const subscribers = new Map<string, Set<() => void>>();
  const waiting = new Map<string, number>();
  const slotHolders = new Set<() => void>();
  let released = false;

  deps.feed.subscribe((event) => {
    // A shortcut: this runs for every event, and mostly nobody waits.
    if (subscribers.size === 0) return;
    for (const topic of [event.secretId, event.requestId, event.teamId]) {
      if (topic !== null) for (const wake of subscribers.get(topic) ?? []) wake();
    }
  });

  /** Subscribes to a topic. `changed` resolves at the first change since then, after the time, or on `release`. */
  const subscribe = (topic: string) => {
    const { promise: change, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const listeners = subscribers.get(topic) ?? new Set();
    subscribers.set(topic, listeners.add(wake));
    if (released) wake();
    return {
      async changed(milliseconds: number, signal: AbortSignal) {
        const timer = setTimeout(wake, milliseconds);
        signal.addEventListener("abort", wake, { once: true });
        await change;
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
      },
      close() {
        listeners.delete(wake);
        if (listeners.size === 0 && subscribers.get(topic) === listeners) subscribers.delete(topic);
      },
    };
  };

  const wait = async <T>(input: WaitInput<T>): Promise<T> => {
    const deadline = performance.now() + input.seconds * 1000;
    let first: { readonly value: T } | undefined;
    for (;;) {
      // Subscribes before reading, so that no change between the two is missed.
      const subscription = subscribe(input.topic);
      try {
        const value = await input.read();
        first ??= { value };
        const remaining = deadline - performance.now();
        if (input.settled(value, first.value) || remaining <= 0 || input.signal.aborted || released) return value;
        const change = input.changesAt ? input.changesAt(value) - deps.clock.now() : Infinity;
        await subscription.changed(Math.max(1, Math.min(remaining, change)), input.signal);
      } finally {
        subscription.close();
      }
    }
  };

  /** Returns the function that releases the slot; undefined when all are taken. */
  const takeSlot = (credentialId: string): (() => void) | undefined => {
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
      const leave = takeSlot(credentialId);
      if (!leave) return undefined;
      const notify = () => onRelease();
      if (released) notify();
      else slotHolders.add(notify);
      return () => {
        slotHolders.delete(notify);
        leave();
      };
    },
    async until(input) {
      if (input.seconds <= 0) return input.read();
      if (input.credentialId === undefined) return wait(input);
      const leave = takeSlot(input.credentialId);
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
      for (const notify of slotHolders) notify();
      for (const listeners of subscribers.values()) for (const wake of listeners) wake();
    },
  };
}
