import { and, eq, gt } from "drizzle-orm";
import type { ProofAttempt, ProofCodeUse, ProofEffect, ProofStore, ProvenAddress } from "../../domain/ports/proofs.ts";
import { deriveCode } from "../../domain/values/tokens.ts";
import { createAttempt } from "./passkeys.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

export function* createProof(
  context: ChangeContext,
  proof: ProofAttempt,
  tokenHash: Uint8Array,
  effect?: ProofEffect,
): Work<void> {
  yield* createAttempt(context, proof, tokenHash);
  if (!effect) return;
  if ("mail" in effect) yield* rowsOf(context.orm.insert(context.tables.mails).values(effect.mail));
  else context.append(effect.event);
}

export function* completeProof(
  context: ChangeContext,
  use: ProofCodeUse,
): Work<Awaited<ReturnType<ProofStore["completeProof"]>>> {
  const { attempts } = context.tables;
  const { tokenHash, subjectId, code, maxTries, provenUntil, refusal } = use;
  const own = eq(attempts.tokenHash, tokenHash);
  const live = and(
    own,
    eq(attempts.purpose, "proof"),
    eq(attempts.subjectId, subjectId),
    gt(attempts.expiresAt, context.clock.now()),
  );
  const [proof] = yield* rowsOf(context.orm.select().from(attempts).where(live));
  if (!proof) return "over";
  const address = proof.address ?? "";
  if (deriveCode(proof.challenge, subjectId) === code) {
    const proven = { purpose: "proven", challenge: "code", expiresAt: provenUntil } as const;
    yield* rowsOf(context.orm.update(attempts).set(proven).where(own));
    return { address };
  }
  const tries = proof.tries + 1;
  if (tries < maxTries) {
    yield* rowsOf(context.orm.update(attempts).set({ tries }).where(own));
  } else {
    yield* rowsOf(context.orm.delete(attempts).where(own));
    context.append({ ...refusal, address });
  }
  return "wrong";
}

export function* findProof(
  context: ReadContext,
  tokenHash: Uint8Array,
  subjectId: string,
): Work<ProvenAddress | undefined> {
  const { attempts } = context.tables;
  const now = yield* timeOf(context);
  const [proof] = yield* rowsOf(
    context.orm
      .select()
      .from(attempts)
      .where(
        and(
          eq(attempts.tokenHash, tokenHash),
          eq(attempts.purpose, "proven"),
          eq(attempts.subjectId, subjectId),
          gt(attempts.expiresAt, now),
        ),
      ),
  );
  if (!proof || proof.address === null) return undefined;
  return { address: proof.address, proof: proof.challenge === "session" ? "session" : "code" };
}
