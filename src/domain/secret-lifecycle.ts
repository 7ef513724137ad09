import type { Characters } from "../contract/ciphertexts.ts";
import type { SecretState } from "../contract/states.ts";
import type { NewEvent } from "./ports/events.ts";
import type { ClaimOutcome, SecretRecord } from "./ports/secrets.ts";

// The life of a secret, as pure functions over its record. A store finds the record, asks here what becomes of it, and
// writes that down, all in one transaction.

/** A state that is never left. */
export type EndedSecretState = Exclude<SecretState, "available">;

/** A claim as it is remembered for the call that made it. */
export interface RememberedClaim {
  /** The number of the claim among those of its secret; the first is 1. */
  readonly claimNumber: number;
  readonly claimedAt: number;
  /** The end of its replay window; `ACKNOWLEDGED` once the claim was acknowledged. */
  readonly replayUntil: number;
}

/** The end of the replay window of a claim that was acknowledged: no time that is to come. */
export const ACKNOWLEDGED = 0;

/** True when `secret` is over by time alone, and nobody has written that down yet. */
export function isOverdue(secret: Pick<SecretRecord, "state" | "expiresAt">, now: number): boolean {
  return secret.state === "available" && secret.expiresAt <= now;
}

/** The state of `secret` at `now`: an expired secret is expired whether or not anybody has written that down. */
export function stateAt(secret: Pick<SecretRecord, "state" | "expiresAt">, now: number): SecretState {
  return isOverdue(secret, now) ? "expired" : secret.state;
}

/** `secret` as everybody may see it at `now`. It ended when its time was over, not when somebody looked. */
export function seenAt<T extends SecretRecord>(secret: T, now: number): T {
  return isOverdue(secret, now) ? { ...secret, state: "expired", endedAt: secret.expiresAt } : secret;
}

/** `secret` after one more claim at `now`, or the state that it has ended in. The last claim that it allows ends it. */
export function afterClaim<T extends SecretRecord>(secret: T, now: number): T | EndedSecretState {
  const current = stateAt(secret, now);
  if (current !== "available") return current;
  const claims = secret.claims + 1;
  const isLast = claims >= secret.maxClaims;
  return { ...secret, claims, state: isLast ? "claimed" : "available", endedAt: isLast ? now : null };
}

/** `secret` after somebody wants it revoked at `now`. One that has ended stays as it is, an overdue one has expired. */
export function afterRevocation<T extends SecretRecord>(secret: T, now: number): T {
  if (stateAt(secret, now) !== "available") return seenAt(secret, now);
  return { ...secret, state: "revoked", endedAt: now };
}

/** `secret` as the answer to its creation had it. */
export function atCreation<T extends SecretRecord>(secret: T): T {
  return { ...secret, state: "available", claims: 0, endedAt: null };
}

/** `secret` as the answer to `claim`, one of its claims, had it. */
export function atClaim<T extends SecretRecord>(secret: T, { claimNumber, claimedAt }: RememberedClaim): T {
  const isLast = claimNumber >= secret.maxClaims;
  return {
    ...secret,
    state: isLast ? "claimed" : "available",
    claims: claimNumber,
    endedAt: isLast ? claimedAt : null,
  };
}

/**
 * The answer to a repetition of `claim` at `now`: the same again within the replay window. A revocation outlives no
 * replay window: whoever revokes wants it gone, and who comes again hears of that. `ciphertext` is undefined when it has
 * been erased.
 */
export function answerToReplay(
  secret: SecretRecord,
  claim: RememberedClaim,
  ciphertext: Characters | undefined,
  now: number,
): ClaimOutcome {
  if (secret.state === "revoked") return { kind: "ended", state: "revoked" };
  if (claim.replayUntil <= now || ciphertext === undefined) return { kind: "replay_over" };
  return { kind: "replayed", secret: atClaim(secret, claim), ciphertext, replayUntil: claim.replayUntil };
}

/**
 * The part of a secret that is kept: its ciphertext too, the tombstone alone, or nothing; and when time changes that,
 * or its state.
 */
export interface SecretRetention {
  readonly keep: "ciphertext" | "tombstone" | "nothing";
  /** Epoch milliseconds. In the past when there is nothing left to change. */
  readonly dueAt: number;
}

/**
 * The part of `secret` that is kept at `now`. The ciphertext goes with the end of the secret, but for a claim that can
 * still be replayed; after a revocation none can. The tombstone goes `tombstoneMs` after the end. `lastReplay` is the
 * latest end of a replay window that a claim of it was given, 0 when none was.
 */
export function retention(
  secret: SecretRecord,
  { lastReplay, tombstoneMs }: { readonly lastReplay: number; readonly tombstoneMs: number },
  now: number,
): SecretRetention {
  if (secret.state === "available") return { keep: "ciphertext", dueAt: secret.expiresAt };
  if (secret.state !== "revoked" && lastReplay > now) return { keep: "ciphertext", dueAt: lastReplay };
  const dueAt = (secret.endedAt ?? secret.expiresAt) + tombstoneMs;
  return { keep: dueAt > now ? "tombstone" : "nothing", dueAt };
}

/**
 * The event that tells how `before` became `after`; `before` is undefined for a new secret. `actorId` is who did it: nobody makes
 * a secret expire.
 */
export function eventOf(before: SecretRecord | undefined, after: SecretRecord, actorId: string | null): NewEvent {
  const { id: secretId, teamId, requestId, reference } = after;
  const subject = { teamId, secretId, requestId, reference };
  if (!before) return { ...subject, type: "secret.created", actorId };
  if (after.claims > before.claims) return { ...subject, type: "secret.claimed", actorId };
  switch (after.state) {
    case "expired":
      return { ...subject, type: "secret.expired", actorId: null };
    case "revoked":
      return { ...subject, type: "secret.revoked", actorId };
    case "available":
    case "claimed":
      throw new Error("nothing has become of the secret");
  }
}
