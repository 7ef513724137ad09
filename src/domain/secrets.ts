import { charactersOf } from "../contract/ciphertexts.ts";
import type { Characters } from "../contract/ciphertexts.ts";
import type { Envelope, IncomingEnvelope } from "../contract/envelopes.ts";
import type { CreateSecretQuery, ListSecretsQuery, PatchSecretBody } from "../contract/secrets.ts";
import { findProvenAddress, parseAddressees } from "./addressees.ts";
import { actorOf, causeOf, checkDecider, networkOf, rulesOf } from "./callers.ts";
import type { Caller } from "./callers.ts";
import { inspectEnvelope } from "./envelopes.ts";
import { idempotentCall } from "./idempotency.ts";
import type { RepeatableCall } from "./idempotency.ts";
import type { Page } from "./ports/lists.ts";
import type { ProofStore } from "./ports/proofs.ts";
import type { CreateSecretOutcome, SecretRecord, SecretStore } from "./ports/secrets.ts";
import type { Clock, Ids, Random } from "./ports/sources.ts";
import { namedPersonId } from "./senders.ts";
import { provesAddresses } from "./server-policies.ts";
import type { ServerPolicy } from "./server-policies.ts";
import { newApproval } from "./values/approvals.ts";
import { readPage } from "./values/cursors.ts";
import { callerGone, Refusal } from "./values/errors.ts";
import { checkRules, termsWithin } from "./values/team-rules.ts";
import { hashToken, linkToken } from "./values/tokens.ts";
import type { LinkToken, LinkTokenSource } from "./values/tokens.ts";
import type { Waits } from "./waits.ts";

export interface SecretDeps {
  readonly store: SecretStore & Pick<ProofStore, "findProof">;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
  readonly waits: Waits;
}

/** A new secret. `claimToken` is undefined when the caller made the token. */
export interface CreatedSecret {
  readonly secret: SecretRecord;
  readonly claimToken: string | undefined;
  /** True when an earlier call with the same idempotency key made it. */
  readonly isReplay: boolean;
}

/**
 * Stores an envelope. Throws a Refusal: `payload_too_large`, `ciphertext_unrecognized`, `schema_mismatch` for terms
 * above the maximum and people who can't be chosen, `team_rule`, `team_quota_exceeded`, `idempotency_conflict`,
 * `storage_unavailable`.
 */
export async function createSecret(
  deps: SecretDeps,
  caller: Caller,
  input: { readonly envelope: IncomingEnvelope; readonly query: CreateSecretQuery; readonly call: RepeatableCall },
): Promise<CreatedSecret> {
  const { envelope, query } = input;
  const source: LinkTokenSource = {
    kind: "claim",
    random: deps.random,
    credential: caller.token,
    idempotencyKey: input.call.idempotencyKey,
    givenHash: query.claim_token_hash,
  };
  const content = () => [JSON.stringify(query, Object.keys(query).toSorted()), charactersOf(envelope.ciphertext)];
  const call = idempotentCall(caller, input.call, content);
  // A repetition gets the first answer, even if policy or disk would refuse the call now.
  const known = call && (await deps.store.replayCreation(caller.teamId, call));
  if (known) return createdSecret(known, source);
  const { policy } = deps;
  const id = deps.ids.next("secret");
  const rules = rulesOf(caller);
  const usual = termsWithin(policy, rules);
  const terms = {
    ttlSeconds: query.expires_in ?? usual.defaultTtlSeconds,
    maxClaims: query.max_claims ?? usual.defaultMaxClaims,
  };
  const senderId = namedPersonId(caller, query.anonymous);
  const { reference = null } = query;
  const addressees = toAddressees(policy, query.for);
  const approver = query.approval;
  if (approver === "sender") checkDecider(caller);
  const maker = { teamId: caller.teamId, createdBy: actorOf(caller), senderId };
  const origin = { id, ...maker, requestId: null, reference, addressees, approval: newApproval(approver) };
  const record = newSecretRecord(deps, { ...origin, ...terms }, envelope);
  checkRules(rules, { ...terms, reference, addressees, approver: approver ?? null });
  const token = linkToken(source, id);
  const outcome = await deps.store.createSecret({
    record,
    ciphertext: charactersOf(envelope.ciphertext),
    claimTokenHash: token.hash,
    quotaBytes: policy.teamQuotaBytes,
    call,
    network: networkOf(caller),
  });
  return createdSecret(outcome, source, token);
}

