import { isLive } from "../../contract/states.ts";
import { eventOf, retention, seenAt } from "../../domain/request-lifecycle.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes } from "./files/ciphertext-pages.ts";
import type { RequestRow, RequestStatements } from "./request-rows.ts";
import { requestBytes } from "./stored-bytes.ts";

/** Writes down what has become of requests. To be called inside a write. */
export interface RequestChanges {
  /** Writes that `row` has become `next`, unless that is `row` itself. Returns `next`. */
  change(tx: Transaction, row: RequestRow, next: RequestRow, actorId: string | null, now: number): RequestRow;
  /** Does what is due for a request by time alone. */
  sweep(tx: Transaction, row: RequestRow, now: number): void;
}

export function createRequestChanges(
  context: StoreContext,
  statements: RequestStatements,
  eventWriter: EventWriter,
): RequestChanges {
  const { tombstoneMs } = context;

  const eraseNote = (tx: Transaction, row: RequestRow) => {
    const note = statements.deleteNote.get({ seq: row.seq });
    if (!note) return;
    tx.charge(row.teamId, -ciphertextRowBytes(note.bytes));
    tx.truncateWal();
  };

  /** Erases what is not kept of a request at `now`, and notes when to come again. */
  const settle = (tx: Transaction, row: RequestRow, now: number) => {
    const lastWaiting = statements.lastWaiting.get({ requestId: row.id })?.expiresAt ?? 0;
    const { keep, dueAt } = retention(row, { lastWaiting, tombstoneMs }, now);
    if (keep !== "note") eraseNote(tx, row);
    if (keep !== "nothing") return void statements.setDue.run({ seq: row.seq, dueAt });
    statements.remove.run({ seq: row.seq });
    tx.charge(row.teamId, -requestBytes(row));
  };

  const change: RequestChanges["change"] = (tx, row, next, actorId, now) => {
    if (next === row) return row;
    const { submissionCount, state, endedAt } = next;
    const values = { seq: row.seq, was: row.submissionCount, submissionCount, state, endedAt };
    if (statements.change.run(values).changes === 0) throw new Error("a request has changed twice");
    const event = eventOf(row, next, actorId);
    if (event) eventWriter.append(tx, event);
    if (!isLive(next.state)) settle(tx, next, now);
    return next;
  };

  return {
    change,
    sweep(tx, row, now) {
      if (change(tx, row, seenAt(row, now), null, now) === row) settle(tx, row, now);
    },
  };
}
