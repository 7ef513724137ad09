import { and, asc, eq, isNull } from "drizzle-orm";
import type { AdminStore, KeyRecord } from "../../domain/identity-ports.ts";
import { selectKeys, toKeyRecord } from "./credentials.ts";
import type { StoreContext } from "./engine/context.ts";
import { apiKeys, personTokens, identities, teams } from "./schema.ts";

/** What the admin command does. Rare, so that nothing here is prepared. */
export function createAdminStore(context: StoreContext): AdminStore {
  const { orm, clock } = context;

  const insertKey = ({ identity, ...key }: KeyRecord, tokenHash: Uint8Array) =>
    orm
      .insert(apiKeys)
      .values({ ...key, identityId: identity.id, tokenHash })
      .run();

  const write = <T>(operation: () => T) =>
    context.writer.write("essential", () => {
      context.knownKeys.forget();
      return operation();
    });

  return {
    createTeam: (team) =>
      write(() => {
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
      write(() => {
        const inserted = orm
          .insert(identities)
          .values({ ...identity, scopes: [...identity.scopes] })
          .onConflictDoNothing({ target: [identities.teamId, identities.name] })
          .returning({ id: identities.id })
          .all();
        return inserted.length > 0 ? "created" : "name_taken";
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
      write(() => {
        orm
          .update(identities)
          .set({ disabledAt: clock.now() })
          .where(and(eq(identities.id, id), isNull(identities.disabledAt)))
          .run();
        orm.delete(personTokens).where(eq(personTokens.identityId, id)).run();
      }),
    enableIdentity: (id) =>
      write(() => void orm.update(identities).set({ disabledAt: null }).where(eq(identities.id, id)).run()),
    setScopes: (id, scopes) =>
      write(
        () =>
          void orm
            .update(identities)
            .set({ scopes: [...scopes] })
            .where(eq(identities.id, id))
            .run(),
      ),
    createKey: (key, tokenHash) => write(() => void insertKey(key, tokenHash)),
    listKeys: async (teamId) =>
      selectKeys(context)
        .where(teamId === undefined ? undefined : eq(identities.teamId, teamId))
        .orderBy(asc(apiKeys.id))
        .all()
        .map(toKeyRecord),
    revokeKey: (id) =>
      write(() => {
        orm
          .update(apiKeys)
          .set({ revokedAt: clock.now() })
          .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
          .run();
      }),
    replaceKey: (key, tokenHash, replacedId, replacedExpiresAt) =>
      write(() => {
        const replaced = orm
          .update(apiKeys)
          .set({ expiresAt: replacedExpiresAt, successorId: key.id })
          .where(and(eq(apiKeys.id, replacedId), isNull(apiKeys.successorId), isNull(apiKeys.revokedAt)))
          .returning({ id: apiKeys.id })
          .all();
        if (replaced.length > 0) insertKey(key, tokenHash);
        return replaced.length > 0;
      }),
  };
}
