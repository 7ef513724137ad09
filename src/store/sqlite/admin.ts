import { and, asc, eq, isNull } from "drizzle-orm";
import type { AdminStore, KeyRecord } from "../../domain/ports.ts";
import type { StoreContext } from "./context.ts";
import { selectKeys, toKeyRecord } from "./credentials.ts";
import { apiKeys, identities, teams } from "./schema.ts";

/** What the admin command does. Rare, so that nothing here is prepared. */
export function createAdminStore(context: StoreContext): AdminStore {
  const { orm, writer, clock } = context;

  const insertKey = ({ identity, ...key }: KeyRecord, tokenHash: Uint8Array) =>
    orm
      .insert(apiKeys)
      .values({ ...key, identityId: identity.id, tokenHash })
      .run();

  return {
    createTeam: (team) =>
      writer.write("essential", () => {
        const inserted = orm
          .insert(teams)
          .values(team)
          .onConflictDoNothing({ target: teams.name })
          .returning({ id: teams.id })
          .all();
        return inserted.length > 0 ? "created" : "name_taken";
      }),
    listTeams: async () => orm.select().from(teams).orderBy(asc(teams.id)).all(),
    createIdentity: ({ teamName: _teamName, ...identity }) =>
      writer.write("essential", () => {
        orm
          .insert(identities)
          .values({ ...identity, scopes: [...identity.scopes] })
          .run();
      }),
    listIdentities: async (teamId) =>
      orm
        .select({ identity: identities, teamName: teams.name })
        .from(identities)
        .innerJoin(teams, eq(identities.teamId, teams.id))
        .where(teamId === undefined ? undefined : eq(identities.teamId, teamId))
        .orderBy(asc(identities.id))
        .all()
        .map((row) => ({ ...row.identity, teamName: row.teamName })),
    disableIdentity: (id) =>
      writer.write("essential", () => {
        orm
          .update(identities)
          .set({ disabledAt: clock.now() })
          .where(and(eq(identities.id, id), isNull(identities.disabledAt)))
          .run();
      }),
    createKey: (key, tokenHash) => writer.write("essential", () => void insertKey(key, tokenHash)),
    listKeys: async (teamId) =>
      selectKeys(context)
        .where(teamId === undefined ? undefined : eq(identities.teamId, teamId))
        .orderBy(asc(apiKeys.id))
        .all()
        .map(toKeyRecord),
    revokeKey: (id) =>
      writer.write("essential", () => {
        orm
          .update(apiKeys)
          .set({ revokedAt: clock.now() })
          .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
          .run();
      }),
    replaceKey: (key, tokenHash, replacedId, replacedExpiresAt) =>
      writer.write("essential", () => {
        insertKey(key, tokenHash);
        orm.update(apiKeys).set({ expiresAt: replacedExpiresAt }).where(eq(apiKeys.id, replacedId)).run();
      }),
  };
}
