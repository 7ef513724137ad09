import { sql } from "drizzle-orm";
import type { StateCount, StatisticsStore } from "../../domain/ports/statistics.ts";
import type { StoreContext } from "./engine/context.ts";
import { requests, secrets } from "./schema.ts";

/** The number of rows to count at once: it takes about half a millisecond, in which no call is served. */
const STEP_ROWS = 1000;
/** The share of time that counting may take. */
const SHARE = 1 / 4;

const TABLES = { secret: secrets, request: requests } as const;

/** The position in an index up to which rows are counted. */
interface Place {
  readonly teamId: string;
  readonly state: StateCount["state"] | "";
  readonly id: string;
}

interface Counted extends Place {
  readonly state: StateCount["state"];
  readonly count: number;
}

/** Counts rows for metrics. Too rare for prepared statements. */
export function createStatistics(context: StoreContext): Omit<StatisticsStore, "findKeyEnds" | "measureStorage"> {
  const { orm } = context;

  /** Counts the next rows after a position, in the order of the index, each with the last ID counted. */
  const countStep = (kind: StateCount["kind"], { teamId, state, id }: Place): Counted[] =>
    orm.all<Counted>(sql`
      SELECT team_id AS teamId, state, count(*) AS count, max(id) AS id
      FROM (
        SELECT team_id, state, id FROM ${TABLES[kind]} WHERE (team_id, state, id) > (${teamId}, ${state}, ${id})
        ORDER BY team_id, state, id LIMIT ${STEP_ROWS}
      )
      GROUP BY team_id, state ORDER BY team_id, state`);

  const countAll = async (kind: StateCount["kind"]): Promise<StateCount[]> => {
    const counts: StateCount[] = [];
    let place: Place = { teamId: "", state: "", id: "" };
    for (;;) {
      const startedAt = performance.now();
      const step = countStep(kind, place);
      for (const { teamId, state, count } of step) counts.push({ kind, teamId, state, count });
      if (step.reduce((sum, { count }) => sum + count, 0) < STEP_ROWS) return merge(counts);
      place = step.at(-1) ?? place;
      await Bun.sleep((performance.now() - startedAt) * (1 / SHARE - 1));
    }
  };

  return {
    countStates: async () => [...(await countAll("secret")), ...(await countAll("request"))],
  };
}

/** Adds up the counts of several steps, for each team and state. */
function merge(counts: readonly StateCount[]): StateCount[] {
  const groups = Map.groupBy(counts, ({ teamId, state }) => `${teamId} ${state}`);
  return [...groups.values()].flatMap(([first, ...rest]) =>
    first ? [{ ...first, count: rest.reduce((sum, { count }) => sum + count, first.count) }] : [],
  );
}
