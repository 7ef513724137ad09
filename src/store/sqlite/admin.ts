import { and, asc, eq, isNull } from "drizzle-orm";
import type { Scope } from "../../contract/scopes.ts";
import type { AdminStore, IdentityRecord, KeyRecord, TeamRecord } from "../../domain/identity-ports.ts";
import { selectKeys, toKeyRecord } from "./credentials.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import { apiKeys, personTokens, identities, teams } from "./schema.ts";

/** What the admin command does. Rare, so that nothing here is prepared. */
export function createAdminStore(context: StoreContext): AdminStore {
  const { orm } = context;
  const run = context.operations.add({ ...teamOperations(context), ...keyOperations(context) });
  return {
    createTeam: (team) => run("createTeam", team),
    listTeams: async () => orm.select().from(teams).orderBy(asc(teams.id)).all(),
    createIdentity: (identity) => run("createIdentity", identity),
    listIdentities: async (teamId) =>
      orm
        .select({ identity: identities, teamName: teams.name })
        .from(identities)
        .innerJoin(teams, eq(identities.teamId, teams.id))
        .where(teamId === undefined ? undefined : eq(identities.teamId, teamId))
        .orderBy(asc(identities.id))
        .all()
        .map((row) => ({ ...row.identity, teamName: row.teamName })),
    disableIdentity: (id) => run("disableIdentity", { id }),
    enableIdentity: (id) => run("enableIdentity", { id }),
    setScopes: (id, scopes) => run("setScopes", { id, scopes }),
    createKey: (key, tokenHash) => run("createKey", { key, tokenHash }),
    listKeys: async (teamId) =>
      selectKeys(context)
        .where(teamId === undefined ? undefined : eq(identities.teamId, teamId))
        .orderBy(asc(apiKeys.id))
        .all()
        .map(toKeyRecord),
    revokeKey: (id) => run("revokeKey", { id }),
    replaceKey: (key, tokenHash, replacedId, replacedExpiresAt) =>
      run("replaceKey", { key, tokenHash, replacedId, replacedExpiresAt }),
    restoreKey: (id, replacedId, replacedExpiresAt) => run("restoreKey", { id, replacedId, replacedExpiresAt }),
  };
}

/** An operation after which no key is known any more. */
function changesKeys<Input, Output>({ knownKeys }: StoreContext, change: (input: Input) => Output) {
  return {
    kind: "essential",
    run(_tx: Transaction, input: Input): Output {
      knownKeys.forget();
      return change(input);
    },
  } as const;
}

function teamOperations(context: StoreContext) {
  const { orm, clock } = context;
  return {
    createTeam: changesKeys(context, (team: TeamRecord): "created" | "name_taken" => {
      const inserted = orm
        .insert(teams)
        .values(team)
        .onConflictDoNothing({ target: teams.name })
        .returning({ id: teams.id })
        .all();
      return inserted.length > 0 ? "created" : "name_taken";
    }),
    createIdentity: changesKeys(
      context,
      ({ teamName: _teamName, ...identity }: IdentityRecord): "created" | "name_taken" => {
        const inserted = orm
          .insert(identities)
          .values({ ...identity, scopes: [...identity.scopes] })
          .onConflictDoNothing({ target: [identities.teamId, identities.name] })
          .returning({ id: identities.id })
          .all();
        return inserted.length > 0 ? "created" : "name_taken";
      },
    ),
    disableIdentity: changesKeys(context, ({ id }: { readonly id: string }) => {
      orm
        .update(identities)
        .set({ disabledAt: clock.now() })
        .where(and(eq(identities.id, id), isNull(identities.disabledAt)))
        .run();
      orm.delete(personTokens).where(eq(personTokens.identityId, id)).run();
    }),
    enableIdentity: changesKeys(
      context,
      ({ id }: { readonly id: string }) =>
        void orm.update(identities).set({ disabledAt: null }).where(eq(identities.id, id)).run(),
    ),
    setScopes: changesKeys(
      context,
      ({ id, scopes }: { readonly id: string; readonly scopes: readonly Scope[] }) =>
        void orm
          .update(identities)
          .set({ scopes: [...scopes] })
          .where(eq(identities.id, id))
          .run(),
    ),
  };
}

interface NewKey {
  readonly key: KeyRecord;
  readonly tokenHash: Uint8Array;
}

function keyOperations(context: StoreContext) {
  const { orm, clock } = context;

  const insertKey = ({ key: { identity, ...key }, tokenHash }: NewKey) =>
    void orm
      .insert(apiKeys)
      .values({ ...key, identityId: identity.id, tokenHash })
      .run();

  return {
    createKey: changesKeys(context, insertKey),
    revokeKey: changesKeys(
      context,
      ({ id }: { readonly id: string }) =>
        void orm
          .update(apiKeys)
          .set({ revokedAt: clock.now() })
          .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
          .run(),
    ),
    replaceKey: changesKeys(
      context,
      (input: NewKey & { readonly replacedId: string; readonly replacedExpiresAt: number }) => {
        const { key, replacedId, replacedExpiresAt } = input;
        const replaced = orm
          .update(apiKeys)
          .set({ expiresAt: replacedExpiresAt, successorId: key.id })
          .where(and(eq(apiKeys.id, replacedId), isNull(apiKeys.successorId), isNull(apiKeys.revokedAt)))
          .returning({ id: apiKeys.id })
          .all();
        if (replaced.length > 0) insertKey(input);
        return replaced.length > 0;
      },
    ),
    restoreKey: changesKeys(
      context,
      (input: { readonly id: string; readonly replacedId: string; readonly replacedExpiresAt: number | null }) => {
        const { id, replacedId, replacedExpiresAt } = input;
        orm.update(apiKeys).set({ revokedAt: clock.now() }).where(eq(apiKeys.id, id)).run();
        orm
          .update(apiKeys)
          .set({ expiresAt: replacedExpiresAt, successorId: null })
          .where(and(eq(apiKeys.id, replacedId), eq(apiKeys.successorId, id)))
          .run();
      },
    ),
  };
}
