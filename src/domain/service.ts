import { createEventStreams } from "./event-streams.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Ids, Random } from "./ports/sources.ts";
import type { Store } from "./ports/store.ts";
import type { ServerPolicy } from "./server-policies.ts";
import type { MonotonicClock } from "./values/clocks.ts";
import { createWaits } from "./waits.ts";
import type { Waits } from "./waits.ts";

/** The dependencies of the rules. */
export interface Service {
  readonly store: Store;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
  readonly waits: Waits;
  readonly streams: EventStreams;
}

/** Assembles the service over `store`, which must use the same clock and ids. */
export function createService(parts: Omit<Service, "waits" | "streams">): Service {
  const { store, clock, policy } = parts;
  const waits = createWaits({ feed: store, clock, maxPerCredential: policy.waitingCalls });
  return { ...parts, waits, streams: createEventStreams({ store, clock, policy, waits }) };
}
