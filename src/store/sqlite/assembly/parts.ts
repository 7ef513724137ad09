import type { Store } from "../../../domain/ports/store.ts";
import { createAdministrationStore } from "../administration.ts";
import { createCredentialStore } from "../credentials.ts";
import type { StoreContext } from "../engine/context.ts";
import { createEventStore, createEventWriter } from "../events.ts";
import { createCalls } from "../idempotent-calls.ts";
import { createRequestChanges } from "../request-changes.ts";
import { prepareRequestRows } from "../request-rows.ts";
import { createRequestStore } from "../requests.ts";
import { createSecretChanges } from "../secret-changes.ts";
import { createSecretCreations } from "../secret-creations.ts";
import { prepareSecretRows } from "../secret-rows.ts";
import { createSecretStore } from "../secrets.ts";
import { createStatistics } from "../statistics/statistics.ts";
import { createSweepStore } from "../sweeps.ts";

/** The part of a store that reads and writes rows. */
export type StoredThings = Omit<Store, "subscribe" | "findTroubles" | "measureStorage" | "close">;

/** Assembles the store from its parts, each of which adds its operations to those of `context`. */
export function createParts(context: StoreContext): StoredThings {
  const [secretRows, requestRows] = [prepareSecretRows(context), prepareRequestRows(context)];
  const eventWriter = createEventWriter(context);
  const calls = createCalls(context);
  const secretChanges = createSecretChanges(context, secretRows, eventWriter);
  const requestChanges = createRequestChanges(context, requestRows, eventWriter);
  const parts = { calls, creations: createSecretCreations(secretRows, calls, eventWriter), eventWriter };
  return {
    ...createSecretStore(context, { ...parts, statements: secretRows, changes: secretChanges }),
    ...createRequestStore(context, { ...parts, statements: requestRows, changes: requestChanges }),
    ...createEventStore(context),
    ...createSweepStore(context, secretRows, secretChanges, requestChanges),
    ...createCredentialStore(context, requestRows),
    ...createAdministrationStore(context, eventWriter),
    ...createStatistics(context),
  };
}
