import type { RequestState, SecretState } from "../contract/states.ts";
import { AdminError, getTeam } from "./administration.ts";
import type { AdminDeps } from "./administration.ts";
import type { TeamRecord } from "./ports/identities.ts";
import type { ListInput, Page } from "./ports/lists.ts";
import type { RequestRecord, RequestStore } from "./ports/requests.ts";
import type { SecretRecord, SecretStore } from "./ports/secrets.ts";

// The admin's view of all teams' secrets and requests, which has metadata alone.

export interface OversightDeps extends AdminDeps {
  readonly store: AdminDeps["store"] & SecretStore & RequestStore;
}

/** A record with its team. */
export interface Owned<T> {
  readonly team: TeamRecord;
  readonly item: T;
}

/** Selects the rows of a list; by default of all teams and in any state. */
export interface OversightInput<State> {
  readonly team: string | undefined;
  readonly state: State | undefined;
  /** Only rows with this ticket. */
  readonly reference?: string | undefined;
  readonly limit: number;
}

/** The newest secrets, newest first. Throws AdminError when there is no such team. */
export function listAllSecrets(
  deps: OversightDeps,
  input: OversightInput<SecretState>,
): Promise<Owned<SecretRecord>[]> {
  return listAll(deps, input, (of) => deps.store.listSecrets(of));
}

/** The newest requests, newest first. Throws AdminError when there is no such team. */
export function listAllRequests(
  deps: OversightDeps,
  input: OversightInput<RequestState>,
): Promise<Owned<RequestRecord>[]> {
  return listAll(deps, input, (of) => deps.store.listRequests(of));
}

async function listAll<T extends { readonly id: string }, State>(
  deps: OversightDeps,
  { team, state, reference, limit }: OversightInput<State>,
  list: (input: ListInput<State>) => Promise<Page<T>>,
): Promise<Owned<T>[]> {
  const teams = team === undefined ? await deps.store.listTeams() : [await getTeam(deps, team)];
  const found: Owned<T>[] = [];
  for (const each of teams) {
    const ofTeam: T[] = [];
    // A page may have fewer rows than asked for, because a search stops after a bounded number of rows.
    for (let before: string | undefined; ofTeam.length < limit;) {
      const page = await list({
        teamId: each.id,
        state,
        createdBy: undefined,
        reference,
        limit: limit - ofTeam.length,
        before,
      });
      ofTeam.push(...page.items);
      if (page.nextCursor === null) break;
      before = page.nextCursor;
    }
    found.push(...ofTeam.map((item) => ({ team: each, item })));
  }
  return found.toSorted((a, b) => (a.item.id < b.item.id ? 1 : -1)).slice(0, limit);
}

/** An admin's change: the record with its state before. */
export interface Overseen<T> extends Owned<T> {
  readonly before: T;
}

/** Revokes a secret of any team. An ended secret stays as it is. Throws AdminError when there is none. */
export async function revokeAnySecret({ store }: OversightDeps, id: string): Promise<Overseen<SecretRecord>> {
  for (const team of await store.listTeams()) {
    const before = await store.findSecret(team.id, id);
    const item = before && (await store.revokeSecret(team.id, id, null));
    if (before && item) return { team, before, item };
  }
  throw new AdminError(`there is no secret '${id}': it was never on this server, or ended long ago`);
}

/** Revokes a request of any team. An ended request stays as it is. Throws AdminError when there is none. */
export async function revokeAnyRequest({ store }: OversightDeps, id: string): Promise<Overseen<RequestRecord>> {
  for (const team of await store.listTeams()) {
    const before = await store.findRequest(team.id, id);
    const item = before && (await store.revokeRequest(team.id, id, null));
    if (before && item) return { team, before, item };
  }
  throw new AdminError(`there is no request '${id}': it was never on this server, or ended long ago`);
}
