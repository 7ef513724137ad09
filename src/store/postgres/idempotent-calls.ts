import { forgottenAt, relationTo } from "../../domain/idempotency.ts";
import type { IdempotentCall } from "../../domain/ports/calls.ts";
import { ACKNOWLEDGED } from "../../domain/secret-lifecycle.ts";
import type { RememberedClaim } from "../../domain/secret-lifecycle.ts";
import { ROW_BYTES } from "./engine/stored-bytes.ts";
import type { CallRow, Transaction } from "./engine/transaction.ts";

// The memory of calls that may be repeated. What finds a call has to name its digest among the needs of its job.

/** The call with this digest, forgotten or not; undefined when there is none. */
export function findCall(tx: Transaction, digest: Uint8Array): CallRow | undefined {
  return tx.calls.get(digest.toHex());
}

/**
 * The call as it was made before; "conflict" when the same key was used for something else, undefined when there is none,
 * or it is forgotten.
 */
export function recallCall(tx: Transaction, call: IdempotentCall): CallRow | "conflict" | undefined {
  const known = findCall(tx, call.digest);
  const relation = known && relationTo(known, call, tx.now);
  return relation === "repeat" ? known : relation;
}

/** Remembers what a call made, or which claim it was. */
export function rememberCall(
  tx: Transaction,
  { digest, fingerprint }: IdempotentCall,
  { id: subjectId, teamId }: { readonly id: string; readonly teamId: string },
  claim?: RememberedClaim,
): void {
  const key = digest.toHex();
  // One of more than a day ago may not have been swept away yet.
  const forgotten = tx.calls.get(key);
  if (forgotten) tx.charge(forgotten.teamId, -ROW_BYTES.call);
  tx.charge(teamId, ROW_BYTES.call);
  const { claimNumber = null, claimedAt = null, replayUntil = null } = claim ?? {};
  const expiresAt = forgottenAt(tx.now);
  tx.calls.set(key, { digest, fingerprint, teamId, subjectId, expiresAt, claimNumber, claimedAt, replayUntil });
}

/** Ends the replay window of a claim. */
export function acknowledgeCall(tx: Transaction, call: CallRow): void {
  tx.calls.set(call.digest.toHex(), { ...call, replayUntil: ACKNOWLEDGED });
}

/** The latest end of the replay windows of a secret's claims; 0 when there is none. */
export function lastReplay(tx: Transaction, secretId: string): number {
  const ends = tx.calls.values().flatMap((call) => (call.subjectId === secretId ? [call.replayUntil ?? 0] : []));
  return Math.max(0, ...ends);
}

/** The claim that a call made. Throws when the call made something else. */
export function toRememberedClaim({ claimNumber, claimedAt, replayUntil }: CallRow): RememberedClaim {
  if (claimNumber === null || claimedAt === null || replayUntil === null) throw new Error("the call was no claim");
  return { claimNumber, claimedAt, replayUntil };
}
