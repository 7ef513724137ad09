import { and, desc, eq, gt, gte, inArray, lt, lte, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isLive, LIVE_STATES } from "../../contract/states.ts";
import type { RequestState, SecretState } from "../../contract/states.ts";
import type { ListInput } from "../../domain/ports/lists.ts";
import type { ReadPage } from "../../domain/transactions/stores.ts";
import type { StoreContext } from "./engine/context.ts";
import { columnsOf, named, prepare } from "./prepared.ts";
import type { Statement } from "./prepared.ts";
import type { requests, secrets } from "./schema.ts";

type Listed = typeof secrets | typeof requests;
type Row = Listed["$inferSelect"];
type State = SecretState | RequestState;
type Context = Pick<StoreContext, "orm">;

// These sort before and after every id.
const [FIRST, LAST] = ["", "~"];

/**
 * The maximum number of rows of a creator, or about a ticket, that one page reads. An index by creator and state would
 * make a claim a sixth more expensive.
 */
const MOST_LOOKED_AT = 1000;

const p = sql.placeholder;

/**
 * Returns a function that selects one page of `table`, newest first, by the state of a row at the current time: one of
 * `states`, which are all. Its cost is bounded, however many rows there are.
 */
export function createPages<T extends Listed>(
  context: Context & Pick<StoreContext, "clock">,
  table: T,
  states: readonly State[],
): (input: ListInput<State>) => ReadPage<T["$inferSelect"]> {
  const prepared = new Map<string, Statement<Row>>();
  const isOfTeam = eq(apart(table.teamId), p("teamId"));
  const isOfCreator = eq(table.createdBy, p("createdBy"));
  const isAbout = [eq(table.teamId, p("teamId")), eq(table.reference, p("reference"))];
  // Except for a team's pages, rows are read in the order of an index, whatever their state.
  const conditions = {
    creator: [isOfCreator, isOfTeam],
    reference: isAbout,
    "reference of a creator": [...isAbout, eq(apart(table.createdBy), p("createdBy"))],
  };
  const ofCreator = prepareLookAhead(context, table, [isOfCreator]);
  const about = prepareLookAhead(context, table, isAbout);
  const pageOf = (choice: Choice, state: State | undefined) => {
    const selects = () =>
      choice === "team"
        ? selectsOfTeam(context, table, states, state)
        : [selectInOrder(context, table, state, conditions[choice])];
    const page = prepared.get(`${choice} ${state}`) ?? prepareNewest(context, selects());
    prepared.set(`${choice} ${state}`, page);
    return page;
  };
  return ({ teamId, createdBy = null, reference = null, state, limit, before = LAST }) => {
    const now = context.clock.now();
    const choice = choiceOf(createdBy, reference);
    const page = pageOf(choice, state);
    const of = { teamId, createdBy, reference, before };
    const isAllOf = choice === "team" || (state === undefined && choice !== "reference of a creator");
    const end = isAllOf ? null : choice === "creator" ? ofCreator(of) : about(of);
    // One more row than is shown tells whether there is a next page.
    const rows = page.all({ ...of, end: end ?? FIRST, now, limit: limit + 1 });
    const shown = rows.slice(0, limit) as T["$inferSelect"][];
    return { rows: shown, nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : end, now };
  };
}

/** The rows of a page: a team's, or some of them. */
type Choice = "team" | "creator" | "reference" | "reference of a creator";

function choiceOf(createdBy: string | null, reference: string | null): Choice {
  if (reference === null) return createdBy === null ? "team" : "creator";
  return createdBy === null ? "reference" : "reference of a creator";
}

/** A team's index has the rows by state, each in the order of the list. SQLite merges those of several states. */
function selectsOfTeam(context: Context, table: Listed, states: readonly State[], state: State | undefined): Select[] {
  const ofState = (each: State, condition?: SQL) =>
    selectRows(context, table, [eq(table.teamId, p("teamId")), eq(sql`${table.state}`, each), condition]);
  if (state === undefined) return states.map((each) => ofState(each));
  if (state === "expired") return [ofState(state), selectOverdue(context, table)];
  return [ofState(state, isLive(state) ? gt(table.expiresAt, p("now")) : undefined)];
}

/** The index of a creator or a ticket has the rows in the order of the list, whatever their state. */
function selectInOrder(context: Context, table: Listed, state: State | undefined, conditions: readonly SQL[]): Select {
  const isIn = (one: State) => {
    const isStored = eq(sql`${table.state}`, one);
    if (isLive(one)) return and(isStored, gt(table.expiresAt, p("now")));
    return one === "expired" ? or(isStored, isOverdue(table)) : isStored;
  };
  return selectRows(context, table, [
    ...conditions,
    gte(table.id, p("end")),
    state === undefined ? undefined : isIn(state),
  ]);
}

/** The rows that the sweeper hasn't reached yet. They are few, and found by the index of due times. */
function selectOverdue(context: Context, table: Listed): Select {
  const isInTeam = eq(apart(table.teamId), p("teamId"));
  return selectRows(context, table, [lte(table.dueAt, p("now")), isOverdue(table), isInTeam], apart(table.id));
}

function isOverdue(table: Listed) {
  return and(inArray(apart(table.state), LIVE_STATES), lte(table.expiresAt, p("now")));
}

/** A column to compare in the rows, not by its index: SQLite can't know that another index leaves fewer of them. */
function apart(column: SQLiteColumn): SQL {
  return sql`+${column}`;
}

function selectRows({ orm }: Context, table: Listed, conditions: readonly (SQL | undefined)[], id = sql`${table.id}`) {
  return orm
    .select({ ...columnsOf<Listed>(table), id: id.as("id") })
    .from<Listed>(table)
    .where(and(...conditions, lt(id, p("before"))));
}

type Select = ReturnType<typeof selectRows>;

/** Prepares a statement for the newest of all rows that `selects` select. */
function prepareNewest(context: Context, selects: readonly Select[]): Statement<Row> {
  const all = selects.reduce((merged, each) => merged.unionAll(each) as unknown as Select);
  return prepare(context, () => all.orderBy(desc(sql`id`)).limit(p("limit"))) as unknown as Statement<Row>;
}

/**
 * Returns a function that finds the last row that a page reads, among those that meet `conditions`; null when it reads
 * all.
 */
function prepareLookAhead(
  context: Context,
  table: Listed,
  conditions: readonly SQL[],
): (input: LookAhead) => string | null {
  const { orm } = context;
  const ids = prepare(context, () =>
    orm
      .select(named({ id: table.id }))
      .from<Listed>(table)
      .where(and(...conditions, lt(table.id, p("before"))))
      .orderBy(desc(table.id))
      .limit(2)
      .offset(MOST_LOOKED_AT - 1),
  );
  return (input) => {
    const [last, beyond] = ids.all({ ...input });
    return last && beyond ? last.id : null;
  };
}

interface LookAhead {
  readonly teamId: string;
  readonly createdBy: string | null;
  readonly reference: string | null;
  readonly before: string;
}
