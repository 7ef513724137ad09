import type { MonotonicClock } from "./clocks.ts";
import { createIds } from "./ids.ts";
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

/** Puts the service together; `openStore` is told the clock and the ids to work with. */
export function createService(options: {
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly policy: ServerPolicy;
  readonly openStore: (deps: { clock: MonotonicClock; ids: Ids }) => Store;
}): Service {
  const { clock, random, policy } = options;
  const ids = createIds(clock, random);
  const store = options.openStore({ clock, ids });
  const waits = createWaits({ feed: store, clock, maxPerCredential: policy.waitingCalls });
  return { store, clock, random, ids, policy, waits };
}
