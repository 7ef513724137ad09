import type { EventType } from "../../contract/events.ts";
import type { StoreContext } from "./engine/context.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes } from "./files/ciphertext-pages.ts";
import { hasRequestExpired } from "./request-rows.ts";
import type { RequestRow, RequestStatements } from "./request-rows.ts";
import { requestBytes } from "./stored-bytes.ts";

/** How requests end. To be called inside a write. */
export interface RequestEnds {
  /** Ends a live request and erases its note. Returns the row as it is then. */
  end(row: RequestRow, state: "expired" | "revoked", actorId: string | null): RequestRow;
  /** Notes that the last submission has fulfilled a request, and erases its note. */
  fulfil(row: RequestRow): void;
  /** Ends the request if its time is over. Returns the row as it is then. */
  expireIfDue(row: RequestRow, now: number): RequestRow;
  /** Does what is due for a request by time alone. */
  sweep(row: RequestRow, now: number): void;
}

const EVENT_OF: Record<"expired" | "revoked", EventType> = { expired: "request.expired", revoked: "request.revoked" };

export function createRequestEnds(
  context: StoreContext,
  statements: RequestStatements,
  eventWriter: EventWriter,
): RequestEnds {
  const close = (row: RequestRow) => {
    const note = statements.deleteNote.get({ seq: row.seq });
    if (note) {
      context.storedBytes.charge(row.teamId, -ciphertextRowBytes(note.bytes));
      context.truncateWalSoon();
    }
    statements.setDue.run({ seq: row.seq, dueAt: (row.endedAt ?? row.expiresAt) + context.tombstoneMs });
  };

  const end: RequestEnds["end"] = (row, state, actorId) => {
    const endedAt = state === "expired" ? row.expiresAt : context.clock.now();
    const ended = statements.end.get({ seq: row.seq, state, endedAt });
    if (!ended) return row;
    eventWriter.appendForRequest(EVENT_OF[state], ended, endedAt, actorId);
    close(ended);
    return ended;
  };

  return {
    end,
    fulfil(row) {
      eventWriter.appendForRequest("request.fulfilled", row, row.endedAt ?? context.clock.now(), null);
      close(row);
    },
    expireIfDue: (row, now) => (hasRequestExpired(row, now) ? end(row, "expired", null) : row),
    sweep(row, now) {
      if (hasRequestExpired(row, now)) return void end(row, "expired", null);
      // Without it nobody would find what was handed in.
      const { expiresAt } = statements.lastAvailable.get({ requestId: row.id }) ?? {};
      if (expiresAt && expiresAt > now) statements.setDue.run({ seq: row.seq, dueAt: expiresAt });
      else {
        statements.remove.run({ seq: row.seq });
        context.storedBytes.charge(row.teamId, -requestBytes(row.recipient));
      }
    },
  };
}
