import { and, eq, max, sql } from "drizzle-orm";
import type { RequestRows } from "../../domain/transactions/transaction.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Effects } from "./engine/effects.ts";
import { fillBytes } from "./files/ciphertext-pages.ts";
import { prepareNumberedInsert, prepareSealedInsert } from "./inserts.ts";
import { named, prepare, prepareSelect } from "./prepared.ts";
import { seqOf } from "./row-numbers.ts";
import { requestNotes, requests, secrets } from "./schema.ts";

/** The requests of the current transaction, whose `effects` have the WAL emptied after an erasure. */
export function createRequestRows(
  context: Pick<StoreContext, "orm">,
  effects: Pick<Effects, "truncateWal">,
): RequestRows {
  const statements = prepareStatements(context);
  return {
    find: (id) => statements.find.get({ id }),
    add(row, note) {
      const requestSeq = statements.insert(row);
      if (!note) return;
      const { version: envelopeVersion, ciphertext } = note;
      statements.insertNote({ requestSeq, envelopeVersion, ciphertext }, fillBytes(ciphertext.length));
    },
    change(before, after) {
      const seq = seqOf(before);
      const { state, submissionCount, endedAt, dueAt } = after;
      if (state !== before.state || submissionCount !== before.submissionCount) {
        const was = { wasState: before.state, wasCount: before.submissionCount };
        if (statements.change.run({ seq, state, submissionCount, endedAt, ...was }).changes === 0) {
          throw new Error("a request has changed twice");
        }
      }
      if (dueAt !== before.dueAt) statements.setDue.run({ seq, dueAt });
    },
    remove: (row) => void statements.remove.run({ seq: seqOf(row) }),
    eraseNote(row) {
      const note = statements.deleteNote.get({ seq: seqOf(row) });
      if (note) effects.truncateWal();
      return note?.characters;
    },
    lastWaiting: ({ id }) => statements.lastWaiting.get({ id })?.expiresAt ?? 0,
  };
}

function prepareStatements(context: Pick<StoreContext, "orm">) {
  const { orm } = context;
  const p = sql.placeholder;
  const isSeq = eq(requests.seq, p("seq"));
  return {
    insert: prepareNumberedInsert(context, requests),
    insertNote: prepareSealedInsert(context, requestNotes),
    find: prepareSelect(context, requests, eq(requests.id, p("id"))),
    // Only this statement accepts a submission. It counts from the row that was found, or matches nothing.
    change: prepare(context, () =>
      orm
        .update(requests)
        .set({
          submissionCount: sql`${p("submissionCount")}`,
          state: sql`${p("state")}`,
          endedAt: sql`${p("endedAt")}`,
        })
        .where(and(isSeq, eq(requests.state, sql`${p("wasState")}`), eq(requests.submissionCount, p("wasCount")))),
    ),
    setDue: prepare(context, () =>
      orm
        .update(requests)
        .set({ dueAt: sql`${p("dueAt")}` })
        .where(isSeq),
    ),
    remove: prepare(context, () => orm.delete(requests).where(isSeq)),
    deleteNote: prepare(context, () =>
      orm
        .delete(requestNotes)
        .where(eq(requestNotes.requestSeq, p("seq")))
        .returning(named({ characters: sql<number>`length(CAST(${requestNotes.ciphertext} AS BLOB))` })),
    ),
    lastWaiting: prepare(context, () =>
      orm
        .select(named({ expiresAt: max(secrets.expiresAt) }))
        .from(secrets)
        // The condition of the partial index, so that SQLite uses it.
        .where(and(eq(secrets.requestId, p("id")), sql`request_id IS NOT NULL`, eq(secrets.state, "available"))),
    ),
  };
}
