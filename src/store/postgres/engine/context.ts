import type { Operator } from "../../../domain/ports/admin-log.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import type { Database } from "./database.ts";
import type { Writer } from "./writer.ts";

/** The things that the parts of the store share. */
export interface StoreContext {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: MonotonicClock;
  /** The time that an ended secret or request, or an event, stays to be seen. */
  readonly tombstoneMs: number;
  /** The one who changes something by an admin command; undefined in a server. */
  readonly operator: Operator | undefined;
  /** Hears of failures of work that no caller hears of. */
  readonly report: (work: string, error: unknown) => void;
}

/** The column that every read which depends on the time has beside its own: the latest time that the database has seen. */
export const LATEST_AT = "(SELECT latest_at FROM clocks) AS latest_at";

/** The time by which rows are told that were read with `LATEST_AT`: no other process can have told a later one before. */
export function timeOf(
  { clock }: Pick<StoreContext, "clock">,
  rows: readonly Readonly<Record<string, unknown>>[],
): number {
  const [row] = rows;
  if (row) clock.raise(Number(row["latest_at"]));
  return clock.now();
}
