import { isLive } from "../../contract/states.ts";
import type { RequestRecord } from "../../domain/ports/requests.ts";
import { eventOf, retention, seenAt } from "../../domain/request-lifecycle.ts";
import { requestBytes, sealedBytes } from "./engine/stored-bytes.ts";
import { appendEvent } from "./engine/transaction.ts";
import type { RequestRow, Transaction } from "./engine/transaction.ts";

/** `row` without what only the store knows of it. */
export function toRequestRecord(row: RequestRow): RequestRecord {
  const { submitTokenHash: _hash, dueAt: _dueAt, ...record } = row;
  return record;
}

/** The request with this id of this team; undefined when there is none. */
export function findRequest(tx: Transaction, teamId: string, id: string): RequestRow | undefined {
  const row = tx.requests.get(id);
  return row?.teamId === teamId ? row : undefined;
}

/** Erases what is not kept of a request, and notes when to come again. */
function settleRequest(tx: Transaction, row: RequestRow, tombstoneMs: number): void {
  const handedIn = tx.secrets
    .values()
    .flatMap((secret) => (secret.requestId === row.id && secret.state === "available" ? [secret.expiresAt] : []));
  const lastWaiting = Math.max(tx.waiting.get(row.id) ?? 0, ...handedIn);
  const { keep, dueAt } = retention(row, { lastWaiting, tombstoneMs }, tx.now);
  if (keep !== "note") {
    const note = tx.notes.remove(row.id);
    if (note) tx.charge(row.teamId, -sealedBytes(note.bytes));
  }
  if (keep !== "nothing") {
    if (row.dueAt !== dueAt) tx.requests.set(row.id, { ...row, dueAt });
    return;
  }
  tx.requests.remove(row.id);
  tx.charge(row.teamId, -requestBytes(row));
}

/** Writes that `row` has become `next`, unless that is `row` itself. Returns `next`. */
export function changeRequest(
  tx: Transaction,
  row: RequestRow,
  next: RequestRow,
  actorId: string | null,
  tombstoneMs: number,
): RequestRow {
  if (next === row) return row;
  tx.requests.set(row.id, next);
  const event = eventOf(row, next, actorId);
  if (event) appendEvent(tx, event);
  if (!isLive(next.state)) settleRequest(tx, next, tombstoneMs);
  return next;
}

/** Does what is due for a request by time alone. */
export function sweepRequest(tx: Transaction, row: RequestRow, tombstoneMs: number): void {
  if (changeRequest(tx, row, seenAt(row, tx.now), null, tombstoneMs) === row) settleRequest(tx, row, tombstoneMs);
}
