import type { IdempotentCall } from "../../domain/ports/calls.ts";
import type { CreateSecretOutcome, NewSecret, SecretRecord } from "../../domain/ports/secrets.ts";
import { atCreation, eventOf, retention, seenAt } from "../../domain/secret-lifecycle.ts";
import { ROW_BYTES, sealedBytes, secretBytes } from "./engine/stored-bytes.ts";
import { appendEvent } from "./engine/transaction.ts";
import type { SecretRow, Transaction } from "./engine/transaction.ts";
import { lastReplay, recallCall, rememberCall } from "./idempotent-calls.ts";

/** `row` without what only the store knows of it. */
export function toSecretRecord(row: SecretRow): SecretRecord {
  const { claimTokenHash: _hash, dueAt: _dueAt, ...record } = row;
  return record;
}

/** The secret with this id of this team; undefined when there is none. */
export function findSecret(tx: Transaction, teamId: string, id: string): SecretRow | undefined {
  const row = tx.secrets.get(id);
  return row?.teamId === teamId ? row : undefined;
}

/** The outcome of the creation that `call` made before; undefined when it made nothing, or nothing that is still there. */
export function recallCreation(tx: Transaction, teamId: string, call: IdempotentCall): CreateSecretOutcome | undefined {
  const known = recallCall(tx, call);
  if (known === "conflict") return { kind: "conflict" };
  const row = known && findSecret(tx, teamId, known.subjectId);
  return row && { kind: "replayed", secret: atCreation(toSecretRecord(row)) };
}

/** Stores a secret, created or handed in. */
export function createSecret(tx: Transaction, secret: NewSecret): CreateSecretOutcome {
  const { record, ciphertext, claimTokenHash, quotaBytes, call } = secret;
  const known = call && recallCreation(tx, record.teamId, call);
  if (known) return known;
  const bytes = secretBytes(record) + sealedBytes(record.ciphertextBytes);
  const others = ROW_BYTES.event + (call ? ROW_BYTES.call : 0);
  if (!tx.fits(record.teamId, bytes + others, quotaBytes)) return { kind: "quota_exceeded" };
  tx.charge(record.teamId, bytes);
  tx.secrets.set(record.id, { ...record, claimTokenHash, dueAt: record.expiresAt });
  tx.sealed.set(record.id, { secretId: record.id, ciphertext });
  appendEvent(tx, eventOf(undefined, record, record.createdBy));
  if (call) rememberCall(tx, call, record);
  return { kind: "created", secret: record };
}

function eraseCiphertext(tx: Transaction, row: SecretRow): void {
  if (tx.sealed.remove(row.id)) tx.charge(row.teamId, -sealedBytes(row.ciphertextBytes));
}

/** Erases what is not kept of a secret, and notes when to come again. */
export function settleSecret(tx: Transaction, row: SecretRow, tombstoneMs: number): void {
  const { keep, dueAt } = retention(row, { lastReplay: lastReplay(tx, row.id), tombstoneMs }, tx.now);
  if (keep !== "ciphertext") eraseCiphertext(tx, row);
  if (keep === "nothing") {
    tx.secrets.remove(row.id);
    tx.charge(row.teamId, -secretBytes(row));
    return;
  }
  // Early is soon enough, the sweeper then finds nothing to do yet: an index that does not change costs nothing.
  if (row.dueAt > dueAt || row.dueAt <= tx.now) tx.secrets.set(row.id, { ...row, dueAt });
}

/** Writes that `row` has ended as `next`, unless that is `row` itself. Returns `next`. */
export function endSecret(
  tx: Transaction,
  row: SecretRow,
  next: SecretRow,
  actorId: string | null,
  tombstoneMs: number,
): SecretRow {
  if (next === row) return row;
  tx.secrets.set(row.id, next);
  appendEvent(tx, eventOf(row, next, actorId));
  settleSecret(tx, next, tombstoneMs);
  return next;
}

/** Does what is due for a secret by time alone. */
export function sweepSecret(tx: Transaction, row: SecretRow, tombstoneMs: number): void {
  if (endSecret(tx, row, seenAt(row, tx.now), null, tombstoneMs) === row) settleSecret(tx, row, tombstoneMs);
}
