import { eq, sql } from "drizzle-orm";
import type { CredentialStore, FoundKey } from "../../domain/ports/credentials.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import { createUses } from "../administration/uses.ts";
import type { StoreContext } from "./engine/context.ts";
import { named, prepare } from "./prepared.ts";
import { apiKeys, identities, teams } from "./schema.ts";

/**
 * Prepares the search for a key by the hash of its token: while a server writes, keys are read again after every
 * commit.
 */
function prepareFindKey(context: StoreContext): (hash: Uint8Array) => FoundKey | undefined {
  const statement = prepare(context, () =>
    context.orm
      .select(
        named({
          id: apiKeys.id,
          name: apiKeys.name,
          hint: apiKeys.hint,
          createdAt: apiKeys.createdAt,
          expiresAt: apiKeys.expiresAt,
          revokedAt: apiKeys.revokedAt,
          lastUsedAt: apiKeys.lastUsedAt,
          exposedAt: apiKeys.exposedAt,
          successorId: apiKeys.successorId,
          networks: apiKeys.networks,
          identityId: identities.id,
          kind: identities.kind,
          identityName: identities.name,
          scopes: sql<string>`${identities.scopes}`,
          identityCreatedAt: identities.createdAt,
          disabledAt: identities.disabledAt,
          teamId: teams.id,
          teamName: teams.name,
          teamRules: sql<string | null>`${teams.rules}`,
        }),
      )
      .from(apiKeys)
      .innerJoin(identities, eq(apiKeys.identityId, identities.id))
      .innerJoin(teams, eq(identities.teamId, teams.id))
      .where(eq(apiKeys.tokenHash, sql.placeholder("hash"))),
  );
  return (hash) => {
    const row = statement.get({ hash });
    if (!row) return undefined;
    const {
      identityId,
      kind,
      identityName,
      scopes,
      identityCreatedAt,
      disabledAt,
      teamId,
      teamName,
      teamRules,
      ...key
    } = row;
    const identity = {
      id: identityId,
      kind,
      teamId,
      teamName,
      name: identityName,
      personName: null,
      scopes: identities.scopes.mapFromDriverValue(scopes) as IdentityRecord["scopes"],
      createdAt: identityCreatedAt,
      disabledAt,
    };
    const rules = teamRules === null ? null : (teams.rules.mapFromDriverValue(teamRules) as FoundKey["teamRules"]);
    return { ...key, identity, teamRules: rules };
  };
}

type Credentials = Pick<CredentialStore, "keepTime" | "findKeyByHash" | "recordKeyUse" | "findTeamUsage">;

export function createCredentialStore(context: StoreContext): Credentials {
  const { orm, knownKeys } = context;
  const p = sql.placeholder;
  const findKey = prepareFindKey(context);
  const setLastUsed = orm
    .update(apiKeys)
    .set({ lastUsedAt: sql`${p("at")}` })
    .where(eq(apiKeys.id, p("id")))
    .prepare();
  const run = context.operations.add({
    recordKeyUse: {
      kind: "essential",
      run(_effects: unknown, use: { readonly id: string; readonly at: number }) {
        setLastUsed.run({ ...use });
      },
    },
  });

  return {
    keepTime: context.keepTime,
    async findKeyByHash(hash) {
      return knownKeys.find(hash, () => findKey(hash));
    },
    recordKeyUse: createUses(context, "key_use", (use) => run("recordKeyUse", use)),
    findTeamUsage: async (teamId) => context.storedBytes.of(teamId),
  };
}
