import type { StateCount, StatisticsStore } from "../../domain/ports/statistics.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Database } from "./engine/database.ts";

/** Counts rows and bytes for metrics. */
export function createStatistics(context: StoreContext): Omit<StatisticsStore, "findKeyEnds"> {
  const { database, writer } = context;
  return {
    async countStates() {
      return [...(await countRows(database, "secret")), ...(await countRows(database, "request"))];
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
  };
}

/** The maximum number of rows to count one by one. In a larger table, pages with about as many rows are sampled. */
const MAX_COUNTED_ROWS = 1_000_000;

/** Counts rows by team and state. In a large table, the same pages are sampled each time. */
async function countRows(database: Database, kind: StateCount["kind"]): Promise<StateCount[]> {
  const table = `${kind}s`;
  const [found] = await database.read("SELECT reltuples FROM pg_class WHERE oid = to_regclass($1)", [table]);
  // PostgreSQL has estimated the size of every table that is large enough to be sampled.
  const share = Math.min(1, MAX_COUNTED_ROWS / Math.max(1, Number(found?.["reltuples"])));
  const sample = share < 1 ? `TABLESAMPLE SYSTEM (${share * 100}) REPEATABLE (1)` : "";
  const rows = await database.read(
    `SELECT team_id, state, count(*) AS count FROM ${table} ${sample} GROUP BY team_id, state`,
  );
  return rows.map((row) => ({
    kind,
    teamId: String(row["team_id"]),
    state: row["state"] as StateCount["state"],
    count: Math.round(Number(row["count"]) / share),
  }));
}

/** The milliseconds since the oldest erasure whose data may still be in the files of the halves; 0 without one. */
async function measureBehind({ database, clock }: StoreContext): Promise<number> {
  const [row] = await database.read(
    `SELECT CASE pg_relation_size(('ciphertexts_' || 1 - filled)::regclass) + pg_relation_size(('request_notes_' || 1 - filled)::regclass)
       WHEN 0 THEN erased_at ELSE coalesce(former_erased_at, erased_at) END AS erased_at FROM halves`,
  );
  const erasedAt = row?.["erased_at"] ?? null;
  return erasedAt === null ? 0 : Math.max(0, clock.now() - Number(erasedAt));
}
