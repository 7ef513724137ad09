import { LARGE_VERSION } from "../../contract/states.ts";
import type { ListInput, Page } from "../../domain/ports/lists.ts";
import type { SecretRecord } from "../../domain/ports/secrets.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { StoreOptions } from "../sqlite/assembly/options.ts";
import { openStore } from "../sqlite/assembly/store.ts";

/**
 * The number of rows to end at once: two full transactions of the writer, which waits for more calls when one isn't
 * full.
 */
const STEP_ROWS = 512;

/** The numbers of secrets and requests that were open and are now ended. */
export interface Ended {
  readonly secrets: number;
  readonly requests: number;
}

/**
 * Revokes every open secret and request of a data folder, with an event for each and no entry in the admin log. What is
 * overdue has expired, for a clock that is set back later too. Throws DatabaseError.
 */
export async function endEverything(options: StoreOptions): Promise<Ended> {
  return inStore(options, async (store, teamId) => {
    const secrets = await endSecrets(store, teamId, () => true);
    let requests = 0;
    for (const state of ["open", "paused"] as const) {
      requests += await endAll(
        (before) => store.listRequests(openOf(teamId, state, before)),
        () => true,
        (id) => store.revokeRequest(teamId, id, null),
      );
    }
    return { secrets, requests };
  });
}

/** The same for large secrets alone, but those that `isKept` knows by their id. */
export async function endLargeSecrets(options: StoreOptions, isKept: (id: string) => boolean): Promise<Ended> {
  const isLost = ({ id, envelopeVersion }: SecretRecord) => envelopeVersion === LARGE_VERSION && !isKept(id);
  return inStore(options, async (store, teamId) => ({
    secrets: await endSecrets(store, teamId, isLost),
    requests: 0,
  }));
}

/** Adds up what `end` ends of each team. */
async function inStore(options: StoreOptions, end: (store: Store, teamId: string) => Promise<Ended>): Promise<Ended> {
  const store = openStore({ ...options, operator: undefined });
  await using _ = { [Symbol.asyncDispose]: () => store.close() };
  // Lists show what is overdue as expired, and don't write it.
  while (await store.sweep(STEP_ROWS));
  let [secrets, requests] = [0, 0];
  for (const { id } of await store.listTeams()) {
    const ended = await end(store, id);
    secrets += ended.secrets;
    requests += ended.requests;
  }
  return { secrets, requests };
}

function endSecrets(store: Store, teamId: string, isEnded: (secret: SecretRecord) => boolean): Promise<number> {
  return endAll(
    (before) => store.listSecrets(openOf(teamId, "available", before)),
    isEnded,
    (id) => store.revokeSecret(teamId, id, null),
  );
}

function openOf<State>(teamId: string, state: State, before: string | undefined): ListInput<State> {
  return { teamId, state, createdBy: undefined, limit: STEP_ROWS, before };
}

/** Calls `end` for every row of a list that `isEnded` selects. Returns their number. */
async function endAll<Row extends { readonly id: string }>(
  list: (before: string | undefined) => Promise<Page<Row>>,
  isEnded: (row: Row) => boolean,
  end: (id: string) => Promise<unknown>,
): Promise<number> {
  let ended = 0;
  for (let before: string | null | undefined; before !== null;) {
    const { items, nextCursor } = await list(before);
    const chosen = items.filter(isEnded);
    await Promise.all(chosen.map(({ id }) => end(id)));
    ended += chosen.length;
    before = nextCursor;
  }
  return ended;
}
