import type { Database } from "bun:sqlite";
import { and, asc, desc, getTableColumns, gt, lt, lte, sql } from "drizzle-orm";
import type { LogReader, SealRecord } from "../../domain/ports/events.ts";
import type { Transaction } from "../../domain/transactions/transaction.ts";
import { FIRST_SEAL, isMoreDue, isSealDue, lastForgotten, nextSeal } from "../../domain/values/seals.ts";
import { openOrm } from "./engine/context.ts";
import type { StoreContext } from "./engine/context.ts";
import { columnsOf, named, prepare } from "./prepared.ts";
import { adminLog, events, eventSeals } from "./schema.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

type Orm = StoreContext["orm"];

/** The seals of one step: a commit costs more than several of them. */
const STEP_SEALS = 5;

/** The part of the sweeper that seals the log, and deletes its oldest seals with their events. */
interface Sealing {
  /** True when there is something to seal or to delete. */
  isDue(now: number, limit: number): boolean;
  /** Seals some events, when it is time. Returns whether there may be more. */
  seal(tx: Transaction, limit: number): boolean;
  /** Deletes some events. Returns false when there were none. */
  forget(tx: Transaction, limit: number): boolean;
}

export function createSealing(context: StoreContext): Sealing {
  const { orm, tombstoneMs } = context;
  const p = sql.placeholder;
  const last = prepare(context, () =>
    orm.select(columnsOf(eventSeals)).from(eventSeals).orderBy(desc(eventSeals.id)).limit(1),
  );
  const oldest = prepare(context, () =>
    orm
      .select(named({ id: eventSeals.id, lastPlace: eventSeals.lastPlace, endsAt: eventSeals.endsAt }))
      .from(eventSeals)
      .orderBy(asc(eventSeals.id))
      .limit(p("limit")),
  );
  const placed = prepare(context, () =>
    orm
      .select(named(placedColumns()))
      .from(events)
      .where(gt(events.seq, p("after")))
      .orderBy(asc(events.seq))
      .limit(p("limit")),
  );
  const due = (now: number, limit: number) => {
    const keptFrom = now - tombstoneMs;
    // Mostly nothing is due, and one look tells.
    if (!lastForgotten(oldest.all({ limit: 2 }), keptFrom, limit)) return undefined;
    return lastForgotten(oldest.all({ limit: limit + 1 }), keptFrom, limit);
  };

  const sealOnce = (tx: Transaction, limit: number): boolean => {
    const known = last.get();
    const former = known ?? FIRST_SEAL;
    const unsealed = placed.all({ after: former.lastPlace, limit });
    const seal = nextSeal(former, unsealed, tx.now);
    if (!seal) return false;
    orm
      .insert(eventSeals)
      .values(known ? [seal] : [FIRST_SEAL, seal])
      .run();
    return isMoreDue(seal, unsealed, limit, tx.now);
  };

  return {
    isDue(now, limit) {
      const first = placed.get({ after: last.get()?.lastPlace ?? 0, limit: 1 });
      return (first !== undefined && isSealDue(first, now)) || due(now, limit) !== undefined;
    },
    seal(tx, limit) {
      for (let seals = 0; seals < STEP_SEALS; seals++) if (!sealOnce(tx, limit)) return false;
      return true;
    },
    forget(tx, limit) {
      const seal = due(tx.now, limit);
      if (!seal) return false;
      const forgotten = orm.delete(events).where(lte(events.seq, seal.lastPlace)).returning({ teamId: events.teamId });
      for (const { teamId } of forgotten.all()) tx.charge(teamId, -ROW_BYTES.event);
      orm.delete(eventSeals).where(lt(eventSeals.id, seal.id)).run();
      lowerPlaces(orm);
      return true;
    },
  };
}

/**
 * Follows a deletion of events. SQLite gives the places of the last events away again, so the seals of those that are
 * gone must end before.
 */
export function lowerPlaces(orm: Orm): void {
  const end = sql<number>`coalesce(max(${events.seq}), 0)`;
  const place = orm.select({ end }).from(events).get()?.end ?? 0;
  const last = orm.select({ place: eventSeals.lastPlace }).from(eventSeals).orderBy(desc(eventSeals.id)).limit(1).get();
  if (!last || last.place <= place) return;
  orm
    .update(eventSeals)
    .set({ lastPlace: sql`min(${eventSeals.lastPlace}, ${place})` })
    .run();
}

/** Reads the log of `database`. */
export function createLogReader(database: Database): LogReader {
  const orm = openOrm(database);
  return {
    listSeals: async (after, limit) =>
      orm.select().from(eventSeals).where(gt(eventSeals.id, after)).orderBy(asc(eventSeals.id)).limit(limit).all(),
    lastSeal: async (): Promise<SealRecord | undefined> =>
      orm.select().from(eventSeals).orderBy(desc(eventSeals.id)).limit(1).get(),
    listPlaced: async (after, end, limit) =>
      orm
        .select(placedColumns())
        .from(events)
        .where(and(gt(events.seq, after), lte(events.seq, end)))
        .orderBy(asc(events.seq))
        .limit(limit)
        .all(),
    async listDeletedTeams() {
      const all = orm.select({ action: adminLog.action, subjectId: adminLog.subjectId }).from(adminLog).all();
      return new Set(all.flatMap(({ action, subjectId }) => (action === "team.deleted" ? (subjectId ?? []) : [])));
    },
  };
}

/** The columns of a `PlacedEvent`. */
function placedColumns() {
  const { seq: place, historyOf: _history, ...others } = getTableColumns(events);
  return { place, ...others };
}