/** `token` is that of the new secret; for a replay, the earlier secret's token is derived again. */
function createdSecret(outcome: CreateSecretOutcome, source: LinkTokenSource, token?: LinkToken): CreatedSecret {
  const { secret, kind } = stored(outcome);
  const { shown } = kind === "created" && token ? token : linkToken(source, secret.id);
  return { secret, claimToken: shown, isReplay: kind === "replayed" };
}

/** Returns the outcome of a creation. Throws its Refusal when there is no record. */
export function stored<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
): Exclude<Outcome, { readonly kind: "conflict" | "quota_exceeded" }> {
  if (outcome.kind === "conflict") throw new Refusal("idempotency_conflict");
  if (outcome.kind === "quota_exceeded") throw new Refusal("team_quota_exceeded");
  return outcome as ReturnType<typeof stored<Outcome>>;
}

/**
 * Creates the record of a secret to be stored. Throws a Refusal: `payload_too_large`, `ciphertext_unrecognized`, or
 * `schema_mismatch` for terms above the maximum.
 */
export function newSecretRecord(
  deps: Pick<SecretDeps, "policy" | "clock">,
  what: Pick<
    SecretRecord,
    "id" | "teamId" | "createdBy" | "requestId" | "senderId" | "reference" | "addressees" | "approval" | "maxClaims"
  > & { readonly ttlSeconds: number },
  envelope: IncomingEnvelope,
): SecretRecord {
  const { policy } = deps;
  const { ttlSeconds, ...rest } = what;
  const inspected = inspectEnvelope(policy, envelope, "secret");
  if (ttlSeconds > policy.maxTtlSeconds) throw outOfRange("/query/expires_in");
  if (rest.maxClaims > policy.maxClaims) throw outOfRange("/query/max_claims");
  const now = deps.clock.now();
  return {
    ...rest,
    state: "available",
    envelopeVersion: envelope.version,
    ...inspected,
    createdAt: now,
    expiresAt: now + ttlSeconds * 1000,
    claims: 0,
    endedAt: null,
  };
}

/**
 * The stored form of the people whom something is for; null for everybody. Throws a Refusal `schema_mismatch` when one
 * of them is no address, and where no address can be proven.
 */
export function toAddressees(policy: ServerPolicy, asked: string | undefined): string | null {
  if (asked === undefined) return null;
  const wrong = (detail: string) =>
    new Refusal("schema_mismatch", { errors: [{ pointer: "/query/for", code: "format" }], detail });
  if (!provesAddresses(policy)) {
    throw wrong("This server has neither mail nor single sign-on, so nobody could prove an address.");
  }
  const addressees = parseAddressees(asked);
  if (addressees === undefined) throw wrong("One of them is no address, and no domain such as *@example.com.");
  return addressees;
}

/** The refusal of a parameter or member above the server's limit, or out of range for the reason in `detail`. */
export function outOfRange(pointer: string, detail?: string): Refusal {
  const errors = [{ pointer, code: "range" }] as const;
  return new Refusal("schema_mismatch", detail === undefined ? { errors } : { errors, detail });
}

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

interface ClaimCall {
  readonly id: string;
  readonly call: RepeatableCall;
  /** The tokens of a proof and of an approval; undefined without one. */
  readonly proofToken?: string | undefined;
  readonly approvalToken?: string | undefined;
  readonly signal?: AbortSignal;
  /** Reserves memory for a large ciphertext before the claim. Throws a Refusal when there is none. */
  readonly takeRoom: (ciphertextBytes: number) => void;
}

/**
 * Claims a secret. Throws a Refusal: `not_found`, `secret_claimed`, `secret_expired`, `secret_revoked`,
 * `proof_required`, `approval_required`, `idempotency_conflict`; `storage_unavailable`, when nothing was handed out,
 * though the claim may count if the outcome is unknown; that of `callerGone` when `signal` is aborted before the claim;
 * and the Refusal of `takeRoom`.
 */
