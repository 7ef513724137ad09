import type { Operator } from "../../domain/ports/admin-log.ts";
import type { NewEvent } from "../../domain/ports/events.ts";
import type { MonotonicClock } from "../../domain/values/clocks.ts";
import type { Orm, Tables } from "./tables.ts";

/**
 * A generator that yields each query and is resumed with its rows. The same code runs over a synchronous and an
 * asynchronous driver.
 */
export type Work<T> = Generator<PromiseLike<unknown>, T, unknown>;

/** The context of a read, which sees committed rows. */
export interface ReadContext {
  readonly orm: Orm;
  readonly tables: Tables;
  readonly clock: MonotonicClock;
  /**
   * True when other processes commit to the same database. The clock must then be raised to the latest time that they
   * have reported.
   */
  readonly isShared: boolean;
}

/** The context of a change. It runs in a transaction, so all of its writes are committed, or none. */
export interface ChangeContext extends ReadContext {
  /** The admin recorded in the audit log; undefined in a server. */
  readonly operator: Operator | undefined;
  /** Appends an event to the log of its team. */
  readonly append: (event: NewEvent) => void;
  /** Erases all secrets, requests and events of a team, and its idempotent calls. */
  readonly eraseStored: (teamId: string) => Work<void>;
}

/** Runs a query. */
export function* rowsOf<T>(query: PromiseLike<T>): Work<T> {
  return (yield query) as T;
}

/** The current time, which is no earlier than any that another process has reported. */
export function* timeOf({ orm, tables: { clocks }, clock, isShared }: ReadContext): Work<number> {
  if (isShared) {
    const [row] = yield* rowsOf(orm.select({ at: clocks.latestAt }).from(clocks));
    if (row) clock.raise(row.at);
  }
  return clock.now();
}

/** Runs `work` to its end over a synchronous driver. Throws the error of a failed query. */
export function runWork<T>(work: Work<T>): T {
  let step = work.next();
  while (!step.done) step = work.next((step.value as unknown as { all(): unknown }).all());
  return step.value;
}

/** Runs `work` to its end over an asynchronous driver. Rejects with the error of a failed query. */
export async function awaitWork<T>(work: Work<T>): Promise<T> {
  let step = work.next();
  while (!step.done) step = work.next(await step.value);
  return step.value;
}
