import type { Characters } from "../../contract/ciphertexts.ts";
import type { AskState, CiphertextFormat, EnvelopeVersion, ProofWay, SecretState } from "../../contract/states.ts";
import type { IdempotentCall } from "./calls.ts";
import type { ListInput, Page } from "./lists.ts";

/** The stored metadata of a secret. Times are epoch milliseconds. */
export interface SecretRecord {
  readonly id: string;
  readonly teamId: string;
  readonly state: SecretState;
  readonly envelopeVersion: EnvelopeVersion;
  readonly ciphertextBytes: number;
  readonly ciphertextFormat: CiphertextFormat;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly maxClaims: number;
  readonly claims: number;
  readonly endedAt: number | null;
  readonly createdBy: string | null;
  readonly requestId: string | null;
  /** The person named to the holder of its link; null for nobody. */
  readonly senderId: string | null;
  /** The ticket of the secret, for a submission that of its request; null for none. */
  readonly reference: string | null;
  /**
   * The addresses and domains (`*@example.com`) that may claim it, with a space between them; null for everybody with
   * the link.
   */
  readonly addressees: string | null;
  /** Who has to approve claims, and who has asked, as `approvals.ts` writes it; null for nobody. */
  readonly approval: string | null;
}

export interface NewSecret {
  readonly record: SecretRecord;
  /** A large ciphertext is bytes, whose ownership passes to the store: the caller must not use them afterwards. */
  /** Of a large secret, the id of its upload. */
  readonly ciphertext: Characters;
  readonly claimTokenHash: Uint8Array;
  /** The team's quota in bytes. */
  readonly quotaBytes: number;
  readonly call: IdempotentCall | undefined;
  /** The address of the client, for the event; null or absent unless the server logs addresses. */
  readonly network?: string | null;
}

export type CreateSecretOutcome =
  | { readonly kind: "created" | "replayed"; readonly secret: SecretRecord }
  /** `upload_ended`: of a large secret, whose upload isn't there any more. */
  | { readonly kind: "conflict" | "quota_exceeded" | "upload_ended" };

export interface ClaimInput {
  readonly id: string;
  readonly teamId: string;
  readonly actorId: string | null;
  /** The address that the caller has proven, and how; undefined for none. */
  readonly address?: string | undefined;
  readonly proof?: ProofWay | undefined;
  readonly network?: string | null;
  /** The hash of the token of an approval, in hexadecimal digits; undefined for none. */
  readonly approvalHash?: string | undefined;
  /** The call and the end of its replay window; undefined for a claim that can't be repeated. */
  readonly call: (IdempotentCall & { readonly replayUntil: number }) | undefined;
  /** True for the claim of a large secret, absent for that of any other. */
  readonly isLarge?: true;
  /** True to hand out a small ciphertext only, while no memory is reserved for a large one. */
  readonly smallOnly?: boolean | undefined;
  /**
   * Aborted when the caller is gone. If that happens before the transaction begins, nothing is handed out or used up.
   */
  readonly signal?: AbortSignal | undefined;
}

export type ClaimOutcome =
  | {
      readonly kind: "claimed" | "replayed";
      readonly secret: SecretRecord;
      /** Of a large secret, the id of its upload. */
      readonly ciphertext: Characters;
      readonly replayUntil: number | null;
    }
  /** The key belongs to another call, or the claim's replay window is over. */
  | { readonly kind: "conflict" | "replay_over" }
  /** The caller is gone; nothing has happened. */
  | { readonly kind: "abandoned" }
  /** The envelope has another version; nothing has happened. */
  | { readonly kind: "other_version" }
  /** The ciphertext is large, and no memory is reserved for it; nothing has happened. */
  | { readonly kind: "too_large"; readonly ciphertextBytes: number }
  /** It is for other people, or nobody has proven who they are; nothing has happened. */
  | { readonly kind: "unproven" }
  /** Somebody has to approve it first; nothing has happened. */
  | { readonly kind: "unapproved" }
  | { readonly kind: "ended"; readonly state: Exclude<SecretState, "available"> };

/** An ask for the approval of one claim. Times are epoch milliseconds. */
export interface AskRecord {
  readonly id: string;
  /** SHA-256 of its token, in hexadecimal digits. */
  readonly tokenHash: string;
  /** Three words with spaces between them. */
  readonly words: string;
  /** The address that the asker has proven; null for none. */
  readonly address: string | null;
  readonly proof: ProofWay | null;
  /** The identity of the asker; null for the holder of the link. */
  readonly askerId: string | null;
  readonly askedAt: number;
  /** The end of the time in which it can be decided, or used once it is approved. */
  readonly until: number;
  readonly state: AskState;
}

