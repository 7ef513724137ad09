import type { ClaimInput, ClaimOutcome, SecretRecord, SecretStore } from "../../domain/ports.ts";
import type { StoreContext } from "./engine/context.ts";
import type { EventWriter } from "./events.ts";
import { ACKNOWLEDGED, prepareCalls } from "./idempotent-calls.ts";
import type { CallRow } from "./idempotent-calls.ts";
import type { SecretCreations } from "./secret-creations.ts";
import type { SecretEnds } from "./secret-ends.ts";
import { hasExpired, selectPage, toSecretRecord } from "./secret-rows.ts";
import type { SecretRow, SecretStatements } from "./secret-rows.ts";

export function createSecretStore(
  context: StoreContext,
  statements: SecretStatements,
  ends: SecretEnds,
  creations: SecretCreations,
  eventWriter: EventWriter,
): SecretStore {
  const { writer, clock } = context;
  const calls = prepareCalls(context);

  const claim = ({ id, teamId, actorId, call, signal }: ClaimInput): ClaimOutcome | undefined => {
    if (signal?.aborted) return { kind: "abandoned" };
    const row = statements.find.get({ id, teamId });
    if (!row) return undefined;
    const known = call && calls.recall(call);
    if (known === "conflict") return { kind: "conflict" };
    if (known) return replay(row, known);
    const now = clock.now();
    const ciphertext = statements.findCiphertext.get({ seq: row.seq })?.ciphertext;
    const claimed = statements.takeClaim.get({ seq: row.seq, now });
    if (!claimed || ciphertext === undefined) {
      const { state } = ends.expireIfDue(row, now);
      if (state !== "available") return { kind: "ended", state };
      throw new Error("an available secret has no ciphertext");
    }
    eventWriter.append("secret.claimed", claimed, now, actorId);
    if (call) calls.remember(call, row, { number: claimed.claims, at: now, replayUntil: call.replayUntil });
    if (claimed.state !== "available") ends.settle(claimed, now);
    return {
      kind: "claimed",
      secret: toSecretRecord(claimed, now),
      ciphertext,
      replayUntil: call?.replayUntil ?? null,
    };
  };

  const replay = (row: SecretRow, known: CallRow): ClaimOutcome => {
    const ciphertext = statements.findCiphertext.get({ seq: row.seq })?.ciphertext;
    if (row.state === "revoked") return { kind: "ended", state: "revoked" };
    if ((known.replayUntil ?? 0) <= clock.now() || ciphertext === undefined) return { kind: "replay_over" };
    return { kind: "replayed", secret: atClaim(row, known), ciphertext, replayUntil: known.replayUntil };
  };

  const acknowledge = (id: string, claimDigest: Uint8Array): "acknowledged" | "repeated" | undefined => {
    const known = calls.find.get({ digest: claimDigest });
    if (known?.subjectId !== id || known.claimNumber === null) return undefined;
    if (known.replayUntil === ACKNOWLEDGED) return "repeated";
    calls.acknowledge.run({ digest: claimDigest });
    const row = statements.find.get({ id, teamId: known.teamId });
    if (row && row.state !== "available") ends.settle(row, clock.now());
    return "acknowledged";
  };

  const expire = (teamId: string, id: string): void => {
    const row = statements.find.get({ id, teamId });
    if (row) ends.expireIfDue(row, clock.now());
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
        const current = ends.expireIfDue(row, now);
        return toSecretRecord(current.state === "available" ? ends.end(current, "revoked", actorId) : current, now);
      }),
    async findSecret(teamId, id) {
      const row = statements.find.get({ id, teamId });
      if (!row) return undefined;
      const now = clock.now();
      // Whoever has been told that it expired must never be told otherwise, whatever the clock does after a crash.
      if (hasExpired(row, now)) await writer.write("essential", () => expire(teamId, id));
      return toSecretRecord(row, now);
    },
    listSecrets: async (input) => {
      const now = clock.now();
      const rows = selectPage(context, input, now);
      // As above; the sweeper does the rest.
      await context.keepTime(Math.max(0, ...rows.filter((row) => hasExpired(row, now)).map((row) => row.expiresAt)));
      return rows.map((row) => toSecretRecord(row, now));
    },
  };
}

/** What the answer to a claim of `row` was. */
function atClaim(row: SecretRow, call: CallRow): SecretRecord {
  const claims = call.claimNumber ?? 0;
  const last = claims >= row.maxClaims;
  return {
    ...toSecretRecord(row, 0),
    state: last ? "claimed" : "available",
    claims,
    endedAt: last ? call.claimedAt : null,
  };
}
