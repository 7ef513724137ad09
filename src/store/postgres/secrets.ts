import { isCiphertext, LARGE_CIPHERTEXT_BYTES } from "../../contract/ciphertexts.ts";
import type { ClaimInput, ClaimOutcome, SecretStore } from "../../domain/ports/secrets.ts";
import {
  ACKNOWLEDGED,
  afterClaim,
  afterRevocation,
  answerToReplay,
  atCreation,
  eventOf,
  isOverdue,
  seenAt,
} from "../../domain/secret-lifecycle.ts";
import { storageUnavailable } from "../../domain/storage-refusals.ts";
import type { StoreContext } from "./engine/context.ts";
import { LATEST_AT, timeOf } from "./engine/context.ts";
import { toRow } from "./engine/rows.ts";
import { appendEvent } from "./engine/transaction.ts";
import type { Transaction } from "./engine/transaction.ts";
import { acknowledgeCall, findCall, recallCall, rememberCall, toRememberedClaim } from "./idempotent-calls.ts";
import { createPages, keepExpiries } from "./lists.ts";
import { findCreation } from "./replays.ts";
import { secrets } from "./schema.ts";
import { createSecret, endSecret, findSecret, settleSecret, sweepSecret, toSecretRecord } from "./secret-changes.ts";

export function createSecretStore(context: StoreContext): SecretStore {
  const { database, writer, tombstoneMs, clock } = context;
  const selectPage = createPages(context, secrets, { live: ["available"], ended: ["claimed", "expired", "revoked"] });
  return {
    createSecret(secret) {
      const { record, call } = secret;
      const needs = { teamIds: [record.teamId], digests: call ? [call.digest] : [] };
      return writer.write(needs, (tx) => createSecret(tx, secret), record.ciphertextBytes);
    },
    async replayCreation(teamId, call) {
      const found = await findCreation(context, secrets, teamId, call);
      if (found === "conflict") return { kind: "conflict" };
      return found && { kind: "replayed", secret: atCreation(toSecretRecord(found)) };
    },
    claimSecret({ signal, ...input }) {
      const { id, call, smallOnly } = input;
      const ciphertext = smallOnly ? { smallCiphertextIds: [id] } : { ciphertextIds: [id] };
      const needs = { secretIds: [id], ...ciphertext, digests: call ? [call.digest] : [] };
      return writer.write(needs, (tx) => (signal?.aborted ? { kind: "abandoned" } : claim(tx, input, tombstoneMs)));
    },
    acknowledgeClaim: (id, digest) =>
      writer.write({ secretIds: [id], digests: [digest] }, (tx) => acknowledge(tx, id, digest, tombstoneMs)),
    revokeSecret: (teamId, id, actorId) =>
      writer.write({ secretIds: [id] }, (tx) => {
        const row = findSecret(tx, teamId, id);
        if (!row) return undefined;
        const next = endSecret(tx, row, afterRevocation(row, tx.now), actorId, tombstoneMs);
        if (next !== row && next.state === "revoked") {
          const subject = { subjectId: id, subjectName: null, teamId };
          tx.traces.notes.push({ at: tx.now, action: "secret.revoked", ...subject, details: {} });
        }
        return toSecretRecord(next);
      }),
    async findSecret(teamId, id) {
      const rows = await database.read(`SELECT *, ${LATEST_AT} FROM secrets WHERE id = $1 AND team_id = $2`, [
        id,
        teamId,
      ]);
      const now = timeOf(context, rows);
      const [row] = rows.map((each) => toRow(secrets, each));
      if (!row) return undefined;
      if (!isOverdue(row, now)) return toSecretRecord(row);
      // Whoever has been told that it expired must never be told otherwise. It may have ended otherwise a moment ago.
      const ended = await writer.write({ secretIds: [id] }, (tx) => {
        const current = findSecret(tx, teamId, id);
        if (current) sweepSecret(tx, current, tombstoneMs);
        return current && seenAt(current, tx.now);
      });
      return ended && toSecretRecord(ended);
    },
    async listSecrets(input) {
      const { rows, nextCursor } = await selectPage(input);
      const now = clock.now();
      await keepExpiries(
        context,
        rows.filter((row) => isOverdue(row, now)),
      );
      return { items: rows.map((row) => toSecretRecord(seenAt(row, now))), nextCursor };
    },
  };
}

function claim(
  tx: Transaction,
  { id, teamId, actorId, call, smallOnly }: Omit<ClaimInput, "signal">,
  tombstoneMs: number,
): ClaimOutcome | undefined {
  const row = findSecret(tx, teamId, id);
  if (!row) return undefined;
  const known = call && recallCall(tx, call);
  if (known === "conflict") return { kind: "conflict" };
  const next = known ? undefined : afterClaim(row, tx.now);
  if (typeof next === "string") {
    endSecret(tx, row, seenAt(row, tx.now), null, tombstoneMs);
    return { kind: "ended", state: next };
  }
  const { ciphertextBytes } = row;
  const sealed = tx.sealed.get(id);
  if (smallOnly && ciphertextBytes >= LARGE_CIPHERTEXT_BYTES && sealed) return { kind: "too_large", ciphertextBytes };
  const ciphertext = sealed?.ciphertext ?? undefined;
  // Before it counts as handed out.
  if (typeof ciphertext === "string" && (ciphertext.length !== ciphertextBytes || !isCiphertext(ciphertext))) {
    throw storageUnavailable(new Error("a ciphertext is damaged"));
  }
  if (known) return answerToReplay(toSecretRecord(row), toRememberedClaim(known), ciphertext, tx.now);
  if (!next || ciphertext === undefined) throw new Error("an available secret has no ciphertext");
  tx.traces.deadlines.push(row.expiresAt);
  tx.secrets.set(id, next);
  appendEvent(tx, eventOf(row, next, actorId));
  const claimed = { claimNumber: next.claims, claimedAt: tx.now };
  if (call) rememberCall(tx, call, row, { ...claimed, replayUntil: call.replayUntil });
  if (next.state !== "available") settleSecret(tx, next, tombstoneMs);
  return { kind: "claimed", secret: toSecretRecord(next), ciphertext, replayUntil: call?.replayUntil ?? null };
}

function acknowledge(tx: Transaction, id: string, digest: Uint8Array, tombstoneMs: number) {
  const known = findCall(tx, digest);
  if (known?.subjectId !== id || known.claimNumber === null) return undefined;
  if (known.replayUntil === ACKNOWLEDGED) return "repeated";
  acknowledgeCall(tx, known);
  const row = findSecret(tx, known.teamId, id);
  if (row && row.state !== "available") settleSecret(tx, row, tombstoneMs);
  return "acknowledged";
}
