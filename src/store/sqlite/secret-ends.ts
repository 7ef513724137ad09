import type { EventType } from "../../contract/events.ts";
import type { StoreContext } from "./context.ts";
import type { EventWriter } from "./events.ts";
import { hasExpired, type SecretRow, type SecretStatements } from "./secret-rows.ts";

/** How secrets end and what is left of them. To be called inside a write. */
export interface SecretEnds {
  /** Ends an available secret, erases its ciphertext and returns the row as it is then. */
  end(row: SecretRow, state: "expired" | "revoked", identityId: string | null): SecretRow;
  /** Settles an ended secret: erases the ciphertext, or keeps it until the last claim can no longer be replayed. */
  settle(row: SecretRow, now: number): void;
  /** Ends the secret if its time is over. Returns the row as it is then. */
  expireIfDue(row: SecretRow, now: number): SecretRow;
}

const EVENT_OF: Record<"expired" | "revoked", EventType> = { expired: "secret.expired", revoked: "secret.revoked" };

export function createSecretEnds(
  context: StoreContext,
  statements: SecretStatements,
  eventWriter: EventWriter,
): SecretEnds {
  const erase = (row: SecretRow) => {
    const erased = statements.deleteCiphertext.get({ seq: row.seq });
    if (erased) {
      statements.freeBytes.run({ teamId: row.teamId, bytes: row.ciphertextBytes });
      context.scheduleErasure();
    }
    statements.setDue.run({ seq: row.seq, dueAt: (row.endedAt ?? row.expiresAt) + context.tombstoneMs });
  };

  const settle = (row: SecretRow, now: number) => {
    const replayUntil = statements.lastReplay.get({ id: row.id })?.until ?? 0;
    if (replayUntil > now) statements.setDue.run({ seq: row.seq, dueAt: replayUntil });
    else erase(row);
  };

  const end: SecretEnds["end"] = (row, state, identityId) => {
    const now = context.clock.now();
    const endedAt = state === "expired" ? row.expiresAt : now;
    const ended = statements.end.get({ seq: row.seq, state, endedAt });
    if (!ended) return row;
    eventWriter.append(EVENT_OF[state], ended, endedAt, identityId);
    // Who revokes wants it gone: no replay outlives that.
    if (state === "revoked") erase(ended);
    else settle(ended, now);
    return ended;
  };

  return {
    end,
    settle,
    expireIfDue: (row, now) => (hasExpired(row, now) ? end(row, "expired", null) : row),
  };
}
