import { createEventStreams } from "./event-streams.ts";
import type { EventStreams } from "./event-streams.ts";
import type { Ids, Random } from "./ports/sources.ts";
import type { Store } from "./ports/store.ts";
import type { LargeStorage } from "./ports/uploads.ts";
import type { ServerPolicy } from "./server-policies.ts";
import type { MonotonicClock } from "./values/clocks.ts";
import { createTurns } from "./values/turns.ts";
import type { Turns } from "./values/turns.ts";
import { createWaits } from "./waits.ts";
import type { Waits } from "./waits.ts";

/** The dependencies of the rules. */
export interface Service {
  readonly store: Store;
  /** Where large secrets are; undefined on a server that keeps none. */
  readonly large?: LargeStorage | undefined;
  readonly clock: MonotonicClock;
  readonly random: Random;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
  readonly waits: Waits;
  /** Of the calls that write uploads. */
  readonly turns: Turns;
  readonly streams: EventStreams;
}

/** Assembles the service over `store`, which must use the same clock and ids. */
export function createService(parts: Omit<Service, "waits" | "turns" | "streams">): Service {
  const { store, clock, policy } = parts;
  const waits = createWaits({ feed: store, clock, maxPerCredential: policy.waitingCalls });
  return { ...parts, waits, turns: createTurns(), streams: createEventStreams({ store, clock, policy, waits }) };
}
