import type { EventType } from "../../contract/events.ts";
import type { StoreContext } from "./engine/context.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes } from "./files/ciphertext-pages.ts";
import { hasExpired } from "./secret-rows.ts";
import type { SecretRow, SecretStatements } from "./secret-rows.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

/** How secrets end and what is left of them. To be called inside a write. */
export interface SecretEnds {
  /** Ends an available secret, erases its ciphertext and returns the row as it is then. */
  end(row: SecretRow, state: "expired" | "revoked", actorId: string | null): SecretRow;
  /** Settles an ended secret: erases the ciphertext, or keeps it until the last claim can no longer be replayed. */
  settle(row: SecretRow, now: number): void;
  /** Does what is due for a secret by time alone, and settles when to come again. */
  sweep(row: SecretRow, now: number): void;
  /** Ends the secret if its time is over. Returns the row as it is then. */
  expireIfDue(row: SecretRow, now: number): SecretRow;
}

const EVENT_OF: Record<"expired" | "revoked", EventType> = { expired: "secret.expired", revoked: "secret.revoked" };

export function createSecretEnds(
  context: StoreContext,
  statements: SecretStatements,
  eventWriter: EventWriter,
): SecretEnds {
  // Early is soon enough, the sweeper then finds nothing to do yet: moving every claimed secret in the index of what is due
  // would cost a claim more than anything else that it writes.
  const comeBy = (row: SecretRow, at: number) => {
    if (row.dueAt > at || row.dueAt <= context.clock.now()) statements.setDue.run({ seq: row.seq, dueAt: at });
  };

  const tombstoneEnd = (row: SecretRow) => (row.endedAt ?? row.expiresAt) + context.tombstoneMs;

  const erase = (row: SecretRow) => {
    const erased = statements.deleteCiphertext.get({ seq: row.seq });
    if (erased) {
      context.storedBytes.charge(row.teamId, -ciphertextRowBytes(row.ciphertextBytes));
      context.truncateWalSoon();
    }
    comeBy(row, tombstoneEnd(row));
  };

  const settle = (row: SecretRow, now: number) => {
    const replayUntil = statements.lastReplay.get({ id: row.id })?.until ?? 0;
    if (replayUntil > now) comeBy(row, replayUntil);
    else erase(row);
  };

  const end: SecretEnds["end"] = (row, state, actorId) => {
    const now = context.clock.now();
    const endedAt = state === "expired" ? row.expiresAt : now;
    const ended = statements.end.get({ seq: row.seq, state, endedAt });
    if (!ended) return row;
    eventWriter.append(EVENT_OF[state], ended, endedAt, actorId);
    // Who revokes wants it gone: no replay outlives that.
    if (state === "revoked") erase(ended);
    else settle(ended, now);
    return ended;
  };

  const sweep = (row: SecretRow, now: number) => {
    if (hasExpired(row, now)) end(row, "expired", null);
    else if (statements.hasCiphertext.get({ seq: row.seq })) settle(row, now);
    else if (tombstoneEnd(row) > now) comeBy(row, tombstoneEnd(row));
    else {
      statements.remove.run({ seq: row.seq });
      context.storedBytes.charge(row.teamId, -ROW_BYTES.secret);
    }
  };

  return {
    end,
    settle,
    sweep,
    expireIfDue: (row, now) => (hasExpired(row, now) ? end(row, "expired", null) : row),
  };
}
