import type { EventFeed, EventRecord } from "../../../domain/ports/events.ts";

/** A feed, and the function that gives it an event. */
export function createFeed(): EventFeed & { readonly announce: (event: EventRecord) => void } {
  const listeners = new Set<(event: EventRecord) => void>();
  return {
    announce(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
