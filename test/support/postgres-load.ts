import { Refusal } from "../../src/domain/values/errors.ts";
import { callOf, newSecret } from "./stores.ts";
import type { WorkingStore } from "./stores.ts";

/** The ids of secrets whose creation was acknowledged, and the number of times that a call was refused before. */
export interface Written {
  readonly acknowledged: readonly string[];
  readonly refusals: number;
}

/**
 * Creates secrets until `isOver`, each with an idempotency key as a client does, again and again until it is
 * acknowledged.
 */
export async function writeOn(
  place: WorkingStore,
  teamId: string,
  name: string,
  isOver: () => boolean,
  onAcknowledged: (id: string) => void = () => undefined,
): Promise<Written> {
  const acknowledged: string[] = [];
  let refusals = 0;
  for (let number = 0; !isOver(); number++) {
    const call = callOf(`${name} ${number}`);
    for (;;) {
      try {
        const outcome = await place.store.createSecret(newSecret(place, teamId, { call }));
        if (!("secret" in outcome)) throw new Error(outcome.kind);
        acknowledged.push(outcome.secret.id);
        onAcknowledged(outcome.secret.id);
        break;
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "storage_unavailable") throw error;
        refusals += 1;
        await new Promise(setImmediate);
      }
    }
  }
  return { acknowledged, refusals };
}

/** The ids of all secrets that were created, as the log of events has them. */
export async function createdIn({ store }: WorkingStore, teamId: string): Promise<string[]> {
  const created: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await store.listEvents(teamId, after, 1000);
    if (page.length === 0) return created;
    created.push(...page.filter(({ type }) => type === "secret.created").map(({ secretId }) => secretId ?? ""));
    after = page.at(-1)?.id;
  }
}

/** Resolves the id of the last of the next `count` events after the one with the id `after`, once there are so many. */
export async function untilEvents({ store }: WorkingStore, teamId: string, count: number, after?: string) {
  for (;;) {
    const events = await store.listEvents(teamId, after, count).catch(() => []);
    const last = events.at(-1);
    if (last && events.length === count) return last.id;
    await new Promise(setImmediate);
  }
}
