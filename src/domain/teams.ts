import { AdminError, getTeam } from "./administration.ts";
import type { AdminDeps } from "./administration.ts";
import { checkName } from "./names.ts";
import type { TeamCounts } from "./ports/admin.ts";
import type { TeamRecord } from "./ports/identities.ts";
import type { RulesChange } from "./ports/teams.ts";
import { toName } from "./values/name-forms.ts";

/** Creates a team. Throws AdminError when the name is malformed or taken. */
export async function createTeam(deps: AdminDeps, text: string): Promise<TeamRecord> {
  const name = toName(text);
  checkName("team", name);
  const team = {
    id: deps.ids.next("team"),
    name,
    createdAt: deps.clock.now(),
    storedBytes: 0,
    quotaBytes: null,
    rules: null,
  };
  if ((await deps.store.createTeam(team)) === "name_taken")
    throw taken(name, "Use it as it is, or choose another name");
  return team;
}

/** Renames a team. Throws AdminError when there is no such team, and when the name is malformed or taken. */
export async function renameTeam(deps: AdminDeps, nameOrId: string, text: string): Promise<TeamRecord> {
  const name = toName(text);
  checkName("team", name);
  const team = await getTeam(deps, nameOrId);
  const renamed = await deps.store.renameTeam(team.id, name);
  if (renamed === "name_taken") throw taken(name, "Choose another name");
  return renamed ?? team;
}

/**
 * Sets the team's own quota in bytes, which counts from the next call on; null for the server's. Throws AdminError when
 * there is no such team.
 */
export async function setTeamQuota(deps: AdminDeps, nameOrId: string, quotaBytes: number | null): Promise<TeamRecord> {
  const team = await getTeam(deps, nameOrId);
  return (await deps.store.setTeamQuota(team.id, quotaBytes)) ?? team;
}

/**
 * Changes rules of a team, which count for what is created from the next call on; the others stay. Throws AdminError
 * when there is no such team.
 */
export async function setTeamRules(deps: AdminDeps, nameOrId: string, change: RulesChange): Promise<TeamRecord> {
  const team = await getTeam(deps, nameOrId);
  return (await deps.store.setTeamRules(team.id, change)) ?? team;
}

/** A team with its counts. Throws AdminError when there is none. */
export async function getTeamWithCounts(
  deps: AdminDeps,
  nameOrId: string,
): Promise<{ readonly team: TeamRecord; readonly counts: TeamCounts }> {
  const team = await getTeam(deps, nameOrId);
  const counts = (await deps.store.countTeams()).find(({ teamId }) => teamId === team.id);
  const none = { teamId: team.id, automations: 0, people: 0, keys: 0, secrets: {}, requests: {} };
  return { team, counts: counts ?? none };
}

/** The numbers of available secrets and live requests. */
export function liveOf({ secrets, requests }: TeamCounts): { readonly secrets: number; readonly requests: number } {
  return { secrets: secrets.available ?? 0, requests: (requests.open ?? 0) + (requests.paused ?? 0) };
}

/**
 * Deletes a team with everything in it. The team is closed first, so that after an interruption nothing is added, and
 * the same command goes on. Throws AdminError when there is none, and, with nothing done, when it has live secrets or
 * requests and not `force`.
 */
export async function deleteTeam(deps: AdminDeps, nameOrId: string, force: boolean): Promise<TeamRecord> {
  const team = await getTeam(deps, nameOrId);
  if ((await deps.store.closeTeam(team.id, force)) === "live") {
    throw new AdminError(
      `the team '${team.name}' has secrets that can be opened, or requests that are open. Nothing was deleted. Revoke them, or add --force`,
    );
  }
  while (await deps.store.emptyTeam(team.id));
  await deps.store.deleteTeam(team.id);
  return team;
}

function taken(name: string, advice: string): AdminError {
  return new AdminError(`there is already a team '${name}'. ${advice}`);
}
