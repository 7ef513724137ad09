import { forgottenAt, relationTo } from "../idempotency.ts";
import type { IdempotentCall } from "../ports/calls.ts";
import type { RememberedClaim } from "../secret-lifecycle.ts";
import type { CallRow, Lookups, Transaction } from "./transaction.ts";

/**
 * The earlier call with the same key; "conflict" when the key was used for something else, undefined when there is none,
 * or it is forgotten.
 */
export function recallCall({ calls, now }: Lookups, call: IdempotentCall): CallRow | "conflict" | undefined {
  const known = calls.find(call.digest);
  const relation = known && relationTo(known, call, now);
  return relation === "repeat" ? known : relation;
}

/** Remembers what a call made, or the claim that it was. */
export function rememberCall(
  tx: Transaction,
  { digest, fingerprint }: IdempotentCall,
  { id: subjectId, teamId }: { readonly id: string; readonly teamId: string },
  claim?: RememberedClaim,
): void {
  // A call of more than a day ago may not have been swept yet.
  const forgotten = tx.calls.find(digest);
  if (forgotten) removeCall(tx, forgotten);
  tx.charge(teamId, tx.charges.call);
  const { claimNumber = null, claimedAt = null, replayUntil = null } = claim ?? {};
  const expiresAt = forgottenAt(tx.now);
  tx.calls.add({ digest, fingerprint, teamId, subjectId, expiresAt, claimNumber, claimedAt, replayUntil });
}

/** Forgets a call. */
export function removeCall(tx: Transaction, row: CallRow): void {
  tx.calls.remove(row);
  tx.charge(row.teamId, -tx.charges.call);
}

/** The claim that a call made. Throws when the call made something else. */
export function toRememberedClaim({ claimNumber, claimedAt, replayUntil }: CallRow): RememberedClaim {
  if (claimNumber === null || claimedAt === null || replayUntil === null) throw new Error("the call was no claim");
  return { claimNumber, claimedAt, replayUntil };
}
