import { eventOf, retention, seenAt } from "../../domain/secret-lifecycle.ts";
import type { StoreContext } from "./engine/context.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes } from "./files/ciphertext-pages.ts";
import type { SecretRow, SecretStatements } from "./secret-rows.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

/** Writes down what has become of secrets. To be called inside a write. */
export interface SecretChanges {
  /** Writes that `row` has ended as `next`, unless that is `row` itself. Returns `next`. */
  end(row: SecretRow, next: SecretRow, actorId: string | null, now: number): SecretRow;
  /** Erases what is not kept of a secret at `now`, and notes when to come again. */
  settle(row: SecretRow, now: number): void;
  /** Does what is due for a secret by time alone. */
  sweep(row: SecretRow, now: number): void;
}

export function createSecretChanges(
  context: StoreContext,
  statements: SecretStatements,
  eventWriter: EventWriter,
): SecretChanges {
  const { storedBytes, tombstoneMs } = context;

  // Early is soon enough, the sweeper then finds nothing to do yet: moving every claimed secret in the index of what is due
  // would cost a claim more than anything else that it writes.
  const comeBy = (row: SecretRow, at: number, now: number) => {
    if (row.dueAt > at || row.dueAt <= now) statements.setDue.run({ seq: row.seq, dueAt: at });
  };

  const eraseCiphertext = (row: SecretRow) => {
    if (!statements.deleteCiphertext.get({ seq: row.seq })) return;
    storedBytes.charge(row.teamId, -ciphertextRowBytes(row.ciphertextBytes));
    context.truncateWalSoon();
  };

  const settle = (row: SecretRow, now: number) => {
    const lastReplay = statements.lastReplay.get({ id: row.id })?.until ?? 0;
    const { keep, dueAt } = retention(row, { lastReplay, tombstoneMs }, now);
    if (keep !== "ciphertext") eraseCiphertext(row);
    if (keep !== "nothing") return comeBy(row, dueAt, now);
    statements.remove.run({ seq: row.seq });
    storedBytes.charge(row.teamId, -ROW_BYTES.secret);
  };

  const end: SecretChanges["end"] = (row, next, actorId, now) => {
    if (next === row) return row;
    const { state, endedAt } = next;
    if (!statements.end.get({ seq: row.seq, state, endedAt })) throw new Error("a secret has ended twice");
    eventWriter.append(eventOf(row, next, { actorId, now }));
    settle(next, now);
    return next;
  };

  return {
    end,
    settle,
    sweep(row, now) {
      if (end(row, seenAt(row, now), null, now) === row) settle(row, now);
    },
  };
}
