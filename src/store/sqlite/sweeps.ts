import { asc, lte, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { SweepStore } from "../../domain/ports/store.ts";
import { removeCall } from "../../domain/transactions/calls.ts";
import { sweepRequest } from "../../domain/transactions/requests.ts";
import { sweepSecret } from "../../domain/transactions/secrets.ts";
import type { Transaction } from "../../domain/transactions/transaction.ts";
import type { StoreContext } from "./engine/context.ts";
import { columnsOf, prepare } from "./prepared.ts";
import type { Statement } from "./prepared.ts";
import { idempotentCalls, requests, secrets } from "./schema.ts";
import { createSealing } from "./seals.ts";
import { addOperations } from "./transactions.ts";
import type { ToTransaction } from "./transactions.ts";

/** A step ends early once it has erased so many bytes: erasing overwrites, and a commit shouldn't delay requests. */
const MAX_ERASED_BYTES = 4 * 1024 * 1024;

export function createSweepStore(context: StoreContext, toTransaction: ToTransaction): SweepStore {
  const { orm, clock } = context;
  const p = sql.placeholder;
  const selectDue = <T extends typeof secrets | typeof requests | typeof idempotentCalls>(table: T) => {
    const due = "dueAt" in table ? table.dueAt : table.expiresAt;
    const build = () =>
      orm
        .select(columnsOf<SQLiteTable>(table))
        .from(table as SQLiteTable)
        .where(lte(due, p("now")))
        .orderBy(asc(due))
        .limit(p("limit"));
    return prepare(context, build) as Statement<T["$inferSelect"]>;
  };
  const [dueSecrets, dueRequests, dueCalls] = [selectDue(secrets), selectDue(requests), selectDue(idempotentCalls)];

  // Each of these returns whether there may be more.
  const sweepSecrets = (tx: Transaction, limit: number): boolean => {
    const due = dueSecrets.all({ now: tx.now, limit });
    let erasedBytes = 0;
    for (const row of due) {
      // The file of a large secret is overwritten elsewhere.
      const isHere = row.envelopeVersion !== LARGE_VERSION && tx.secrets.hasCiphertext(row);
      if (isHere) erasedBytes += row.ciphertextBytes;
      sweepSecret(tx, row);
      if (erasedBytes > MAX_ERASED_BYTES) return true;
    }
    return due.length === limit;
  };
  const sweepRequests = (tx: Transaction, limit: number): boolean => {
    const due = dueRequests.all({ now: tx.now, limit });
    for (const row of due) sweepRequest(tx, row);
    return due.length === limit;
  };
  const forgetCalls = (tx: Transaction, limit: number): boolean => {
    const due = dueCalls.all({ now: tx.now, limit });
    for (const row of due) removeCall(tx, row);
    return due.length === limit;
  };

  const seals = createSealing(context);

  const run = addOperations(context, toTransaction, {
    sweep: {
      kind: "essential",
      run(tx: Transaction, limit: number): boolean {
        const steps = [sweepSecrets, sweepRequests, forgetCalls, seals.seal, seals.forget];
        return steps.map((step) => step(tx, limit)).includes(true);
      },
    },
  });

  return {
    async sweep(limit) {
      const now = clock.now();
      const isDue =
        [dueSecrets, dueRequests, dueCalls].some((due) => due.get({ now, limit: 1 })) || seals.isDue(now, limit);
      // An idle server writes nothing.
      return isDue && run("sweep", limit);
    },
  };
}
