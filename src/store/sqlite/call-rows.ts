import { eq, sql } from "drizzle-orm";
import type { CallRows } from "../../domain/transactions/transaction.ts";
import type { StoreContext } from "./engine/context.ts";
import { prepareInsert } from "./inserts.ts";
import { prepare, prepareSelect } from "./prepared.ts";
import { idempotentCalls } from "./schema.ts";

/** The remembered calls of the transaction under way. */
export function createCallRows(context: Pick<StoreContext, "orm">): CallRows {
  const { orm } = context;
  const p = sql.placeholder;
  const isDigest = eq(idempotentCalls.digest, p("digest"));
  const find = prepareSelect(context, idempotentCalls, isDigest);
  const ofSubject = prepareSelect(context, idempotentCalls, eq(idempotentCalls.subjectId, p("subjectId")));
  const setReplayUntil = prepare(context, () =>
    orm
      .update(idempotentCalls)
      .set({ replayUntil: sql`${p("replayUntil")}` })
      .where(isDigest),
  );
  const remove = prepare(context, () => orm.delete(idempotentCalls).where(isDigest));
  return {
    find: (digest) => find.get({ digest }),
    of: (subjectId) => ofSubject.all({ subjectId }),
    add: prepareInsert(context, idempotentCalls),
    setReplayUntil: ({ digest }, replayUntil) => void setReplayUntil.run({ digest, replayUntil }),
    remove: ({ digest }) => void remove.run({ digest }),
  };
}