export async function claimSecret(deps: SecretDeps, caller: Caller, input: ClaimCall): Promise<ClaimedSecret> {
  const { id, proofToken, approvalToken, signal } = input;
  const call = idempotentCall(caller, input.call, () => []);
  const proven = await findProvenAddress(deps, caller, id, proofToken);
  const replayUntil = deps.clock.now() + deps.policy.replayWindowSeconds * 1000;
  const claim = {
    id,
    teamId: caller.teamId,
    ...causeOf(caller),
    ...proven,
    approvalHash: approvalToken === undefined ? undefined : hashToken(approvalToken).toHex(),
    call: call && { ...call, replayUntil },
    signal,
  };
  // Most are small. The store reports a large one, and then the claim is repeated with memory reserved.
  let outcome = await deps.store.claimSecret({ ...claim, smallOnly: true });
  if (outcome?.kind === "too_large") {
    input.takeRoom(outcome.ciphertextBytes);
    outcome = await deps.store.claimSecret(claim);
  }
  switch (outcome?.kind) {
    case undefined:
      throw new Refusal("not_found");
    case "conflict":
      throw new Refusal("idempotency_conflict");
    case "abandoned":
      throw callerGone();
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
      return {
        secret: outcome.secret,
        envelope: { version: outcome.secret.envelopeVersion, ciphertext: outcome.ciphertext },
        // A window of zero length is none.
        replayUntil: deps.policy.replayWindowSeconds === 0 ? null : outcome.replayUntil,
        isReplay: outcome.kind === "replayed",
      };
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

/**
 * Gets the metadata of a secret. With `waitSeconds`, resolves when it has ended, and after that time at the latest.
 * Throws a Refusal `not_found`.
 */
export async function getSecret(
  deps: SecretDeps,
  caller: Caller,
  input: { readonly id: string; readonly waitSeconds: number; readonly signal: AbortSignal },
): Promise<SecretRecord> {
  const find = async () => {
    const secret = await deps.store.findSecret(caller.teamId, input.id);
    if (!secret) throw new Refusal("not_found");
    return secret;
  };
  return deps.waits.until({
    topic: input.id,
    credentialId: caller.credentialId,
    seconds: input.waitSeconds,
    signal: input.signal,
    read: find,
    settled: (secret) => secret.state !== "available",
    changesAt: (secret) => secret.expiresAt,
  });
}

/**
 * Lists secrets of the caller's team, newest first, with the cursor of the next page or null. Throws a Refusal
 * `schema_mismatch` for a cursor from the future.
 */
export async function listSecrets(
  deps: SecretDeps,
  caller: Caller,
  query: ListSecretsQuery,
): Promise<Page<SecretRecord>> {
  return readPage(deps.clock, "secret", (input) => deps.store.listSecrets(input), { teamId: caller.teamId, query });
}

/**
 * Sets how long, from now, and how often in all a secret can be claimed. Throws a Refusal: `not_found`,
 * `schema_mismatch` for terms above the maximum, for claims that were made already, and for a submission; `team_rule`,
 * `team_quota_exceeded`, or the code of the secret's end.
 */
export async function setSecretTerms(
  deps: SecretDeps,
  caller: Caller,
  id: string,
  { expires_in: ttlSeconds, max_claims: maxClaims }: PatchSecretBody,
): Promise<SecretRecord> {
  const { policy } = deps;
  if (ttlSeconds !== undefined && ttlSeconds > policy.maxTtlSeconds) throw outOfRange("/expires_in");
  if (maxClaims !== undefined && maxClaims > policy.maxClaims) throw outOfRange("/max_claims");
  checkRules(rulesOf(caller), { ttlSeconds, maxClaims });
  const secret = await deps.store.setSecretTerms(caller.teamId, id, {
    expiresAt: ttlSeconds === undefined ? undefined : deps.clock.now() + ttlSeconds * 1000,
    maxClaims,
    ...causeOf(caller),
    quotaBytes: policy.teamQuotaBytes,
  });
  if (!secret) throw new Refusal("not_found");
  if (secret === "quota_exceeded") throw new Refusal("team_quota_exceeded");
  if (secret === "too_few") {
    throw outOfRange("/max_claims", "The secret was claimed that often already: max_claims must be above its claims.");
  }
  if (secret === "submission") {
    throw new Refusal("schema_mismatch", { detail: "A secret that was handed in for a request keeps its terms." });
  }
  if (secret.state !== "available") throw new Refusal(`secret_${secret.state}`);
  return secret;
}

/**
 * Revokes a secret. A revoked secret stays as it is. Throws a Refusal: `not_found`, or `secret_claimed` or
 * `secret_expired` when it's too late.
 */
export async function revokeSecret(deps: SecretDeps, caller: Caller, id: string): Promise<SecretRecord> {
  const secret = await deps.store.revokeSecret(caller.teamId, id, actorOf(caller), networkOf(caller));
  switch (secret?.state) {
    case undefined:
      throw new Refusal("not_found");
    case "claimed":
      throw new Refusal("secret_claimed", { detail: "The secret was claimed before it could be revoked." });
    case "expired":
      throw new Refusal("secret_expired", { detail: "The secret expired before it could be revoked." });
    case "available":
      throw new Error("a revoked secret is still available");
    case "revoked":
      return secret;
  }
}
