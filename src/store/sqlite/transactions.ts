import type { Operation, OperationTable, Run } from "../../domain/transactions/operations.ts";
import type { Transaction } from "../../domain/transactions/transaction.ts";
import { createAdminLog } from "./admin-log.ts";
import { createCallRows } from "./call-rows.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Effects } from "./engine/effects.ts";
import { createAppend } from "./events.ts";
import { createRequestRows } from "./request-rows.ts";
import { createSecretRows } from "./secret-rows.ts";
import { ROW_CHARGES } from "./stored-bytes.ts";
import { createUploadRows } from "./upload-rows.ts";

/** The unit of work over the current transaction. Prepared statements find and write rows at once. */
function createTransaction(context: StoreContext, effects: Effects): Omit<Transaction, "now"> {
  const { tombstoneMs } = context;
  return {
    tombstoneMs,
    charges: ROW_CHARGES,
    secrets: createSecretRows(context, effects),
    requests: createRequestRows(context, effects),
    calls: createCallRows(context),
    uploads: createUploadRows(context),
    append: createAppend(context, effects),
    record: createAdminLog(context).record,
    charge: effects.charge,
    fits: effects.fits,
    // Nobody else can report a later time while this transaction holds the database.
    commitBefore: () => undefined,
  };
}

/**
 * Returns the unit of work of a context, with the time of this operation. There is one writer, and so one of `effects`.
 */
export type ToTransaction = (effects: Effects) => Transaction;

export function createToTransaction(context: StoreContext): ToTransaction {
  let made: Omit<Transaction, "now"> | undefined;
  return (effects) => Object.assign((made ??= createTransaction(context, effects)), { now: context.clock.now() });
}

/** Adds operations that decide over a unit of work, which has no keys, and returns a function that runs them. */
export function addOperations<Table extends OperationTable>(
  { operations }: Pick<StoreContext, "operations">,
  toTransaction: ToTransaction,
  table: Table,
): Run<Table> {
  const overEffects = Object.entries(table).map(([name, operation]) => {
    const { kind, bytes, run } = operation as unknown as Operation<unknown, unknown>;
    const decide = (effects: Effects, input: unknown) => run(toTransaction(effects), input);
    return [name, { kind, bytes, run: decide, keepsKeys: true }];
  });
  return operations.add(Object.fromEntries(overEffects)) as Run<Table>;
}
