import type { MonotonicClock } from "./clocks.ts";
import type { Ids, Random } from "./ports/sources.ts";
import type { Store } from "./ports/store.ts";
import type { ServerPolicy } from "./server-policies.ts";
import { createWaits } from "./waits.ts";
import type { Waits } from "./waits.ts";

/** Everything that the rules need to work. */
export interface Service {
  readonly store: Store;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
  readonly waits: Waits;
}

/** Puts the service together over `store`, which works with the same clock and ids. */
export function createService(parts: Omit<Service, "waits">): Service {
  const { store, clock, policy } = parts;
  return { ...parts, waits: createWaits({ feed: store, clock, maxPerCredential: policy.waitingCalls }) };
}
