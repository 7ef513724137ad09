import { eq, sql } from "drizzle-orm";
import { forgottenAt, relationTo } from "../../domain/idempotency.ts";
import type { IdempotentCall } from "../../domain/ports/calls.ts";
import { ACKNOWLEDGED } from "../../domain/secret-lifecycle.ts";
import type { RememberedClaim } from "../../domain/secret-lifecycle.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import { idempotentCalls } from "./schema.ts";
import { prepareInsert } from "./statements/inserts.ts";
import { columnsOf, named, prepare } from "./statements/prepared.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

export type CallRow = typeof idempotentCalls.$inferSelect;

/** The memory of calls that may be repeated. */
export interface Calls {
  /** The call with this digest, forgotten or not; undefined when there is none. */
  find(digest: Uint8Array): CallRow | undefined;
  /**
   * The call as it was made before; "conflict" when the same key was used for something else, undefined when there is
   * none, or it is forgotten.
   */
  recall(call: IdempotentCall): CallRow | "conflict" | undefined;
  /** Remembers what a call made, or which claim it was. To be called inside a write. */
  remember(
    tx: Transaction,
    call: IdempotentCall,
    subject: { readonly id: string; readonly teamId: string },
    claim?: RememberedClaim,
  ): void;
  /** Ends the replay window of a claim. To be called inside a write. */
  acknowledge(digest: Uint8Array): void;
}

export function createCalls(context: StoreContext): Calls {
  const { orm, clock } = context;
  const p = sql.placeholder;
  const find = prepare(context, () =>
    orm
      .select(columnsOf(idempotentCalls))
      .from(idempotentCalls)
      .where(eq(idempotentCalls.digest, p("digest"))),
  );
  const insert = prepareInsert(context, idempotentCalls);
  const forget = prepare(context, () =>
    orm
      .delete(idempotentCalls)
      .where(eq(idempotentCalls.digest, p("digest")))
      .returning(named({ teamId: idempotentCalls.teamId })),
  );
  const acknowledge = prepare(context, () =>
    orm
      .update(idempotentCalls)
      .set({ replayUntil: ACKNOWLEDGED })
      .where(eq(idempotentCalls.digest, p("digest"))),
  );
  return {
    find: (digest) => find.get({ digest }),
    recall(call) {
      const known = find.get({ digest: call.digest });
      const relation = known && relationTo(known, call, clock.now());
      return relation === "repeat" ? known : relation;
    },
    remember(tx, { digest, fingerprint }, { id: subjectId, teamId }, claim) {
      // One of more than a day ago may not have been swept away yet.
      const forgotten = forget.get({ digest });
      if (forgotten) tx.charge(forgotten.teamId, -ROW_BYTES.call);
      tx.charge(teamId, ROW_BYTES.call);
      const { claimNumber = null, claimedAt = null, replayUntil = null } = claim ?? {};
      const expiresAt = forgottenAt(clock.now());
      insert({ digest, fingerprint, teamId, subjectId, expiresAt, claimNumber, claimedAt, replayUntil });
    },
    acknowledge: (digest) => void acknowledge.run({ digest }),
  };
}

/** The claim that a call made. Throws when the call made something else. */
export function toRememberedClaim({ claimNumber, claimedAt, replayUntil }: CallRow): RememberedClaim {
  if (claimNumber === null || claimedAt === null || replayUntil === null) throw new Error("the call was no claim");
  return { claimNumber, claimedAt, replayUntil };
}
