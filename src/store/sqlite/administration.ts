import { eq, sql } from "drizzle-orm";
import type { Transaction } from "../../domain/transactions/transaction.ts";
import { CHANGE_NAMES, createAdministration, workOf } from "../administration/administration.ts";
import type { AdministrationStore, ChangeName } from "../administration/administration.ts";
import { selectSession, toSession } from "../administration/sessions.ts";
import { toTables } from "../administration/tables.ts";
import { createUses, REFUSAL_MS } from "../administration/uses.ts";
import { selectWebhooks } from "../administration/webhooks.ts";
import { runWork } from "../administration/work.ts";
import { eraseStep, eraseStored } from "./emptying.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Effects } from "./engine/effects.ts";
import * as schema from "./schema.ts";
import { addOperations } from "./transactions.ts";
import type { ToTransaction } from "./transactions.ts";

/**
 * Administration over SQLite. Only the reads before each call of the page and of a webhook are prepared: the rest is
 * rare.
 */
export function createAdministrationStore(context: StoreContext, toTransaction: ToTransaction): AdministrationStore {
  const { orm, clock, operator, operations } = context;
  const tables = toTables(schema);
  const reading = { orm, tables, clock, isShared: false };
  const operation = (name: ChangeName) => ({
    kind: "essential" as const,
    run(effects: Effects, input: readonly unknown[]): unknown {
      const tx = toTransaction(effects);
      const erase = (teamId: string) => eraseStored(orm, tx, teamId);
      return runWork(workOf(name, { ...reading, operator, append: tx.append, eraseStored: erase }, input));
    },
  });
  const change = operations.add(Object.fromEntries(CHANGE_NAMES.map((name) => [name, operation(name)])));
  const run = addOperations(context, toTransaction, {
    emptyTeam: { kind: "essential", run: (tx: Transaction, teamId: string) => runWork(eraseStep(orm, tx, teamId)) },
  });
  const p = sql.placeholder;
  const prepareReads = () => ({
    webhook: selectWebhooks(reading)
      .where(eq(tables.webhooks.id, p("id")))
      .prepare(),
    session: selectSession(reading, p("hash")).prepare(),
  });
  let prepared: ReturnType<typeof prepareReads> | undefined;
  const reads = () => (prepared ??= prepareReads());
  const administration = createAdministration({ read: async (work) => runWork(work(reading)), change });
  return {
    ...administration,
    findWebhook: async (id) => reads().webhook.get({ id }),
    findSession: async (hash) => toSession(reads().session.get({ hash })),
    recordSessionUse: createUses(context, "session_use", (use) => administration.noteSessionUse(use)),
    recordKeyRefusal: createUses(
      context,
      "key_refusal",
      ({ id }, network) => administration.noteKeyRefusal(id, network),
      REFUSAL_MS,
    ),
    emptyTeam: (id) => run("emptyTeam", id),
    // There is one server on a database: the data folder is locked.
    mayCallWebhooks: async () => true,
  };
}