/** An identity that decides, and the address of its person if it has one. */
export interface Decider {
  readonly id: string | null;
  readonly address: string | undefined;
}

export interface AskInput {
  readonly id: string;
  readonly teamId: string;
  /** The ask without its times, which are those of the transaction. */
  readonly ask: Pick<AskRecord, "id" | "tokenHash" | "words" | "askerId">;
  /** The address that the asker has proven, and how; undefined for none. */
  readonly address: string | undefined;
  readonly proof?: ProofWay | undefined;
  readonly network?: string | null;
  readonly quotaBytes: number;
}

export type AskOutcome =
  | { readonly kind: "asked"; readonly ask: AskRecord }
  | { readonly kind: "unproven" | "needless" | "quota_exceeded" }
  /** So many asks wait that there is no room for another one until this time. */
  | { readonly kind: "too_many"; readonly until: number }
  | { readonly kind: "ended"; readonly state: Exclude<SecretState, "available"> };

export interface DecisionInput {
  readonly id: string;
  readonly teamId: string;
  readonly askId: string;
  readonly state: Exclude<AskState, "waiting">;
  readonly decider: Decider;
  readonly network?: string | null;
}

export type DecisionOutcome =
  | { readonly kind: "decided"; readonly secret: SecretRecord; readonly ask: AskRecord }
  | { readonly kind: "not_approver" };

/**
 * Stores secrets. Every method is atomic, and durable when its promise resolves. Rejects with a Refusal
 * `storage_unavailable` when it can't be committed; then nothing has happened, unless the refusal says that the outcome
 * is unknown.
 */
export interface SecretStore {
  createSecret(secret: NewSecret): Promise<CreateSecretOutcome>;
  /**
   * The outcome of the call's earlier creation; "conflict" when the key belongs to another call; undefined when nothing
   * was created, or it isn't kept any more.
   */
  replayCreation(teamId: string, call: IdempotentCall): Promise<CreateSecretOutcome | undefined>;
  /** Finds a secret of the team; undefined when there is none. */
  findSecret(teamId: string, id: string): Promise<SecretRecord | undefined>;
  /** One page of secrets, newest first. */
  listSecrets(input: ListInput<SecretState>): Promise<Page<SecretRecord>>;
  /** Claims a secret, at most `maxClaims` times. Resolves undefined when the team has no such secret. */
  claimSecret(input: ClaimInput): Promise<ClaimOutcome | undefined>;
  /** Acknowledges a claim, which ends its replay window. Resolves undefined when the call made no claim. */
  acknowledgeClaim(id: string, claimDigest: Uint8Array): Promise<"acknowledged" | "repeated" | undefined>;
  /**
   * Sets the terms of an available secret: the end of its life, and its claims in all. What is undefined stays, and so
   * does an ended secret. Resolves "submission" for one that was handed in, which keeps its terms. Resolves
   * "too_few" when it was claimed as often already, and undefined when the team has no such secret.
   */
  setSecretTerms(
    teamId: string,
    id: string,
    change: {
      readonly expiresAt: number | undefined;
      readonly maxClaims: number | undefined;
      readonly actorId: string | null;
      readonly network?: string | null;
      readonly quotaBytes: number;
    },
  ): Promise<SecretRecord | "quota_exceeded" | "submission" | "too_few" | undefined>;
  /**
   * Revokes an available secret. An ended secret stays as it is. Resolves undefined when the team has no such secret.
   */
  revokeSecret(
    teamId: string,
    id: string,
    actorId: string | null,
    network?: string | null,
  ): Promise<SecretRecord | undefined>;
  /** Adds an ask for approval to an available secret. Resolves undefined when the team has no such secret. */
  askApproval(input: AskInput): Promise<AskOutcome | undefined>;
  /** Decides an ask for approval. Resolves undefined when its time is over, or the team has no such secret. */
  decideAsk(input: DecisionInput): Promise<DecisionOutcome | undefined>;
  /** The available secrets of the team that somebody has asked to claim, oldest first. */
  listApprovals(teamId: string): Promise<SecretRecord[]>;
}
