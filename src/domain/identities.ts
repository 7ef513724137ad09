import type { Scope } from "../contract/scopes.ts";
import type { IdentityRecord } from "./identity-ports.ts";
import { AdminError, getTeam } from "./keys.ts";
import type { AdminDeps } from "./keys.ts";

/** Which identity is meant: its name or id, and its team where several have one of that name. */
export interface IdentityChoice {
  readonly nameOrId: string;
  readonly team: string | undefined;
}

/** Ends all keys of an identity until it is enabled again. Throws AdminError when there is none, or several. */
export function disableIdentity(deps: AdminDeps, choice: IdentityChoice): Promise<IdentityRecord> {
  return change(deps, choice, ({ id }) => deps.store.disableIdentity(id));
}

/** Undoes `disableIdentity`: keys that have not ended otherwise work again. Throws AdminError as it does. */
export function enableIdentity(deps: AdminDeps, choice: IdentityChoice): Promise<IdentityRecord> {
  return change(deps, choice, ({ id }) => deps.store.enableIdentity(id));
}

/** Lets an identity do what `scopes` say and nothing else, with all its keys. Throws AdminError as `disableIdentity` does. */
export function setScopes(
  deps: AdminDeps,
  choice: IdentityChoice,
  scopes: readonly [Scope, ...Scope[]],
): Promise<IdentityRecord> {
  return change(deps, choice, ({ id }) => deps.store.setScopes(id, [...new Set(scopes)]));
}

async function change(
  deps: AdminDeps,
  { nameOrId, team }: IdentityChoice,
  apply: (identity: IdentityRecord) => Promise<void>,
): Promise<IdentityRecord> {
  const teamId = team === undefined ? undefined : (await getTeam(deps, team)).id;
  const find = async (wanted: string) =>
    (await deps.store.listIdentities(teamId)).filter((each) => each.id === wanted || each.name === wanted);
  const [identity, second] = await find(nameOrId);
  if (!identity) throw new AdminError(`there is no identity '${nameOrId}'; 'handoff admin identity list' lists them`);
  if (second) throw new AdminError(`several teams have an identity '${nameOrId}': say which with --team`);
  if (identity.kind === "person") {
    throw new AdminError(`'${identity.name}' is a person: 'handoff admin person' adds and removes people`);
  }
  await apply(identity);
  return (await find(identity.id))[0] ?? identity;
}
