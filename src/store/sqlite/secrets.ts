import type { ClaimInput, ClaimOutcome, SecretStore } from "../../domain/ports.ts";
import {
  ACKNOWLEDGED,
  afterClaim,
  afterRevocation,
  answerToReplay,
  eventOf,
  isOverdue,
  seenAt,
} from "../../domain/secret-lifecycle.ts";
import type { StoreContext } from "./engine/context.ts";
import type { EventWriter } from "./events.ts";
import { toRememberedClaim } from "./idempotent-calls.ts";
import type { Calls } from "./idempotent-calls.ts";
import { keepExpiries } from "./lists.ts";
import type { SecretChanges } from "./secret-changes.ts";
import type { SecretCreations } from "./secret-creations.ts";
import { selectPage, toSecretRecord } from "./secret-rows.ts";
import type { SecretStatements } from "./secret-rows.ts";

export function createSecretStore(
  context: StoreContext,
  parts: {
    readonly statements: SecretStatements;
    readonly calls: Calls;
    readonly changes: SecretChanges;
    readonly creations: SecretCreations;
    readonly eventWriter: EventWriter;
  },
): SecretStore {
  const { writer, clock } = context;
  const { statements, calls, changes, creations, eventWriter } = parts;

  const claim = ({ id, teamId, actorId, call, signal }: ClaimInput): ClaimOutcome | undefined => {
    if (signal?.aborted) return { kind: "abandoned" };
    const row = statements.find.get({ id, teamId });
    if (!row) return undefined;
    const known = call && calls.recall(call);
    if (known === "conflict") return { kind: "conflict" };
    const now = clock.now();
    const ciphertext = statements.findCiphertext.get({ seq: row.seq })?.ciphertext;
    if (known) return answerToReplay(toSecretRecord(row), toRememberedClaim(known), ciphertext, now);
    const next = afterClaim(row, now);
    if (typeof next === "string") {
      changes.end(row, seenAt(row, now), null, now);
      return { kind: "ended", state: next };
    }
    if (ciphertext === undefined) throw new Error("an available secret has no ciphertext");
    const { claims, state, endedAt } = next;
    if (!statements.takeClaim.get({ seq: row.seq, now, claims, state, endedAt })) {
      throw new Error("a claim was taken twice");
    }
    eventWriter.append(eventOf(row, next, { actorId, now }));
    if (call) calls.remember(call, row, { claimNumber: claims, claimedAt: now, replayUntil: call.replayUntil });
    if (state !== "available") changes.settle(next, now);
    return { kind: "claimed", secret: toSecretRecord(next), ciphertext, replayUntil: call?.replayUntil ?? null };
  };

  const acknowledge = (id: string, claimDigest: Uint8Array): "acknowledged" | "repeated" | undefined => {
    const known = calls.find(claimDigest);
    if (known?.subjectId !== id || known.claimNumber === null) return undefined;
    if (known.replayUntil === ACKNOWLEDGED) return "repeated";
    calls.acknowledge(claimDigest);
    const row = statements.find.get({ id, teamId: known.teamId });
    if (row && row.state !== "available") changes.settle(row, clock.now());
    return "acknowledged";
  };

  const expire = (teamId: string, id: string): void => {
    const row = statements.find.get({ id, teamId });
    const now = clock.now();
    if (row) changes.end(row, seenAt(row, now), null, now);
  };

  return {
    createSecret: (secret) => writer.write("creation", () => creations.create(secret), secret.record.ciphertextBytes),
    replayCreation: async (teamId, call) => creations.recall(teamId, call),
    claimSecret: (input) => writer.write("essential", () => claim(input)),
    acknowledgeClaim: (id, digest) => writer.write("essential", () => acknowledge(id, digest)),
    revokeSecret: (teamId, id, actorId) =>
      writer.write("essential", () => {
        const row = statements.find.get({ id, teamId });
        if (!row) return undefined;
        const now = clock.now();
        return toSecretRecord(changes.end(row, afterRevocation(row, now), actorId, now));
      }),
    async findSecret(teamId, id) {
      const row = statements.find.get({ id, teamId });
      if (!row) return undefined;
      const now = clock.now();
      // Whoever has been told that it expired must never be told otherwise, whatever the clock does after a crash.
      if (isOverdue(row, now)) await writer.write("essential", () => expire(teamId, id));
      return toSecretRecord(seenAt(row, now));
    },
    async listSecrets(input) {
      const now = clock.now();
      const rows = selectPage(context, input, now);
      await keepExpiries(
        context,
        rows.filter((row) => isOverdue(row, now)),
      );
      return rows.map((row) => toSecretRecord(seenAt(row, now)));
    },
  };
}
