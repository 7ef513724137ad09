import { and, asc, eq, or } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import type { Orm } from "./engine/database.ts";
import { identities, teams } from "./schema.ts";

/** Identities with the names of their teams, oldest first; all of them without `where`. */
export async function selectIdentities(orm: Orm, where: SQL | undefined): Promise<IdentityRecord[]> {
  const rows = await orm
    .select({ identity: identities, teamName: teams.name })
    .from(identities)
    .innerJoin(teams, eq(identities.teamId, teams.id))
    .where(where)
    .orderBy(asc(identities.id));
  return rows.map(({ identity, teamName }) => ({ ...identity, teamName }));
}

/** The identities with this name or id, of one team or of all. */
export function findIdentities(orm: Orm, nameOrId: string, teamId: string | undefined): Promise<IdentityRecord[]> {
  const isMeant = or(eq(identities.id, nameOrId), eq(identities.name, nameOrId));
  return selectIdentities(orm, teamId === undefined ? isMeant : and(isMeant, eq(identities.teamId, teamId)));
}

/** Writes a new identity down. Resolves false, with nothing done, when its team has one of that name. */
export async function insertIdentity(orm: Orm, { teamName: _teamName, ...identity }: IdentityRecord): Promise<boolean> {
  const inserted = await orm
    .insert(identities)
    .values(identity)
    .onConflictDoNothing({ target: [identities.teamId, identities.name] })
    .returning({ id: identities.id });
  return inserted.length > 0;
}
