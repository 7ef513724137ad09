import { eventOf, retention, seenAt } from "../../domain/secret-lifecycle.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes } from "./files/ciphertext-pages.ts";
import type { SecretRow, SecretStatements } from "./secret-rows.ts";
import { secretBytes } from "./stored-bytes.ts";

/** Writes down what has become of secrets. To be called inside a write. */
export interface SecretChanges {
  /** Writes that `row` has ended as `next`, unless that is `row` itself. Returns `next`. */
  end(tx: Transaction, row: SecretRow, next: SecretRow, actorId: string | null, now: number): SecretRow;
  /** Erases what is not kept of a secret at `now`, and notes when to come again. */
  settle(tx: Transaction, row: SecretRow, now: number): void;
  /** Does what is due for a secret by time alone. */
  sweep(tx: Transaction, row: SecretRow, now: number): void;
}

export function createSecretChanges(
  context: StoreContext,
  statements: SecretStatements,
  eventWriter: EventWriter,
): SecretChanges {
  const { tombstoneMs } = context;

  // Early is soon enough, the sweeper then finds nothing to do yet: moving every claimed secret in the index of what is due
  // would cost a claim more than anything else that it writes.
  const comeBy = (row: SecretRow, at: number, now: number) => {
    if (row.dueAt > at || row.dueAt <= now) statements.setDue.run({ seq: row.seq, dueAt: at });
  };

  const eraseCiphertext = (tx: Transaction, row: SecretRow) => {
    if (statements.deleteCiphertext.run({ seq: row.seq }).changes === 0) return;
    tx.charge(row.teamId, -ciphertextRowBytes(row.ciphertextBytes));
    tx.truncateWal();
  };

  const settle = (tx: Transaction, row: SecretRow, now: number) => {
    const lastReplay = statements.lastReplay.get({ id: row.id })?.until ?? 0;
    const { keep, dueAt } = retention(row, { lastReplay, tombstoneMs }, now);
    if (keep !== "ciphertext") eraseCiphertext(tx, row);
    if (keep !== "nothing") return comeBy(row, dueAt, now);
    statements.remove.run({ seq: row.seq });
    tx.charge(row.teamId, -secretBytes(row));
  };

  const end: SecretChanges["end"] = (tx, row, next, actorId, now) => {
    if (next === row) return row;
    const { state, endedAt } = next;
    if (statements.end.run({ seq: row.seq, state, endedAt }).changes === 0) throw new Error("a secret has ended twice");
    eventWriter.append(tx, eventOf(row, next, actorId));
    settle(tx, next, now);
    return next;
  };

  return {
    end,
    settle,
    sweep(tx, row, now) {
      if (end(tx, row, seenAt(row, now), null, now) === row) settle(tx, row, now);
    },
  };
}
