import { asc, eq, or, sql } from "drizzle-orm";
import type { RequestState, SecretState } from "../../../contract/states.ts";
import type { AdminStore, TeamCounts } from "../../../domain/ports/admin.ts";
import { createAdminLog } from "../admin-log.ts";
import { selectKeys, toKeyRecord } from "../credentials.ts";
import type { StoreContext } from "../engine/context.ts";
import { findIdentities, selectIdentities } from "../identities.ts";
import { apiKeys, identities, installations, requests, secrets, serverSettings, teams } from "../schema.ts";
import { identityOperations } from "./identities.ts";
import { findKey, keyOperations } from "./keys.ts";
import { teamOperations } from "./teams.ts";

/** The part of the store for the admin command. Its calls are rare, so that nothing here is prepared. */
export function createAdminStore(context: StoreContext): AdminStore {
  const { orm } = context;
  const log = createAdminLog(context);
  const run = context.operations.add({
    ...teamOperations(context, log),
    ...identityOperations(context, log),
    ...keyOperations(context, log),
  });
  const findTeamQuota = async () => orm.select().from(serverSettings).get()?.teamQuotaBytes;
  return {
    listAdminLog: log.listAdminLog,
    createTeam: (team) => run("createTeam", team),
    renameTeam: (id, name) => run("renameTeam", { id, name }),
    setTeamQuota: (id, quotaBytes) => run("setTeamQuota", { id, quotaBytes }),
    closeTeam: (id, force) => run("closeTeam", { id, force }),
    emptyTeam: (id) => run("emptyTeam", { id }),
    deleteTeam: (id) => run("deleteTeam", { id }),
    listTeams: async () => orm.select().from(teams).orderBy(asc(teams.id)).all(),
    countTeams: async () => countTeams(context),
    findTeamQuota,
    async findInstallation() {
      const row = orm.select().from(installations).get();
      if (!row) throw new Error("the row that its migration made is gone");
      return row.publicId;
    },
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
    renameIdentity: (id, name) => run("renameIdentity", { id, name }),
    deleteIdentity: (id) => run("deleteIdentity", { id }),
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

function countTeams({ orm, clock }: StoreContext): TeamCounts[] {
  const now = clock.now();
  const count = sql<number>`count(*)`;
  // What is over by time alone has expired, whether or not anybody has written that down.
  const secretState = sql<SecretState>`CASE WHEN ${secrets.state} = 'available' AND ${secrets.expiresAt} <= ${now} THEN 'expired' ELSE ${secrets.state} END`;
  const requestState = sql<RequestState>`CASE WHEN ${requests.state} IN ('open', 'paused') AND ${requests.expiresAt} <= ${now} THEN 'expired' ELSE ${requests.state} END`;
  const ofSecrets = orm
    .select({ teamId: secrets.teamId, state: secretState, count })
    .from(secrets)
    .groupBy(secrets.teamId, secretState)
    .all();
  const ofRequests = orm
    .select({ teamId: requests.teamId, state: requestState, count })
    .from(requests)
    .groupBy(requests.teamId, requestState)
    .all();
  const holders = selectIdentities({ orm }, undefined);
  const keys = selectKeys({ orm }).all();
  return orm
    .select({ id: teams.id })
    .from(teams)
    .orderBy(asc(teams.id))
    .all()
    .map(({ id }) => ({
      teamId: id,
      automations: holders.filter(({ teamId, kind }) => teamId === id && kind === "automation").length,
      people: holders.filter(
        ({ teamId, kind, disabledAt }) => teamId === id && kind === "person" && disabledAt === null,
      ).length,
      keys: keys.filter(
        ({ key, identity }) =>
          identity.teamId === id &&
          identity.disabledAt === null &&
          key.revokedAt === null &&
          (key.expiresAt === null || key.expiresAt > now),
      ).length,
      secrets: Object.fromEntries(ofSecrets.filter(({ teamId }) => teamId === id).map((row) => [row.state, row.count])),
      requests: Object.fromEntries(
        ofRequests.filter(({ teamId }) => teamId === id).map((row) => [row.state, row.count]),
      ),
    }));
}
