import { and, eq, sql } from "drizzle-orm";
import type { StoreContext } from "./engine/context.ts";
import type { requests, secrets } from "./schema.ts";

/** The rows of a team, or of one creator in it. */
export function rowsOf(
  table: typeof secrets | typeof requests,
  { teamId, createdBy }: { readonly teamId: string; readonly createdBy: string | undefined },
) {
  if (createdBy === undefined) return eq(table.teamId, teamId);
  // Of a creator there are fewer than of a team, which SQLite cannot know: the plus keeps it from the index of the team.
  return and(eq(table.createdBy, createdBy), sql`+${table.teamId} = ${teamId}`);
}

/**
 * Keeps the time by which `rows` have expired: whoever has been told that must never be told otherwise, whatever the clock
 * does after a crash. The sweeper does the rest.
 */
export function keepExpiries(
  { keepTime }: Pick<StoreContext, "keepTime">,
  rows: readonly { readonly expiresAt: number }[],
): Promise<void> {
  return keepTime(Math.max(0, ...rows.map(({ expiresAt }) => expiresAt)));
}
