import type { CreateOutcome, IdempotentCall, NewSecret, SecretRecord } from "../../domain/ports.ts";
import type { StoreContext } from "./engine/context.ts";
import type { EventWriter } from "./events.ts";
import { ciphertextRowBytes, fillBytes } from "./files/ciphertext-pages.ts";
import { prepareCalls } from "./idempotent-calls.ts";
import { toSecretRecord } from "./secret-rows.ts";
import type { SecretRow, SecretStatements } from "./secret-rows.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

/** How secrets come into the database, created or handed in. */
export interface SecretCreations {
  /** What came of the creation that was made by this call; undefined when there was none. */
  recall(teamId: string, call: IdempotentCall): CreateOutcome | undefined;
  /** Stores a secret. To be called inside a write. */
  create(secret: NewSecret): CreateOutcome;
}

export function createSecretCreations(
  context: StoreContext,
  statements: SecretStatements,
  eventWriter: EventWriter,
): SecretCreations {
  const { storedBytes } = context;
  const calls = prepareCalls(context);

  const recall: SecretCreations["recall"] = (teamId, call) => {
    const known = calls.recall(call);
    if (known === "conflict") return { kind: "conflict" };
    const row = known && statements.find.get({ id: known.subjectId, teamId });
    return row && { kind: "replayed", secret: atCreation(row) };
  };

  return {
    recall,
    create({ record, ciphertext, claimTokenHash, quotaBytes, call }) {
      const known = call && recall(record.teamId, call);
      if (known) return known;
      const { teamId, ciphertextBytes } = record;
      const bytes = ROW_BYTES.secret + ciphertextRowBytes(ciphertextBytes);
      const others = ROW_BYTES.event + (call ? ROW_BYTES.call : 0);
      if (!storedBytes.fits(teamId, bytes + others, quotaBytes)) return { kind: "quota_exceeded" };
      storedBytes.charge(teamId, bytes);
      const inserted = statements.insert.get({ ...record, claimTokenHash, dueAt: record.expiresAt });
      statements.insertCiphertext.run({ seq: inserted?.seq, ciphertext, fillBytes: fillBytes(ciphertextBytes) });
      eventWriter.append("secret.created", record, record.createdAt, record.createdBy);
      if (call) calls.remember(call, record);
      return { kind: "created", secret: record };
    },
  };
}

/** What the answer to the creation of `row` was. */
function atCreation(row: SecretRow): SecretRecord {
  return { ...toSecretRecord(row, 0), state: "available", claims: 0, endedAt: null };
}
