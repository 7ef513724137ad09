import { and, asc, eq, or } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import type { StoreContext } from "./engine/context.ts";
import { identities, teams } from "./schema.ts";

/** Identities with the names of their teams, oldest first; all of them without `where`. */
export function selectIdentities({ orm }: Pick<StoreContext, "orm">, where: SQL | undefined): IdentityRecord[] {
  return orm
    .select({ identity: identities, teamName: teams.name })
    .from(identities)
    .innerJoin(teams, eq(identities.teamId, teams.id))
    .where(where)
    .orderBy(asc(identities.id))
    .all()
    .map((row) => ({ ...row.identity, teamName: row.teamName }));
}

/** The identities with this name or id, of one team or of all. */
export function findIdentities(
  context: Pick<StoreContext, "orm">,
  nameOrId: string,
  teamId: string | undefined,
): IdentityRecord[] {
  const isMeant = or(eq(identities.id, nameOrId), eq(identities.name, nameOrId));
  return selectIdentities(context, teamId === undefined ? isMeant : and(isMeant, eq(identities.teamId, teamId)));
}

/** Writes a new identity down. Returns false, with nothing done, when its team has one of that name. */
export function insertIdentity(
  { orm }: Pick<StoreContext, "orm">,
  { teamName: _teamName, ...identity }: IdentityRecord,
): boolean {
  const inserted = orm
    .insert(identities)
    .values({ ...identity, scopes: [...identity.scopes] })
    .onConflictDoNothing({ target: [identities.teamId, identities.name] })
    .returning({ id: identities.id })
    .all();
  return inserted.length > 0;
}
