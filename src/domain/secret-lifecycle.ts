import type { Characters } from "../contract/ciphertexts.ts";
import type { SecretState } from "../contract/states.ts";
import type { EventActor, NewEvent } from "./ports/events.ts";
import type { ClaimOutcome, SecretRecord } from "./ports/secrets.ts";
import { seenAt, stateAt } from "./values/expiry.ts";
import type { Retention } from "./values/expiry.ts";

// The lifecycle of a secret, as pure functions over its record. A transaction reads the record, decides by these
// functions, and writes the result.

/** A final state. */
export type EndedSecretState = Exclude<SecretState, "available">;

/** The record of a claim for the call that made it. */
export interface RememberedClaim {
  /** The number of the claim, counted from 1 for each secret. */
  readonly claimNumber: number;
  readonly claimedAt: number;
  /** The end of the replay window; `ACKNOWLEDGED` after the acknowledgement. */
  readonly replayUntil: number;
}

/** The replay window's end for an acknowledged claim: always in the past. */
export const ACKNOWLEDGED = 0;

/** `secret` after one more claim at `now`, or the state in which it ended. The last allowed claim ends it. */
export function afterClaim<T extends SecretRecord>(secret: T, now: number): T | EndedSecretState {
  const current = stateAt(secret, now);
  if (current !== "available") return current;
  const claims = secret.claims + 1;
  const isLast = claims >= secret.maxClaims;
  return { ...secret, claims, state: isLast ? "claimed" : "available", endedAt: isLast ? now : null };
}

/** How long and how often a secret can be claimed; undefined for what stays. */
export interface TermsChange {
  /** Epoch milliseconds. */
  readonly expiresAt: number | undefined;
  readonly maxClaims: number | undefined;
}

/**
 * `secret` with other terms at `now`; "too_few" when it was claimed as often as `maxClaims` already. An ended secret
 * stays as it is, and an overdue one becomes expired.
 */
export function afterTerms<T extends SecretRecord>(
  secret: T,
  { expiresAt = secret.expiresAt, maxClaims = secret.maxClaims }: TermsChange,
  now: number,
): T | "too_few" {
  if (stateAt(secret, now) !== "available") return seenAt(secret, now);
  // The last allowed claim would have ended it.
  if (maxClaims <= secret.claims) return "too_few";
  if (expiresAt === secret.expiresAt && maxClaims === secret.maxClaims) return secret;
  return { ...secret, expiresAt, maxClaims };
}

/** `secret` after a revocation at `now`. An ended secret stays as it is, and an overdue one becomes expired. */
export function afterRevocation<T extends SecretRecord>(secret: T, now: number): T {
  if (stateAt(secret, now) !== "available") return seenAt(secret, now);
  return { ...secret, state: "revoked", endedAt: now };
}

/** `secret` as it was in the answer to its creation, with its terms of now. */
export function atCreation<T extends SecretRecord>(secret: T): T {
  return { ...secret, state: "available", claims: 0, endedAt: null };
}

/** `secret` as it was in the answer to the given claim, with its terms of now. */
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
 * The answer to a repetition of `claim` at `now`: the first answer within the replay window. A revocation ends all
 * replay windows: the repetition is answered as revoked. `ciphertext` is undefined when it has been erased.
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
 * Decides how much of `secret` is kept at `now`. The ciphertext is erased when the secret ends, or after the last
 * replay window; after a revocation, no claim can be replayed. The tombstone is erased `tombstoneMs` after the end.
 * `lastReplay` is the latest end of a replay window, 0 for none.
 */
export function retention(
  secret: SecretRecord,
  { lastReplay, tombstoneMs }: { readonly lastReplay: number; readonly tombstoneMs: number },
  now: number,
): Retention<"ciphertext"> {
  if (secret.state === "available") return { keep: "ciphertext", dueAt: secret.expiresAt };
  if (secret.state !== "revoked" && lastReplay > now) return { keep: "ciphertext", dueAt: lastReplay };
  const dueAt = (secret.endedAt ?? secret.expiresAt) + tombstoneMs;
  return { keep: dueAt > now ? "tombstone" : "nothing", dueAt };
}

/** No actor, and the holder of a link. */
export const NOBODY: EventActor = { actorId: null, address: null };

/** The event for the change from `before` to `after`. `before` is undefined for a new secret. Expiry has no actor. */
export function eventOf(before: SecretRecord | undefined, after: SecretRecord, actor: EventActor): NewEvent {
  const { id: secretId, teamId, requestId, reference } = after;
  const subject = { teamId, secretId, requestId, reference };
  if (!before) return { ...subject, type: "secret.created", ...actor };
  if (after.claims > before.claims) return { ...subject, type: "secret.claimed", ...actor };
  const hasOtherTerms = after.expiresAt !== before.expiresAt || after.maxClaims !== before.maxClaims;
  if (hasOtherTerms) return { ...subject, type: "secret.changed", ...actor };
  switch (after.state) {
    case "expired":
      return { ...subject, type: "secret.expired", ...NOBODY };
    case "revoked":
      return { ...subject, type: "secret.revoked", ...actor };
    case "available":
    case "claimed":
      throw new Error("nothing has become of the secret");
  }
}
