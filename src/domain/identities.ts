import type { Scope } from "../contract/scopes.ts";
import { AdminError, getTeam } from "./administration.ts";
import type { AdminDeps } from "./administration.ts";
import { checkName } from "./names.ts";
import type { IdentityRecord, TeamRecord } from "./ports/identities.ts";
import { toName } from "./values/name-forms.ts";

/** Selects an identity by name or id, and by team where several teams have one of that name. */
export interface IdentityChoice {
  readonly nameOrId: string;
  readonly team: string | undefined;
}

/** Disables an identity and all its keys. Throws AdminError when there is none or several, or it is a person. */
export function disableIdentity(deps: AdminDeps, choice: IdentityChoice): Promise<IdentityRecord> {
  return change(deps, choice, ({ id }) => deps.store.disableIdentity(id));
}

/** Undoes `disableIdentity`: keys that aren't revoked or expired work again. Throws AdminError as that does. */
export function enableIdentity(deps: AdminDeps, choice: IdentityChoice): Promise<IdentityRecord> {
  return change(deps, choice, ({ id }) => deps.store.enableIdentity(id));
}

/** Replaces the scopes of an identity, for all its keys. Throws AdminError as `disableIdentity` does. */
export function setScopes(
  deps: AdminDeps,
  choice: IdentityChoice,
  scopes: readonly [Scope, ...Scope[]],
): Promise<IdentityRecord> {
  return change(deps, choice, ({ id }) => deps.store.setScopes(id, [...new Set(scopes)]));
}

/** Renames an identity. Throws AdminError as `disableIdentity` does, and when the name is malformed or taken. */
export async function renameIdentity(deps: AdminDeps, choice: IdentityChoice, text: string): Promise<IdentityRecord> {
  const name = toName(text);
  checkName("identity", name);
  return change(deps, choice, async ({ id, teamName }) => {
    const renamed = await deps.store.renameIdentity(id, name);
    if (renamed === "name_taken") throw new AdminError(`the team '${teamName}' already has somebody named '${name}'`);
    return renamed;
  });
}

/**
 * Deletes an identity with its keys; its secrets and requests stay. Resolves its last record. Throws AdminError as
 * `disableIdentity` does.
 */
export function deleteIdentity(deps: AdminDeps, choice: IdentityChoice): Promise<IdentityRecord> {
  return change(deps, choice, ({ id }) => deps.store.deleteIdentity(id));
}

async function change(
  deps: AdminDeps,
  choice: IdentityChoice,
  apply: (identity: IdentityRecord) => Promise<IdentityRecord | undefined>,
): Promise<IdentityRecord> {
  const identity = await getIdentity(deps, choice);
  return (await apply(identity)) ?? identity;
}

/** Finds the selected identity. Throws AdminError when there is none or several, or it is a person. */
export async function getIdentity(deps: AdminDeps, { nameOrId, team }: IdentityChoice): Promise<IdentityRecord> {
  const teamId = team === undefined ? undefined : (await getTeam(deps, team)).id;
  const [identity, second] = await deps.store.findIdentities(toName(nameOrId), teamId);
  if (!identity) throw new AdminError(`there is no identity '${nameOrId}'; 'handoff admin identity list' lists them`);
  if (second) throw new AdminError(`several teams have an identity '${nameOrId}': say which with --team`);
  if (identity.kind === "person") {
    throw new AdminError(`'${identity.name}' is a person: 'handoff admin person' adds and removes people`);
  }
  return identity;
}

/** Creates the record of an identity that the team may already have. */
export function newIdentity(
  { ids, clock }: Pick<AdminDeps, "ids" | "clock">,
  team: TeamRecord,
  { kind, name, personName, scopes }: Pick<IdentityRecord, "kind" | "name" | "personName" | "scopes">,
): IdentityRecord {
  return {
    id: ids.next("identity"),
    kind,
    teamId: team.id,
    teamName: team.name,
    name: toName(name),
    personName,
    scopes: [...new Set(scopes)],
    createdAt: clock.now(),
    disabledAt: null,
  };
}

/**
 * Decides to which identity a new key belongs: to `known`, which the team has by the name or id of `wanted`, or without
 * one to `wanted`, which is then created. Throws AdminError when `known` is a person, is disabled or has other scopes,
 * and when `wanted` has no scopes or an invalid name.
 */
export function holderOf(known: IdentityRecord | undefined, wanted: IdentityRecord): IdentityRecord {
  const { name, scopes } = wanted;
  if (!known) {
    checkName("identity", name);
    if (scopes.length > 0) return wanted;
    throw new AdminError(`the identity '${name}' is new: say with --scope what it may do`, "usage");
  }
  if (known.kind === "person") throw new AdminError(`'${known.name}' is a person, and people hold no API keys`);
  if (known.disabledAt !== null) throw new AdminError(disabledText(known));
  if (scopes.length === 0 || new Set(scopes).symmetricDifference(new Set(known.scopes)).size === 0) return known;
  throw new AdminError(
    `the identity '${known.name}' has the scopes ${known.scopes.join(" ")}; all its keys have these. ` +
      "Leave --scope out, name another identity, or change them with 'handoff admin identity scopes'",
  );
}

/** The message about a disabled identity, with the command that enables it. */
export function disabledText({ name }: IdentityRecord): string {
  return `the identity '${name}' is disabled; 'handoff admin identity enable' enables it again`;
}
