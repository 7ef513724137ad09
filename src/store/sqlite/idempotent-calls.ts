import { eq, sql } from "drizzle-orm";
import { IDEMPOTENCY_SECONDS } from "../../contract/limits.ts";
import type { IdempotentCall } from "../../domain/ports.ts";
import type { StoreContext } from "./engine/context.ts";
import { idempotentCalls } from "./schema.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

/** The end of the replay window of a claim that was acknowledged: no time that is to come. */
export const ACKNOWLEDGED = 0;

export type CallRow = typeof idempotentCalls.$inferSelect;

/** The memory of calls that may be repeated. */
export function prepareCalls({ orm, clock, storedBytes }: StoreContext) {
  const p = sql.placeholder;
  const find = orm
    .select()
    .from(idempotentCalls)
    .where(eq(idempotentCalls.digest, p("digest")))
    .prepare();
  const insert = orm
    .insert(idempotentCalls)
    .values({
      digest: p("digest"),
      fingerprint: p("fingerprint"),
      teamId: p("teamId"),
      subjectId: p("subjectId"),
      expiresAt: p("expiresAt"),
      claimNumber: p("claimNumber"),
      claimedAt: p("claimedAt"),
      replayUntil: p("replayUntil"),
    })
    .prepare();
  const forget = orm
    .delete(idempotentCalls)
    .where(eq(idempotentCalls.digest, p("digest")))
    .returning({ teamId: idempotentCalls.teamId })
    .prepare();
  const acknowledge = orm
    .update(idempotentCalls)
    .set({ replayUntil: ACKNOWLEDGED })
    .where(eq(idempotentCalls.digest, p("digest")))
    .prepare();
  return {
    find,
    acknowledge,
    /** The call as it was made before; "conflict" when the same key was used for something else. */
    recall({ digest, fingerprint }: IdempotentCall): CallRow | "conflict" | undefined {
      const known = find.get({ digest });
      if (!known || known.expiresAt <= clock.now()) return undefined;
      return Buffer.compare(known.fingerprint, fingerprint) === 0 ? known : "conflict";
    },
    remember(
      { digest, fingerprint }: IdempotentCall,
      subject: { readonly id: string; readonly teamId: string },
      claim?: { readonly number: number; readonly at: number; readonly replayUntil: number },
    ): void {
      // One of more than a day ago may not have been swept away yet.
      const forgotten = forget.get({ digest });
      if (forgotten) storedBytes.charge(forgotten.teamId, -ROW_BYTES.call);
      storedBytes.charge(subject.teamId, ROW_BYTES.call);
      insert.run({
        digest,
        fingerprint,
        teamId: subject.teamId,
        subjectId: subject.id,
        expiresAt: clock.now() + IDEMPOTENCY_SECONDS * 1000,
        claimNumber: claim?.number ?? null,
        claimedAt: claim?.at ?? null,
        replayUntil: claim?.replayUntil ?? null,
      });
    },
  };
}
