import type { Characters } from "../contract/ciphertexts.ts";
import type { Envelope } from "../contract/envelopes.ts";
import type { ENVELOPE_VERSION } from "../contract/states.ts";
import { findProvenAddress } from "./addressees.ts";
import { causeOf } from "./callers.ts";
import type { Caller } from "./callers.ts";
import { idempotentCall } from "./idempotency.ts";
import type { RepeatableCall } from "./idempotency.ts";
import type { ClaimInput, ClaimOutcome, SecretRecord } from "./ports/secrets.ts";
import type { SecretDeps } from "./secrets.ts";
import { callerGone, Refusal } from "./values/errors.ts";
import { hashToken } from "./values/tokens.ts";

/**
 * A claimed secret with its envelope. `replayUntil` is in epoch milliseconds, null when the claim can't be repeated.
 */
export interface ClaimedSecret {
  readonly secret: SecretRecord;
  readonly envelope: Pick<Envelope, "version"> & { readonly ciphertext: Characters };
  readonly replayUntil: number | null;
  /** True when an earlier call with the same idempotency key made this claim. */
  readonly isReplay: boolean;
}

export interface ClaimCall {
  readonly id: string;
  readonly call: RepeatableCall;
  /** The tokens of a proof and of an approval; undefined without one. */
  readonly proofToken?: string | undefined;
  readonly approvalToken?: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Claims a secret. `takeRoom` reserves memory for a large ciphertext before the claim, and throws a Refusal when there
 * is none. Throws it, and a Refusal: `not_found`, `envelope_version_unsupported`, `secret_claimed`, `secret_expired`,
 * `secret_revoked`, `proof_required`, `approval_required`, `idempotency_conflict`; `storage_unavailable`, when nothing
 * was handed out, though the claim may count if the outcome is unknown; that of `callerGone` when `signal` is aborted
 * before the claim.
 */
export async function claimSecret(
  deps: SecretDeps,
  caller: Caller,
  input: ClaimCall & { readonly takeRoom: (ciphertextBytes: number) => void },
): Promise<ClaimedSecret> {
  const windowSeconds = deps.policy.replayWindowSeconds;
  const claim = await toClaim(deps, caller, input, windowSeconds);
  // Most are small. The store reports a large one, and then the claim is repeated with memory reserved.
  let outcome = await deps.store.claimSecret({ ...claim, smallOnly: true });
  if (outcome?.kind === "too_large") {
    input.takeRoom(outcome.ciphertextBytes);
    outcome = await deps.store.claimSecret(claim);
  }
  const { secret, ciphertext, replayUntil, kind } = claimed(outcome);
  return {
    secret,
    // The claim of another version was refused.
    envelope: { version: secret.envelopeVersion as typeof ENVELOPE_VERSION, ciphertext },
    // A window of zero length is none.
    replayUntil: windowSeconds === 0 ? null : replayUntil,
    isReplay: kind === "replayed",
  };
}

/** The claim of `caller` for the store. It can be repeated for so many seconds. */
export async function toClaim(
  deps: SecretDeps,
  caller: Caller,
  input: ClaimCall,
  windowSeconds: number,
): Promise<ClaimInput> {
  const { id, proofToken, approvalToken, signal } = input;
  const call = idempotentCall(caller, input.call, () => []);
  const proven = await findProvenAddress(deps, caller, id, proofToken);
  const replayUntil = deps.clock.now() + windowSeconds * 1000;
  return {
    id,
    teamId: caller.teamId,
    ...causeOf(caller),
    ...proven,
    approvalHash: approvalToken === undefined ? undefined : hashToken(approvalToken).toHex(),
    call: call && { ...call, replayUntil },
    signal,
  };
}

type Claimed = Extract<ClaimOutcome, { readonly kind: "claimed" | "replayed" }>;

/** Returns the outcome of a claim that was made. Throws the Refusal of any other one. */
export function claimed(outcome: ClaimOutcome | undefined): Claimed {
  switch (outcome?.kind) {
    case undefined:
      throw new Refusal("not_found");
    case "conflict":
      throw new Refusal("idempotency_conflict");
    case "abandoned":
      throw callerGone();
    case "other_version":
      throw new Refusal("envelope_version_unsupported");
    case "too_large":
      throw new Error("a claim that has room was given none");
    case "replay_over":
      throw new Refusal("secret_claimed", {
        detail: "The claim made with this Idempotency-Key was acknowledged, or is too long ago to be repeated.",
      });
    case "unproven":
      throw new Refusal("proof_required");
    case "unapproved":
      throw new Refusal("approval_required");
    case "ended":
      throw new Refusal(`secret_${outcome.state}`);
    case "claimed":
    case "replayed":
      return outcome;
  }
}

/**
 * Acknowledges a claim after the recipient has stored the secret, so that its ciphertext can be erased. Resolves true
 * when it was acknowledged before. Throws a Refusal: `invalid_header` without an idempotency key, `not_found` when no
 * claim was made with it.
 */
export async function acknowledgeClaim(
  deps: SecretDeps,
  caller: Caller,
  input: { readonly id: string; readonly idempotencyKey: string | undefined; readonly claimPath: string },
): Promise<{ readonly isReplay: boolean }> {
  const call = idempotentCall(caller, { idempotencyKey: input.idempotencyKey, path: input.claimPath }, () => []);
  if (!call) {
    throw new Refusal("invalid_header", { detail: "Send the Idempotency-Key of the claim that you acknowledge." });
  }
  const outcome = await deps.store.acknowledgeClaim(input.id, call.digest);
  if (!outcome) throw new Refusal("not_found");
  return { isReplay: outcome === "repeated" };
}
