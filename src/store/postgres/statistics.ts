import { and, count, eq, gt, isNull, lte, min, sql } from "drizzle-orm";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { AdminStore } from "../../domain/ports/admin.ts";
import type { KeyEnd, StatisticsStore } from "../../domain/ports/statistics.ts";
import { selectKeys } from "./credentials.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Database } from "./engine/database.ts";
import { selectIdentities } from "./identities.ts";
import { raiseClock } from "./lists.ts";
import { apiKeys, identities, requests, secrets, teams } from "./schema.ts";

/** The part of the store that counts. */
export function createStatistics(context: StoreContext): StatisticsStore & Pick<AdminStore, "countTeams"> {
  const { database, writer } = context;
  const { orm } = database;
  return {
    async countStates() {
      const ofSecrets = await countRows(database, "secrets");
      const ofRequests = await countRows(database, "requests");
      return [
        ...ofSecrets.map((each) => ({ ...each, kind: "secret" as const, state: each.state as SecretState })),
        ...ofRequests.map((each) => ({ ...each, kind: "request" as const, state: each.state as RequestState })),
      ];
    },
    async findKeyEnds() {
      const isInForce = and(
        gt(apiKeys.expiresAt, await raiseClock(context)),
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.successorId),
        isNull(identities.disabledAt),
      );
      const ends = await orm
        .select({ teamId: identities.teamId, expiresAt: min(apiKeys.expiresAt) })
        .from(apiKeys)
        .innerJoin(identities, eq(apiKeys.identityId, identities.id))
        .where(isInForce)
        .groupBy(identities.teamId);
      return ends.flatMap(({ teamId, expiresAt }): KeyEnd[] => (expiresAt === null ? [] : [{ teamId, expiresAt }]));
    },
    async measureStorage() {
      const [[row], erasingBehindMs] = await Promise.all([
        database.read("SELECT pg_database_size(current_database()) AS bytes"),
        measureBehind(context),
      ]);
      return {
        databaseBytes: Number(row?.["bytes"]),
        logBytes: undefined,
        freeBytes: undefined,
        reserveBytes: undefined,
        wantedReserveBytes: undefined,
        erasingBehindMs,
        writes: writer.count(),
      };
    },
    countTeams: () => countTeams(context),
  };
}

/** The most rows that are counted one by one: in more, as many pages are looked at as hold about so many. */
const MOST_COUNTED = 1_000_000;

/** The numbers of rows by team and state; of many rows always the same pages are looked at. */
async function countRows(database: Database, table: "secrets" | "requests") {
  const [found] = await database.read("SELECT reltuples FROM pg_class WHERE oid = to_regclass($1)", [table]);
  // Once it is so large, PostgreSQL has estimated it.
  const share = Math.min(1, MOST_COUNTED / Math.max(1, Number(found?.["reltuples"])));
  const sample = share < 1 ? `TABLESAMPLE SYSTEM (${share * 100}) REPEATABLE (1)` : "";
  const rows = await database.read(
    `SELECT team_id, state, count(*) AS count FROM ${table} ${sample} GROUP BY team_id, state`,
  );
  return rows.map((row) => ({
    teamId: String(row["team_id"]),
    state: String(row["state"]),
    count: Math.round(Number(row["count"]) / share),
  }));
}

/** The time in milliseconds since the oldest erasure of which the files of the halved tables may have something; 0 when there is none. */
async function measureBehind({ database, clock }: StoreContext): Promise<number> {
  const [row] = await database.read(
    `SELECT CASE pg_relation_size(('ciphertexts_' || 1 - filled)::regclass) + pg_relation_size(('request_notes_' || 1 - filled)::regclass)
       WHEN 0 THEN erased_at ELSE coalesce(former_erased_at, erased_at) END AS erased_at FROM halves`,
  );
  const erasedAt = row?.["erased_at"] ?? null;
  return erasedAt === null ? 0 : Math.max(0, clock.now() - Number(erasedAt));
}

async function countTeams(context: StoreContext) {
  const { orm } = context.database;
  const now = await raiseClock(context);
  // What is over by time alone has expired, whether or not anybody has written that down.
  const isOver = (
    live: string[],
    state: typeof secrets.state | typeof requests.state,
    expiresAt: typeof secrets.expiresAt | typeof requests.expiresAt,
  ) =>
    sql`CASE WHEN ${and(
      sql`${state} IN (${sql.join(
        live.map((each) => sql`${each}`),
        sql`, `,
      )})`,
      lte(expiresAt, now),
    )} THEN 'expired' ELSE ${state} END`;
  const secretState = isOver(["available"], secrets.state, secrets.expiresAt).mapWith((state: SecretState) => state);
  const requestState = isOver(["open", "paused"], requests.state, requests.expiresAt).mapWith(
    (state: RequestState) => state,
  );
  const ofSecrets = await orm
    .select({ teamId: secrets.teamId, state: secretState.as("seen"), count: count() })
    .from(secrets)
    .groupBy(secrets.teamId, sql`seen`);
  const ofRequests = await orm
    .select({ teamId: requests.teamId, state: requestState.as("seen"), count: count() })
    .from(requests)
    .groupBy(requests.teamId, sql`seen`);
  const [holders, keys] = [await selectIdentities(orm, undefined), await selectKeys(orm, undefined)];
  const all = await orm.select({ id: teams.id }).from(teams).orderBy(teams.id);
  return all.map(({ id }) => {
    const own = holders.filter(({ teamId }) => teamId === id);
    return {
      teamId: id,
      automations: own.filter(({ kind }) => kind === "automation").length,
      people: own.filter(({ kind, disabledAt }) => kind === "person" && disabledAt === null).length,
      keys: keys.filter(
        ({ identity, revokedAt, expiresAt }) =>
          identity.teamId === id &&
          identity.disabledAt === null &&
          revokedAt === null &&
          (expiresAt === null || expiresAt > now),
      ).length,
      secrets: Object.fromEntries(ofSecrets.filter(({ teamId }) => teamId === id).map((row) => [row.state, row.count])),
      requests: Object.fromEntries(
        ofRequests.filter(({ teamId }) => teamId === id).map((row) => [row.state, row.count]),
      ),
    };
  });
}
