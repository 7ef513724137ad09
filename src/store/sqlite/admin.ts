import { and, asc, eq, isNull, or } from "drizzle-orm";
import type { Scope } from "../../contract/scopes.ts";
import { holderOf } from "../../domain/identities.ts";
import type { AdminStore } from "../../domain/ports/admin.ts";
import type { IdentityRecord, KeyRecord, TeamRecord } from "../../domain/ports/identities.ts";
import { selectKeys, toKeyRecord } from "./credentials.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import { findIdentities, insertIdentity, selectIdentities } from "./identities.ts";
import { apiKeys, identities, personTokens, serverSettings, teams } from "./schema.ts";

/** The part of the store for the admin command. Its calls are rare, so that nothing here is prepared. */
export function createAdminStore(context: StoreContext): AdminStore {
  const { orm } = context;
  const run = context.operations.add({ ...teamOperations(context), ...keyOperations(context) });
  const findTeamQuota = async () => orm.select().from(serverSettings).get()?.teamQuotaBytes;
  return {
    createTeam: (team) => run("createTeam", team),
    listTeams: async () => orm.select().from(teams).orderBy(asc(teams.id)).all(),
    findTeamQuota,
    async keepTeamQuota(bytes) {
      // A server that starts as it did before writes nothing.
      if ((await findTeamQuota()) !== bytes) await run("keepTeamQuota", bytes);
    },
    createIdentity: (identity) => run("createIdentity", identity),
    findTeam: async (nameOrId) =>
      orm
        .select()
        .from(teams)
        .where(or(eq(teams.id, nameOrId), eq(teams.name, nameOrId)))
        .get(),
    listIdentities: async (teamId) => selectIdentities(context, inTeam(teamId)),
    findIdentities: async (nameOrId, teamId) => findIdentities(context, nameOrId, teamId),
    disableIdentity: (id) => run("disableIdentity", { id }),
    enableIdentity: (id) => run("enableIdentity", { id }),
    setScopes: (id, scopes) => run("setScopes", { id, scopes }),
    createKey: (key, tokenHash) => run("createKey", { key, tokenHash }),
    listKeys: async (teamId) =>
      selectKeys(context).where(inTeam(teamId)).orderBy(asc(apiKeys.id)).all().map(toKeyRecord),
    findKey: async (id) => findKey(context, id),
    revokeKey: (id) => run("revokeKey", { id }),
    replaceKey: (key, tokenHash, replacedId, replacedExpiresAt) =>
      run("replaceKey", { key, tokenHash, replacedId, replacedExpiresAt }),
    restoreKey: (id, replacedId, replacedExpiresAt) => run("restoreKey", { id, replacedId, replacedExpiresAt }),
  };
}

function inTeam(teamId: string | undefined) {
  return teamId === undefined ? undefined : eq(identities.teamId, teamId);
}

function findKey(context: StoreContext, id: string): KeyRecord | undefined {
  const row = selectKeys(context).where(eq(apiKeys.id, id)).get();
  return row && toKeyRecord(row);
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
  const find = (id: string): IdentityRecord | undefined => selectIdentities(context, eq(identities.id, id))[0];
  return {
    keepTeamQuota: {
      kind: "essential",
      run(_tx: Transaction, teamQuotaBytes: number): void {
        const target = serverSettings.id;
        orm
          .insert(serverSettings)
          .values({ id: 1, teamQuotaBytes })
          .onConflictDoUpdate({ target, set: { teamQuotaBytes } })
          .run();
      },
    } as const,
    createTeam: changesKeys(context, (team: TeamRecord): "created" | "name_taken" => {
      const inserted = orm
        .insert(teams)
        .values(team)
        .onConflictDoNothing({ target: teams.name })
        .returning({ id: teams.id })
        .all();
      return inserted.length > 0 ? "created" : "name_taken";
    }),
    createIdentity: changesKeys(context, (identity: IdentityRecord) =>
      insertIdentity(context, identity) ? "created" : "name_taken",
    ),
    disableIdentity: changesKeys(context, ({ id }: { readonly id: string }) => {
      orm
        .update(identities)
        .set({ disabledAt: clock.now() })
        .where(and(eq(identities.id, id), isNull(identities.disabledAt)))
        .run();
      orm.delete(personTokens).where(eq(personTokens.identityId, id)).run();
      return find(id);
    }),
    enableIdentity: changesKeys(context, ({ id }: { readonly id: string }) => {
      orm.update(identities).set({ disabledAt: null }).where(eq(identities.id, id)).run();
      return find(id);
    }),
    setScopes: changesKeys(context, ({ id, scopes }: { readonly id: string; readonly scopes: readonly Scope[] }) => {
      orm
        .update(identities)
        .set({ scopes: [...scopes] })
        .where(eq(identities.id, id))
        .run();
      return find(id);
    }),
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
    createKey: changesKeys(context, ({ key, tokenHash }: NewKey): KeyRecord => {
      const [known] = findIdentities(context, key.identity.name, key.identity.teamId);
      const identity = holderOf(known, key.identity);
      if (!known) insertIdentity(context, identity);
      insertKey({ key: { ...key, identity }, tokenHash });
      return { ...key, identity };
    }),
    revokeKey: changesKeys(context, ({ id }: { readonly id: string }) => {
      orm
        .update(apiKeys)
        .set({ revokedAt: clock.now() })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
        .run();
      return findKey(context, id);
    }),
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
