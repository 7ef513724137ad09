import { and, desc, eq, gt, gte, inArray, lt, lte, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { isLive, LIVE_STATES } from "../../contract/states.ts";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { ListInput } from "../../domain/ports/lists.ts";
import type { ReadPage } from "../../domain/transactions/stores.ts";
import type { StoreContext } from "./engine/context.ts";
import type { requests, secrets } from "./schema.ts";

type Listed = typeof secrets | typeof requests;
type State = SecretState | RequestState;

/** The maximum number of rows of a creator or ticket that one page reads. */
const MAX_SCANNED_ROWS = 1000;

/**
 * Returns a function that selects one page of `table`, newest first, by the state of a row at the current time: one of
 * `states`, which are all. Its cost is bounded, however many rows there are.
 */
export function createPages<T extends Listed>(
  context: StoreContext,
  table: T,
  states: readonly State[],
): (input: ListInput<State>) => Promise<ReadPage<T["$inferSelect"]>> {
  const { orm } = context.database;
  // Both tables have the columns that a list needs.
  const listed = table as typeof secrets;
  const select = (where: SQL | undefined, limit: number) =>
    orm.select().from(listed).where(where).orderBy(desc(listed.id)).limit(limit);
  const isOverdue = (now: number) => and(inArray(sql`${listed.state}`, LIVE_STATES), lte(listed.expiresAt, now));

  /**
   * The index of a team has its rows by state, each state in list order. One statement reads all states, so that a row
   * whose state changes meanwhile appears exactly once.
   */
  const ofTeam = async ({ teamId, state, before }: Choice, now: number, limit: number) => {
    const condition = and(eq(listed.teamId, teamId), lt(listed.id, before));
    const ofState = (each: State, more?: SQL) => select(and(condition, eq(sql`${listed.state}`, each), more), limit);
    const newest = ([first, second, ...rest]: readonly ReturnType<typeof select>[]) =>
      first && second
        ? unionAll(first, second, ...rest)
            .orderBy(desc(sql`id`))
            .limit(limit)
        : [];
    if (state === undefined) return newest(states.map((each) => ofState(each)));
    if (state !== "expired") return ofState(state, isLive(state) ? gt(listed.expiresAt, now) : undefined);
    // Rows that the sweeper has not processed yet are few, and in the index of due rows.
    return newest([ofState(state), select(and(lte(listed.dueAt, now), isOverdue(now), condition), limit)]);
  };

  /** The index of a creator or ticket has rows in list order, whatever their state. */
  const ofCreatorOrTicket = async (
    { teamId, state, before, createdBy, reference }: Choice,
    now: number,
    limit: number,
  ) => {
    const isIndexed = and(
      reference === undefined ? undefined : and(eq(listed.teamId, teamId), eq(listed.reference, reference)),
      reference === undefined && createdBy !== undefined ? eq(listed.createdBy, createdBy) : undefined,
      lt(listed.id, before),
    );
    const [last] = await select(isIndexed, 1).offset(MAX_SCANNED_ROWS - 1);
    const rows = await select(
      and(
        isIndexed,
        last && gte(listed.id, last.id),
        eq(listed.teamId, teamId),
        createdBy === undefined ? undefined : eq(listed.createdBy, createdBy),
        state === undefined ? undefined : isIn(state, now),
      ),
      limit,
    );
    return { rows, end: last?.id ?? null };
  };
  const isIn = (state: State, now: number): SQL | undefined => {
    const isStored = eq(sql`${listed.state}`, state);
    if (isLive(state)) return and(isStored, gt(listed.expiresAt, now));
    return state === "expired" ? or(isStored, isOverdue(now)) : isStored;
  };

  return async ({ limit, before = LAST, ...input }) => {
    const now = await raiseClock(context);
    const choice = { ...input, before };
    // One extra row tells whether there is a next page.
    const isOfTeam = input.createdBy === undefined && input.reference === undefined;
    const { rows, end } = isOfTeam
      ? { rows: await ofTeam(choice, now, limit + 1), end: null }
      : await ofCreatorOrTicket(choice, now, limit + 1);
    const page = rows.slice(0, limit) as T["$inferSelect"][];
    return { rows: page, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : end, now };
  };
}

/** Sorts after every ID. */
const LAST = "~";

interface Choice extends Omit<ListInput<State>, "limit"> {
  readonly before: string;
}

/** Raises the clock to the latest time that the database has seen, and returns the clock's time. */
export async function raiseClock({ database, clock }: Pick<StoreContext, "database" | "clock">): Promise<number> {
  const [row] = await database.read("SELECT latest_at FROM clocks");
  clock.raise(Number(row?.["latest_at"]));
  return clock.now();
}

/** Ensures that the time never falls below `epochMs` again, which is past. */
export async function keepTime({ database, writer }: StoreContext, epochMs: number): Promise<void> {
  const [row] = await database.read("SELECT latest_at FROM clocks");
  // A repeated read of an expired row writes nothing. Every transaction stores the time.
  if (Number(row?.["latest_at"]) < epochMs) await writer.write({}, () => undefined);
}
