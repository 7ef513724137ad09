import type { Characters } from "../../contract/ciphertexts.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { CiphertextFormat, SecretState } from "../../contract/states.ts";
import type { IdempotentCall } from "./calls.ts";
import type { ListInput, Page } from "./lists.ts";

/** The metadata of a secret as it is stored. Times are epoch milliseconds. */
export interface SecretRecord {
  readonly id: string;
  readonly teamId: string;
  readonly state: SecretState;
  readonly envelopeVersion: Envelope["version"];
  readonly ciphertextBytes: number;
  readonly ciphertextFormat: CiphertextFormat;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly maxClaims: number;
  readonly claims: number;
  readonly endedAt: number | null;
  readonly createdBy: string | null;
  readonly requestId: string | null;
  /** The person whom the holder of its link is told of; null for nobody. */
  readonly senderId: string | null;
  /** The ticket that it is about; that of its request where it was handed in. */
  readonly reference: string | null;
}

export interface NewSecret {
  readonly record: SecretRecord;
  /** A large one comes as the bytes of its characters, which the store takes over: they may be gone afterwards. */
  readonly ciphertext: Characters;
  readonly claimTokenHash: Uint8Array;
  /** The bytes that the team may take up in the database, this included. */
  readonly quotaBytes: number;
  readonly call: IdempotentCall | undefined;
}

export type CreateSecretOutcome =
  | { readonly kind: "created" | "replayed"; readonly secret: SecretRecord }
  | { readonly kind: "conflict" | "quota_exceeded" };

export interface ClaimInput {
  readonly id: string;
  readonly teamId: string;
  readonly actorId: string | null;
  /** The call, and until when it may be replayed; undefined makes a claim that cannot be. */
  readonly call: (IdempotentCall & { readonly replayUntil: number }) | undefined;
  /** True while there may be no memory for a large ciphertext: then only a small one is handed out. */
  readonly smallOnly?: boolean | undefined;
  /** Aborted when the caller is gone. Before the transaction begins, nothing is handed out or used up then. */
  readonly signal?: AbortSignal | undefined;
}

export type ClaimOutcome =
  | {
      readonly kind: "claimed" | "replayed";
      readonly secret: SecretRecord;
      readonly ciphertext: Characters;
      readonly replayUntil: number | null;
    }
  /** The claim of this call was made, and can no longer be replayed. */
  | { readonly kind: "conflict" | "replay_over" }
  /** The caller was gone; nothing has happened. */
  | { readonly kind: "abandoned" }
  /** The ciphertext is large, and there was no room for it yet; nothing has happened. */
  | { readonly kind: "too_large"; readonly ciphertextBytes: number }
  | { readonly kind: "ended"; readonly state: Exclude<SecretState, "available"> };

/**
 * Keeps secrets. Every method is whole: it happens entirely or not at all, and is on disk when its promise resolves.
 * Rejects with a Refusal `storage_unavailable` when it cannot be committed; then nothing has happened, unless its
 * outcome is unknown.
 */
export interface SecretStore {
  createSecret(secret: NewSecret): Promise<CreateSecretOutcome>;
  /**
   * The outcome of the creation that this call made before; "conflict" when the same key made something else, undefined
   * when it made nothing, or nothing that is still there.
   */
  replayCreation(teamId: string, call: IdempotentCall): Promise<CreateSecretOutcome | undefined>;
  /** Resolves undefined when the team has no such secret. */
  findSecret(teamId: string, id: string): Promise<SecretRecord | undefined>;
  /** The secrets of one page, newest first. */
  listSecrets(input: ListInput<SecretState>): Promise<Page<SecretRecord>>;
  /** Takes one claim, at most `maxClaims` times. Resolves undefined when the team has no such secret. */
  claimSecret(input: ClaimInput): Promise<ClaimOutcome | undefined>;
  /** Ends the replay window of a claim, once. Resolves undefined when no claim was made by that call. */
  acknowledgeClaim(id: string, claimDigest: Uint8Array): Promise<"acknowledged" | "repeated" | undefined>;
  /** Ends an available secret; leaves an ended one as it is. Resolves undefined when the team has no such secret. */
  revokeSecret(teamId: string, id: string, actorId: string | null): Promise<SecretRecord | undefined>;
}
