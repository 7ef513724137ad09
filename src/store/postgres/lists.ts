import { and, desc, eq, gt, inArray, lt, lte, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ListInput } from "../../domain/ports/lists.ts";
import type { StoreContext } from "./engine/context.ts";
import type { requests, secrets } from "./schema.ts";

type Listed = typeof secrets | typeof requests;

/** One page of rows, newest first. */
interface RowPage<T extends Listed> {
  readonly rows: readonly T["$inferSelect"][];
  readonly nextCursor: string | null;
}

/** Returns what selects one page of `table`, newest first, by the states that rows have at the time. */
export function createPages<T extends Listed>(
  context: StoreContext,
  table: T,
  { live }: { readonly live: readonly string[] },
): (input: ListInput<string>) => Promise<RowPage<T>> {
  const { orm } = context.database;
  const listed: Listed = table;
  const isIn = (state: string, now: number): SQL | undefined => {
    const isStored = eq(sql`${listed.state}`, state);
    if (live.includes(state)) return and(isStored, gt(listed.expiresAt, now));
    const isOverdue = and(inArray(sql`${listed.state}`, [...live]), lte(listed.expiresAt, now));
    return state === "expired" ? or(isStored, isOverdue) : isStored;
  };
  return async ({ teamId, createdBy, reference, state, limit, before }) => {
    const now = await raiseClock(context);
    const rows = await orm
      .select()
      .from(listed as typeof secrets)
      .where(
        and(
          eq(listed.teamId, teamId),
          createdBy === undefined ? undefined : eq(listed.createdBy, createdBy),
          reference === undefined ? undefined : eq(listed.reference, reference),
          before === undefined ? undefined : lt(listed.id, before),
          state === undefined ? undefined : isIn(state, now),
        ),
      )
      .orderBy(desc(listed.id))
      // One more than is shown says whether there is a next page.
      .limit(limit + 1);
    const page = rows.slice(0, limit) as T["$inferSelect"][];
    return { rows: page, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
  };
}

/** Raises the clock to the latest time that the database has seen, and returns what it says then. */
export async function raiseClock({ database, clock }: Pick<StoreContext, "database" | "clock">): Promise<number> {
  const [row] = await database.read("SELECT latest_at FROM clocks");
  clock.raise(Number(row?.["latest_at"]));
  return clock.now();
}

/**
 * Keeps the time by which `rows` have expired: whoever has been told that must never be told otherwise, by whatever process.
 */
export async function keepExpiries(
  context: StoreContext,
  rows: readonly { readonly expiresAt: number }[],
): Promise<void> {
  await keepTime(context, Math.max(0, ...rows.map(({ expiresAt }) => expiresAt)));
}

/** Makes sure that time never falls below `epochMs` again, which has come. */
export async function keepTime({ database, writer }: StoreContext, epochMs: number): Promise<void> {
  if (epochMs <= 0) return;
  const [row] = await database.read("SELECT latest_at FROM clocks");
  // Whoever comes again with what has expired writes nothing. Every transaction writes the time down.
  if (Number(row?.["latest_at"]) < epochMs) await writer.write({}, () => undefined);
}
