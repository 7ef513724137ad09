import { asc, inArray, lte, sql } from "drizzle-orm";
import { firstIdAt } from "../../domain/ids.ts";
import type { SweepStore } from "../../domain/ports/sweeps.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import type { RequestChanges } from "./request-changes.ts";
import { events, idempotentCalls, requests, secrets } from "./schema.ts";
import type { SecretChanges } from "./secret-changes.ts";
import type { SecretStatements } from "./secret-rows.ts";
import { columnsOf, named, prepare } from "./statements/prepared.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

/** A step ends early once it has erased so much: erasing overwrites, and a commit should not hold requests up. */
const MAX_ERASED_BYTES = 4 * 1024 * 1024;

export function createSweepStore(
  context: StoreContext,
  statements: SecretStatements,
  secretChanges: SecretChanges,
  requestChanges: RequestChanges,
): SweepStore {
  const { orm, clock } = context;
  const p = sql.placeholder;
  const selectDue = prepare(context, () =>
    orm
      .select(columnsOf(secrets))
      .from(secrets)
      .where(lte(secrets.dueAt, p("now")))
      .orderBy(asc(secrets.dueAt))
      .limit(p("limit")),
  );
  const firstDue = prepare(context, () =>
    orm
      .select(named({ dueAt: secrets.dueAt }))
      .from(secrets)
      .orderBy(asc(secrets.dueAt))
      .limit(1),
  );
  const selectDueRequests = prepare(context, () =>
    orm
      .select(columnsOf(requests))
      .from(requests)
      .where(lte(requests.dueAt, p("now")))
      .orderBy(asc(requests.dueAt))
      .limit(p("limit")),
  );
  const firstForgotten = prepare(context, () =>
    orm
      .select(named({ expiresAt: idempotentCalls.expiresAt }))
      .from(idempotentCalls)
      .orderBy(asc(idempotentCalls.expiresAt))
      .limit(1),
  );

  /** Returns whether there may be more. */
  const sweepSecrets = (tx: Transaction, now: number, limit: number): boolean => {
    const due = selectDue.all({ now, limit });
    let erasedBytes = 0;
    for (const row of due) {
      if (statements.hasCiphertext.get({ seq: row.seq })) erasedBytes += row.ciphertextBytes;
      secretChanges.sweep(tx, row, now);
      if (erasedBytes > MAX_ERASED_BYTES) return true;
    }
    return due.length === limit;
  };

  const sweepRequests = (tx: Transaction, now: number, limit: number): boolean => {
    const due = selectDueRequests.all({ now, limit });
    for (const row of due) requestChanges.sweep(tx, row, now);
    return due.length === limit;
  };

  const forgetCalls = (tx: Transaction, now: number, limit: number): boolean => {
    const old = orm
      .select({ digest: idempotentCalls.digest })
      .from(idempotentCalls)
      .where(lte(idempotentCalls.expiresAt, now))
      .limit(limit);
    const forgotten = orm
      .delete(idempotentCalls)
      .where(inArray(idempotentCalls.digest, old))
      .returning({ teamId: idempotentCalls.teamId })
      .all();
    for (const { teamId } of forgotten) tx.charge(teamId, -ROW_BYTES.call);
    return forgotten.length === limit;
  };

  const oldestEvents = prepare(context, () =>
    orm
      .select(named({ seq: events.seq, id: events.id }))
      .from(events)
      .orderBy(asc(events.seq))
      .limit(p("limit")),
  );
  /** Events with lower ids are as old as tombstones get. */
  const endOfEvents = (now: number) => firstIdAt("event", Math.max(0, now - context.tombstoneMs));

  const forgetEvents = (tx: Transaction, now: number, limit: number): boolean => {
    const end = endOfEvents(now);
    const last = oldestEvents.all({ limit }).findLast(({ id }) => id < end);
    if (!last) return false;
    const forgotten = orm.delete(events).where(lte(events.seq, last.seq)).returning({ teamId: events.teamId }).all();
    for (const { teamId } of forgotten) tx.charge(teamId, -ROW_BYTES.event);
    return forgotten.length === limit;
  };

  const run = context.operations.add({
    sweep: {
      kind: "essential",
      run(tx: Transaction, { now, limit }: { readonly now: number; readonly limit: number }): boolean {
        const more = [
          sweepSecrets(tx, now, limit),
          sweepRequests(tx, now, limit),
          forgetCalls(tx, now, limit),
          forgetEvents(tx, now, limit),
        ];
        return more.includes(true);
      },
    },
  });

  return {
    async sweep(limit) {
      const now = clock.now();
      const isDue =
        (firstDue.get()?.dueAt ?? Infinity) <= now ||
        selectDueRequests.all({ now, limit: 1 }).length > 0 ||
        (firstForgotten.get()?.expiresAt ?? Infinity) <= now ||
        oldestEvents.all({ limit: 1 }).some(({ id }) => id < endOfEvents(now));
      // An idle server writes nothing.
      if (!isDue) return false;
      return run("sweep", { now, limit });
    },
  };
}
