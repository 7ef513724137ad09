import type { IdKind } from "../contract/id-prefixes.ts";
import { Refusal } from "./errors.ts";
import { firstIdAt } from "./ids.ts";
import type { Clock } from "./ports.ts";

/**
 * Refuses a cursor that no page can have given out, because what it names is not made yet: a list would begin anew after
 * it, and an event log stay empty. Throws a Refusal `schema_mismatch` that names the query parameter.
 */
export function checkCursor(
  clock: Clock,
  kind: IdKind,
  parameter: "cursor" | "after",
  cursor: string | undefined,
): void {
  if (cursor === undefined || cursor < firstIdAt(kind, clock.now() + 1)) return;
  throw new Refusal("schema_mismatch", { errors: [{ pointer: `/query/${parameter}`, code: "range" }] });
}
