import { asc, lte, sql } from "drizzle-orm";
import type { SweepStore } from "../../domain/ports/sweeps.ts";
import { removeCall } from "../../domain/transactions/calls.ts";
import { sweepRequest } from "../../domain/transactions/requests.ts";
import { sweepSecret } from "../../domain/transactions/secrets.ts";
import type { Transaction } from "../../domain/transactions/transaction.ts";
import { firstIdAt } from "../../domain/values/ids.ts";
import type { StoreContext } from "./engine/context.ts";
import { columnsOf, named, prepare } from "./prepared.ts";
import { events, idempotentCalls, requests, secrets } from "./schema.ts";
import { ROW_BYTES } from "./stored-bytes.ts";
import { addOperations } from "./transactions.ts";
import type { ToTransaction } from "./transactions.ts";

/** A step ends early once it has erased so many bytes: erasing overwrites, and a commit shouldn't delay requests. */
const MAX_ERASED_BYTES = 4 * 1024 * 1024;

export function createSweepStore(context: StoreContext, toTransaction: ToTransaction): SweepStore {
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
  const selectDueRequests = prepare(context, () =>
    orm
      .select(columnsOf(requests))
      .from(requests)
      .where(lte(requests.dueAt, p("now")))
      .orderBy(asc(requests.dueAt))
      .limit(p("limit")),
  );
  const selectForgotten = prepare(context, () =>
    orm
      .select(columnsOf(idempotentCalls))
      .from(idempotentCalls)
      .where(lte(idempotentCalls.expiresAt, p("now")))
      .limit(p("limit")),
  );

  /** Returns whether there may be more. */
  const sweepSecrets = (tx: Transaction, limit: number): boolean => {
    const due = selectDue.all({ now: tx.now, limit });
    let erasedBytes = 0;
    for (const row of due) {
      if (tx.secrets.hasCiphertext(row)) erasedBytes += row.ciphertextBytes;
      sweepSecret(tx, row);
      if (erasedBytes > MAX_ERASED_BYTES) return true;
    }
    return due.length === limit;
  };

  const sweepRequests = (tx: Transaction, limit: number): boolean => {
    const due = selectDueRequests.all({ now: tx.now, limit });
    for (const row of due) sweepRequest(tx, row);
    return due.length === limit;
  };

  const forgetCalls = (tx: Transaction, limit: number): boolean => {
    const forgotten = selectForgotten.all({ now: tx.now, limit });
    for (const row of forgotten) removeCall(tx, row);
    return forgotten.length === limit;
  };

  const oldestEvents = prepare(context, () =>
    orm
      .select(named({ seq: events.seq, id: events.id }))
      .from(events)
      .orderBy(asc(events.seq))
      .limit(p("limit")),
  );
  /** Events with lower ids are older than any tombstone. */
  const endOfEvents = (now: number) => firstIdAt("event", Math.max(0, now - context.tombstoneMs));

  const forgetEvents = (tx: Transaction, limit: number): boolean => {
    const end = endOfEvents(tx.now);
    const last = oldestEvents.all({ limit }).findLast(({ id }) => id < end);
    if (!last) return false;
    const forgotten = orm.delete(events).where(lte(events.seq, last.seq)).returning({ teamId: events.teamId }).all();
    for (const { teamId } of forgotten) tx.charge(teamId, -ROW_BYTES.event);
    return forgotten.length === limit;
  };

  const run = addOperations(context, toTransaction, {
    sweep: {
      kind: "essential",
      run(tx: Transaction, limit: number): boolean {
        const more = [
          sweepSecrets(tx, limit),
          sweepRequests(tx, limit),
          forgetCalls(tx, limit),
          forgetEvents(tx, limit),
        ];
        return more.includes(true);
      },
    },
  });

  return {
    async sweep(limit) {
      const now = clock.now();
      const isDue =
        selectDue.all({ now, limit: 1 }).length > 0 ||
        selectDueRequests.all({ now, limit: 1 }).length > 0 ||
        selectForgotten.all({ now, limit: 1 }).length > 0 ||
        oldestEvents.all({ limit: 1 }).some(({ id }) => id < endOfEvents(now));
      // An idle server writes nothing.
      return isDue && run("sweep", limit);
    },
  };
}
