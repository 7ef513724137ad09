import { and, eq, sql } from "drizzle-orm";
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
