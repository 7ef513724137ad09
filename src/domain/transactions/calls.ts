import { forgottenAt, relationTo } from "../idempotency.ts";
import type { IdempotentCall } from "../ports/calls.ts";
import type { RememberedClaim } from "../secret-lifecycle.ts";
import type { CallRow, Lookups, Transaction } from "./transaction.ts";

/**
 * Finds the earlier call with the same key. Returns "conflict" when that call was a different one, and undefined when
 * there is none, or it is older than the retention of calls.
 */
export function recallCall({ calls, now }: Lookups, call: IdempotentCall): CallRow | "conflict" | undefined {
  const known = calls.find(call.digest);
  const relation = known && relationTo(known, call, now);
  return relation === "repeat" ? known : relation;
}

/** Remembers a call with the row that it created, or the claim that it made. */
export function rememberCall(
  tx: Transaction,
  { digest, fingerprint }: IdempotentCall,
  { id: subjectId, teamId }: { readonly id: string; readonly teamId: string },
  claim?: RememberedClaim,
): void {
  // A call that has passed its retention may not have been swept yet.
  const forgotten = tx.calls.find(digest);
  if (forgotten) removeCall(tx, forgotten);
  tx.charge(teamId, tx.charges.call);
  const { claimNumber = null, claimedAt = null, replayUntil = null } = claim ?? {};
  const expiresAt = forgottenAt(tx.now);
  tx.calls.add({ digest, fingerprint, teamId, subjectId, expiresAt, claimNumber, claimedAt, replayUntil });
}

/** Removes a remembered call, and refunds its charge. */
export function removeCall(tx: Transaction, row: CallRow): void {
  tx.calls.remove(row);
  tx.charge(row.teamId, -tx.charges.call);
}

/** Removes the calls about a secret or a request, and refunds their charges. */
export function removeCallsOf(tx: Transaction, subjectId: string): void {
  for (const row of tx.calls.of(subjectId)) removeCall(tx, row);
}

/** Returns the claim of a call. Throws when the call was a creation. */
export function toRememberedClaim({ claimNumber, claimedAt, replayUntil }: CallRow): RememberedClaim {
  if (claimNumber === null || claimedAt === null || replayUntil === null) throw new Error("the call was no claim");
  return { claimNumber, claimedAt, replayUntil };
}
