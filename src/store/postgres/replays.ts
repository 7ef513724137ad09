import { relationTo } from "../../domain/idempotency.ts";
import type { IdempotentCall } from "../../domain/ports/calls.ts";
import type { StoreContext } from "./engine/context.ts";
import { LATEST_AT, timeOf } from "./engine/context.ts";
import { toRow } from "./engine/rows.ts";
import { idempotentCalls } from "./schema.ts";
import type { requests, secrets } from "./schema.ts";

/**
 * Finds what `call` made before, among the secrets or the requests of a team: the row, "conflict" when the same key made something
 * else, undefined when it made nothing, or nothing that is still there.
 */
export async function findCreation<T extends typeof secrets | typeof requests>(
  context: StoreContext,
  table: T,
  teamId: string,
  call: IdempotentCall,
): Promise<T["$inferSelect"] | "conflict" | undefined> {
  const { database } = context;
  const found = await database.read(`SELECT *, ${LATEST_AT} FROM idempotent_calls WHERE digest = $1`, [call.digest]);
  const now = timeOf(context, found);
  const [known] = found.map((row) => toRow(idempotentCalls, row));
  const relation = known && relationTo(known, call, now);
  if (relation !== "repeat" || !known) return relation === "conflict" ? relation : undefined;
  const name = nameOf(table);
  const rows = await database.read(`SELECT * FROM ${name} WHERE id = $1 AND team_id = $2`, [known.subjectId, teamId]);
  const [row] = rows;
  return row && toRow(table, row);
}

function nameOf(table: typeof secrets | typeof requests): string {
  return "claimTokenHash" in table ? "secrets" : "requests";
}
