import type { Operator } from "../../../domain/ports/admin-log.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import type { Database } from "./database.ts";
import type { Writer } from "./writer.ts";

/** Shared by all parts of the store. */
export interface StoreContext {
  readonly database: Database;
  readonly writer: Writer;
  readonly clock: MonotonicClock;
  /** How long an ended secret or request (a tombstone) and an event are kept. */
  readonly tombstoneMs: number;
  /** The admin recorded in the audit log; undefined in a server. */
  readonly operator: Operator | undefined;
  /** Called with the errors of background work, which no caller waits for. */
  readonly report: (work: string, error: unknown) => void;
}

/** The latest time that the database has seen: a column of every read that depends on the time. */
export const LATEST_AT = "(SELECT latest_at FROM clocks) AS latest_at";

/**
 * The current time for rows that were read with `LATEST_AT`. It is no earlier than any that another process has
 * reported.
 */
export function timeOf(
  { clock }: Pick<StoreContext, "clock">,
  rows: readonly Readonly<Record<string, unknown>>[],
): number {
  const [row] = rows;
  if (row) clock.raise(Number(row["latest_at"]));
  return clock.now();
}
