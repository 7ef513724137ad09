import type { IdKind } from "../../contract/ids.ts";
import { DEFAULT_PAGE_SIZE } from "../../contract/limits.ts";
import type { ListInput, Page } from "../ports/lists.ts";
import type { Clock } from "../ports/sources.ts";
import { Refusal } from "./errors.ts";
import { firstIdAt } from "./ids.ts";

/**
 * Throws a Refusal `schema_mismatch` that names the query parameter for a cursor from the future, which no page can
 * have returned: a list would begin again after it, and an event log would stay empty.
 */
export function checkCursor(
  clock: Clock,
  kind: IdKind,
  parameter: "cursor" | "after",
  cursor: string | undefined,
): void {
  if (cursor === undefined || isMadeYet(clock, kind, cursor)) return;
  throw new Refusal("schema_mismatch", { errors: [{ pointer: `/query/${parameter}`, code: "range" }] });
}

/** True for an id of `kind` that isn't from the future. */
export function isMadeYet(clock: Clock, kind: IdKind, id: string): boolean {
  return id < firstIdAt(kind, clock.now() + 1);
}

/**
 * Reads the page of a team's list that `query` asks for, newest first. Throws a Refusal `schema_mismatch` for a cursor
 * from the future.
 */
export async function readPage<T, State>(
  clock: Clock,
  kind: IdKind,
  list: (input: ListInput<State>) => Promise<Page<T>>,
  input: {
    readonly teamId: string;
    readonly query: {
      readonly state?: State;
      readonly created_by?: string;
      readonly reference?: string;
      readonly limit?: number;
      readonly cursor?: string;
    };
  },
): Promise<Page<T>> {
  const { state, created_by: createdBy, reference, limit = DEFAULT_PAGE_SIZE, cursor: before } = input.query;
  checkCursor(clock, kind, "cursor", before);
  return list({ teamId: input.teamId, state, createdBy, reference, limit, before });
}
