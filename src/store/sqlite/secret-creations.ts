import type { IdempotentCall } from "../../domain/ports/calls.ts";
import type { CreateSecretOutcome, NewSecret } from "../../domain/ports/secrets.ts";
import { atCreation, eventOf } from "../../domain/secret-lifecycle.ts";
import type { Transaction } from "./engine/transaction.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes, fillBytes } from "./files/ciphertext-pages.ts";
import type { Calls } from "./idempotent-calls.ts";
import { toSecretRecord } from "./secret-rows.ts";
import type { SecretStatements } from "./secret-rows.ts";
import { ROW_BYTES, secretBytes } from "./stored-bytes.ts";

/** Stores secrets, created or handed in. */
export interface SecretCreations {
  /**
   * The outcome of the creation that this call made before; "conflict" when the same key made something else, undefined
   * when it made nothing, or nothing that is still there.
   */
  recall(teamId: string, call: IdempotentCall): CreateSecretOutcome | undefined;
  /** Stores a secret. To be called inside a write. */
  create(tx: Transaction, secret: NewSecret): CreateSecretOutcome;
}

export function createSecretCreations(
  statements: SecretStatements,
  calls: Calls,
  eventWriter: EventWriter,
): SecretCreations {
  const recall: SecretCreations["recall"] = (teamId, call) => {
    const known = calls.recall(call);
    if (known === "conflict") return { kind: "conflict" };
    const row = known && statements.find.get({ id: known.subjectId, teamId });
    return row && { kind: "replayed", secret: atCreation(toSecretRecord(row)) };
  };

  return {
    recall,
    create(tx, { record, ciphertext, claimTokenHash, quotaBytes, call }) {
      const known = call && recall(record.teamId, call);
      if (known) return known;
      const { teamId, ciphertextBytes } = record;
      const bytes = secretBytes(record) + ciphertextRowBytes(ciphertextBytes);
      const others = ROW_BYTES.event + (call ? ROW_BYTES.call : 0);
      if (!tx.fits(teamId, bytes + others, quotaBytes)) return { kind: "quota_exceeded" };
      tx.charge(teamId, bytes);
      const secretSeq = statements.insert({ ...record, claimTokenHash, dueAt: record.expiresAt });
      statements.insertCiphertext({ secretSeq, ciphertext }, fillBytes(ciphertextBytes));
      eventWriter.append(tx, eventOf(undefined, record, record.createdBy));
      if (call) calls.remember(tx, call, record);
      return { kind: "created", secret: record };
    },
  };
}
