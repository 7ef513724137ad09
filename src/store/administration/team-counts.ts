import { asc, count, inArray, lte, sql } from "drizzle-orm";
import { LIVE_STATES } from "../../contract/states.ts";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { TeamCounts } from "../../domain/ports/admin.ts";
import { selectIdentities } from "./identities.ts";
import { selectKeys } from "./keys.ts";
import type { Tables } from "./tables.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ReadContext, Work } from "./work.ts";

export function* countTeams(context: ReadContext): Work<TeamCounts[]> {
  const { teams } = context.tables;
  const now = yield* timeOf(context);
  const secrets = yield* countStates<SecretState>(context, context.tables.secrets, now);
  const requests = yield* countStates<RequestState>(context, context.tables.requests, now);
  const holders = yield* selectIdentities(context, undefined);
  const keys = yield* selectKeys(context, undefined);
  const all = yield* rowsOf(context.orm.select({ id: teams.id }).from(teams).orderBy(asc(teams.id)));
  return all.map(({ id }) => {
    const own = holders.filter(({ teamId }) => teamId === id);
    const isValid = ({ identity, revokedAt, expiresAt }: (typeof keys)[number]) =>
      identity.disabledAt === null && revokedAt === null && (expiresAt === null || expiresAt > now);
    return {
      teamId: id,
      automations: own.filter(({ kind }) => kind === "automation").length,
      people: own.filter(({ kind, disabledAt }) => kind === "person" && disabledAt === null).length,
      keys: keys.filter((key) => key.identity.teamId === id && isValid(key)).length,
      secrets: statesOf(secrets, id),
      requests: statesOf(requests, id),
    };
  });
}

interface Counted<State> {
  readonly teamId: string;
  readonly state: State;
  readonly count: number;
}

/** Counts rows by team and state. An overdue live row counts as expired, although its state isn't updated yet. */
function countStates<State extends string>(
  { orm }: ReadContext,
  counted: Tables["secrets"] | Tables["requests"],
  now: number,
): Work<Counted<State>[]> {
  const table = counted as Tables["secrets"];
  const { teamId, expiresAt } = table;
  const isOver = sql`${inArray(sql`${table.state}`, LIVE_STATES)} AND ${lte(expiresAt, now)}`;
  const state = sql<State>`CASE WHEN ${isOver} THEN 'expired' ELSE ${table.state} END`.as("seen");
  return rowsOf(
    orm
      .select({ teamId, state, count: count() })
      .from(table)
      .groupBy(teamId, sql`seen`),
  ) as never;
}

function statesOf<State extends string>(
  counted: readonly Counted<State>[],
  id: string,
): Readonly<Partial<Record<State, number>>> {
  const own = counted.filter(({ teamId }) => teamId === id);
  return Object.fromEntries(own.map((row) => [row.state, row.count])) as Partial<Record<State, number>>;
}
