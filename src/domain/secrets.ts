import { charactersOf } from "../contract/ciphertexts.ts";
import type { Characters } from "../contract/ciphertexts.ts";
import type { IncomingEnvelope } from "../contract/envelopes.ts";
import type { CreateSecretQuery, ListSecretsQuery, PatchSecretBody } from "../contract/secrets.ts";
import { toAddressees } from "./addressees.ts";
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
import type { ServerPolicy } from "./server-policies.ts";
import { newApproval } from "./values/approvals.ts";
import { readPage } from "./values/cursors.ts";
import { Refusal } from "./values/errors.ts";
import { checkRules, termsWithin } from "./values/team-rules.ts";
import { linkToken } from "./values/tokens.ts";
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
  const { envelope, ...rest } = input;
  const ciphertext = charactersOf(envelope.ciphertext);
  return storeSecret(deps, caller, { ...rest, ciphertext, inspect: () => inspectSecret(deps, envelope) });
}

/** The facts about a ciphertext that the record of its secret has. */
export type Inspected = Pick<SecretRecord, "envelopeVersion" | "ciphertextBytes" | "ciphertextFormat">;

/** Inspects an incoming envelope. Throws a Refusal: `payload_too_large`, `ciphertext_unrecognized`. */
export function inspectSecret({ policy }: Pick<SecretDeps, "policy">, envelope: IncomingEnvelope): Inspected {
  return { envelopeVersion: envelope.version, ...inspectEnvelope(policy, envelope, "secret") };
}

/** A secret to be stored: its ciphertext, or the id of its upload, and what `inspect` says about it or refuses. */
export interface SecretToStore {
  readonly ciphertext: Characters;
  readonly inspect: () => Inspected | Promise<Inspected>;
  readonly query: CreateSecretQuery;
  readonly call: RepeatableCall;
}

/** Stores a secret with the terms of `query`. Throws the Refusals of `createSecret`, and `upload_ended`. */
export async function storeSecret(deps: SecretDeps, caller: Caller, input: SecretToStore): Promise<CreatedSecret> {
  const { ciphertext, inspect, query } = input;
  const source: LinkTokenSource = {
    kind: "claim",
    random: deps.random,
    credential: caller.token,
    idempotencyKey: input.call.idempotencyKey,
    givenHash: query.claim_token_hash,
  };
  const content = () => [JSON.stringify(query, Object.keys(query).toSorted()), ciphertext];
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
  const inspected = await inspect();
  const maker = { teamId: caller.teamId, createdBy: actorOf(caller), senderId };
  const origin = { id, ...maker, requestId: null, reference, addressees, approval: newApproval(approver) };
  const record = newSecretRecord(deps, { ...origin, ...terms, ...inspected });
  checkRules(rules, { ...terms, reference, addressees, approver: approver ?? null });
  const token = linkToken(source, id);
  const outcome = await deps.store.createSecret({
    record,
    ciphertext,
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
): Exclude<Outcome, { readonly kind: "conflict" | "quota_exceeded" | "upload_ended" }> {
  if (outcome.kind === "upload_ended") throw new Refusal("upload_ended");
  if (outcome.kind === "conflict") throw new Refusal("idempotency_conflict");
  if (outcome.kind === "quota_exceeded") throw new Refusal("team_quota_exceeded");
  return outcome as ReturnType<typeof stored<Outcome>>;
}

/** Creates the record of a secret to be stored. Throws a Refusal `schema_mismatch` for terms above the maximum. */
export function newSecretRecord(
  deps: Pick<SecretDeps, "policy" | "clock">,
  what: Pick<
    SecretRecord,
    "id" | "teamId" | "createdBy" | "requestId" | "senderId" | "reference" | "addressees" | "approval" | "maxClaims"
  > &
    Inspected & { readonly ttlSeconds: number },
): SecretRecord {
  const { policy } = deps;
  const { ttlSeconds, ...rest } = what;
  if (ttlSeconds > policy.maxTtlSeconds) throw outOfRange("/query/expires_in");
  if (rest.maxClaims > policy.maxClaims) throw outOfRange("/query/max_claims");
  const now = deps.clock.now();
  return {
    ...rest,
    state: "available",
    createdAt: now,
    expiresAt: now + ttlSeconds * 1000,
    claims: 0,
    endedAt: null,
  };
}

/** The refusal of a parameter or member above the server's limit, or out of range for the reason in `detail`. */
export function outOfRange(pointer: string, detail?: string): Refusal {
  const errors = [{ pointer, code: "range" }] as const;
  return new Refusal("schema_mismatch", detail === undefined ? { errors } : { errors, detail });
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
