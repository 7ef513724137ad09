import type { ListInput, Page } from "../../domain/ports/lists.ts";
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
  const store = openStore({ ...options, operator: undefined });
  await using _ = { [Symbol.asyncDispose]: () => store.close() };
  // Lists show what is overdue as expired, and don't write it.
  while (await store.sweep(STEP_ROWS));
  let [secrets, requests] = [0, 0];
  for (const { id: teamId } of await store.listTeams()) {
    secrets += await endAll(
      (before) => store.listSecrets(openOf(teamId, "available", before)),
      (id) => store.revokeSecret(teamId, id, null),
    );
    for (const state of ["open", "paused"] as const) {
      requests += await endAll(
        (before) => store.listRequests(openOf(teamId, state, before)),
        (id) => store.revokeRequest(teamId, id, null),
      );
    }
  }
  return { secrets, requests };
}

function openOf<State>(teamId: string, state: State, before: string | undefined): ListInput<State> {
  return { teamId, state, createdBy: undefined, limit: STEP_ROWS, before };
}

/** Calls `end` for every row of a list. Returns their number. */
async function endAll(
  list: (before: string | undefined) => Promise<Page<{ readonly id: string }>>,
  end: (id: string) => Promise<unknown>,
): Promise<number> {
  let ended = 0;
  for (let before: string | null | undefined; before !== null;) {
    const { items, nextCursor } = await list(before);
    await Promise.all(items.map(({ id }) => end(id)));
    ended += items.length;
    before = nextCursor;
  }
  return ended;
}
