import { LARGE_CIPHERTEXT_BYTES } from "../../contract/ciphertexts.ts";
import type { ClaimInput, ClaimOutcome, NewSecret, SecretStore } from "../../domain/ports/secrets.ts";
import {
  ACKNOWLEDGED,
  afterClaim,
  afterRevocation,
  answerToReplay,
  eventOf,
  isOverdue,
  seenAt,
} from "../../domain/secret-lifecycle.ts";
import { createAdminLog } from "./admin-log.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import type { EventWriter } from "./events.ts";
import { refuseDamaged } from "./files/stored-ciphertexts.ts";
import { toRememberedClaim } from "./idempotent-calls.ts";
import type { Calls } from "./idempotent-calls.ts";
import { keepExpiries } from "./lists.ts";
import type { SecretChanges } from "./secret-changes.ts";
import type { SecretCreations } from "./secret-creations.ts";
import { toSecretRecord } from "./secret-rows.ts";
import type { SecretStatements } from "./secret-rows.ts";

export interface SecretParts {
  readonly statements: SecretStatements;
  readonly calls: Calls;
  readonly changes: SecretChanges;
  readonly creations: SecretCreations;
  readonly eventWriter: EventWriter;
}

export function createSecretStore(context: StoreContext, parts: SecretParts): SecretStore {
  const { clock } = context;
  const { statements, creations } = parts;
  const run = context.operations.add(secretOperations(context, parts));
  return {
    async createSecret(secret) {
      const outcome = await run("createSecret", secret);
      return outcome === "created" ? { kind: "created", secret: secret.record } : outcome;
    },
    replayCreation: async (teamId, call) => creations.recall(teamId, call),
    async claimSecret({ signal, ...input }) {
      const outcome = await run("claimSecret", input, signal);
      return outcome === "abandoned" ? { kind: "abandoned" } : outcome;
    },
    acknowledgeClaim: (id, claimDigest) => run("acknowledgeClaim", { id, claimDigest }),
    revokeSecret: (teamId, id, actorId) => run("revokeSecret", { teamId, id, actorId }),
    async findSecret(teamId, id) {
      const row = statements.find.get({ id, teamId });
      if (!row) return undefined;
      const now = clock.now();
      // Whoever has been told that it expired must never be told otherwise, whatever the clock does after a crash.
      if (isOverdue(row, now)) await run("expireSecret", { teamId, id });
      return toSecretRecord(seenAt(row, now));
    },
    async listSecrets(input) {
      const now = clock.now();
      const { items: rows, nextCursor } = statements.selectPage(input, now);
      await keepExpiries(
        context,
        rows.filter((row) => isOverdue(row, now)),
      );
      return { items: rows.map((row) => toSecretRecord(seenAt(row, now))), nextCursor };
    },
  };
}

function secretOperations(context: StoreContext, { statements, calls, changes, creations, eventWriter }: SecretParts) {
  const { clock } = context;
  const adminLog = createAdminLog(context);
  const claim = (tx: Transaction, { id, teamId, actorId, call, smallOnly }: ClaimInput): ClaimOutcome | undefined => {
    const row = statements.find.get({ id, teamId });
    if (!row) return undefined;
    const known = call && calls.recall(call);
    if (known === "conflict") return { kind: "conflict" };
    const now = clock.now();
    const next = known ? undefined : afterClaim(row, now);
    if (typeof next === "string") {
      changes.end(tx, row, seenAt(row, now), null, now);
      return { kind: "ended", state: next };
    }
    const { ciphertextBytes } = row;
    if (smallOnly && ciphertextBytes >= LARGE_CIPHERTEXT_BYTES && statements.hasCiphertext.get({ seq: row.seq })) {
      return { kind: "too_large", ciphertextBytes };
    }
    const ciphertext = statements.findCiphertext(row);
    // Before it counts as handed out.
    if (ciphertext !== undefined) refuseDamaged(ciphertext, ciphertext.length === ciphertextBytes);
    if (known) return answerToReplay(toSecretRecord(row), toRememberedClaim(known), ciphertext, now);
    if (!next || ciphertext === undefined) throw new Error("an available secret has no ciphertext");
    const { claims, state, endedAt } = next;
    if (statements.takeClaim.run({ seq: row.seq, now, claims, state, endedAt }).changes === 0) {
      throw new Error("a claim was taken twice");
    }
    eventWriter.append(tx, eventOf(row, next, actorId), state === "available");
    if (call) calls.remember(tx, call, row, { claimNumber: claims, claimedAt: now, replayUntil: call.replayUntil });
    if (state !== "available") changes.settle(tx, next, now);
    return { kind: "claimed", secret: toSecretRecord(next), ciphertext, replayUntil: call?.replayUntil ?? null };
  };

  const acknowledge = (tx: Transaction, id: string, claimDigest: Uint8Array) => {
    const known = calls.find(claimDigest);
    if (known?.subjectId !== id || known.claimNumber === null) return undefined;
    if (known.replayUntil === ACKNOWLEDGED) return "repeated";
    calls.acknowledge(claimDigest);
    const row = statements.find.get({ id, teamId: known.teamId });
    if (row && row.state !== "available") changes.settle(tx, row, clock.now());
    return "acknowledged";
  };

  return {
    createSecret: {
      kind: "creation",
      bytes: ({ record }: NewSecret) => record.ciphertextBytes,
      run(tx: Transaction, secret: NewSecret) {
        const outcome = creations.create(tx, secret);
        // Whoever asked has the record.
        return outcome.kind === "created" ? outcome.kind : outcome;
      },
    },
    claimSecret: { kind: "essential", run: claim },
    acknowledgeClaim: {
      kind: "essential",
      run: (tx: Transaction, { id, claimDigest }: { id: string; claimDigest: Uint8Array }) =>
        acknowledge(tx, id, claimDigest),
    },
    revokeSecret: {
      kind: "essential",
      run(tx: Transaction, { teamId, id, actorId }: { teamId: string; id: string; actorId: string | null }) {
        const row = statements.find.get({ id, teamId });
        const now = clock.now();
        if (!row) return undefined;
        const next = changes.end(tx, row, afterRevocation(row, now), actorId, now);
        if (next !== row && next.state === "revoked") {
          adminLog.record({ action: "secret.revoked", subjectId: id, teamId });
        }
        return toSecretRecord(next);
      },
    },
    expireSecret: {
      kind: "essential",
      run(tx: Transaction, { teamId, id }: { teamId: string; id: string }) {
        const row = statements.find.get({ id, teamId });
        const now = clock.now();
        if (row) changes.end(tx, row, seenAt(row, now), null, now);
      },
    },
  } as const;
}
