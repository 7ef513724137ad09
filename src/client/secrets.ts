import type { Envelope } from "../contract/envelopes.ts";
import type { Secret } from "../contract/secrets.ts";
import type { SecretState } from "../contract/states.ts";
import { unexpected } from "./answers.ts";
import { getCredential } from "./credentials.ts";
import { ClientError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { checkLifetime, checkRuledTerms, checkTimes } from "./limits.ts";
import { listPages } from "./pages.ts";
import type { ListOptions } from "./pages.ts";
import { parseClaim, parseSecret } from "./shapes.ts";
import type { Progress } from "./transfers.ts";
import { readOutcome } from "./unknown-outcomes.ts";

/** A claimed secret, still encrypted. */
export interface ClaimedEnvelope {
  readonly secret: Secret;
  readonly envelope: Envelope;
  /** The end of the time in which the claim can be repeated; null when it can't be. */
  readonly replayUntil: string | null;
}

/** The tokens that a claim may need. */
export interface ClaimTokens {
  /** Of a complete proof, where the secret is for chosen people. */
  readonly proofToken?: string | undefined;
  /** Of an approved ask, where somebody has to approve. It counts as the proof too. */
  readonly approvalToken?: string | undefined;
}

/**
 * Claims a secret, or repeats the claim with the same `idempotencyKey` in the replay window. Throws ClientError;
 * `proof_required` or `approval_required` without the tokens that it needs.
 */
export async function claimSecret(
  client: HttpClient,
  id: string,
  idempotencyKey: string,
  onProgress?: Progress,
  tokens: ClaimTokens = {},
): Promise<ClaimedEnvelope> {
  const answer = await client.call("claimSecret", { id, idempotencyKey, onProgress, ...tokens });
  const { secret, envelope, replay_until: replayUntil } = readOutcome("claimSecret", () => parseClaim(answer, id));
  return { secret, envelope, replayUntil };
}

/** Acknowledges a claim after the secret was stored here, so that the server erases it now. Throws ClientError. */
export async function acknowledgeClaim(client: HttpClient, id: string, idempotencyKey: string): Promise<void> {
  await client.call("acknowledgeClaim", { id, idempotencyKey });
}

/** Gets the metadata of a secret. Throws ClientError. */
export async function getSecret(client: HttpClient, id: string): Promise<Secret> {
  return parseSecret(await client.call("getSecret", { id }), id);
}

/**
 * Sets how many seconds from now, and how often in all, a secret can be opened. What is undefined stays. Returns it.
 * Throws ClientError; `secret_claimed`, `secret_expired` or `secret_revoked` when it has ended.
 */
export async function changeSecret(
  client: HttpClient,
  id: string,
  { ttlSeconds, maxClaims }: { readonly ttlSeconds?: number | undefined; readonly maxClaims?: number | undefined },
): Promise<Secret> {
  const { limits, rules } = await getCredential(client);
  checkRuledTerms(rules, ttlSeconds, maxClaims);
  checkLifetime(ttlSeconds, limits.max_expires_in);
  checkTimes(maxClaims, limits.max_claims, "claims");
  const body = {
    ...(ttlSeconds === undefined ? {} : { expires_in: ttlSeconds }),
    ...(maxClaims === undefined ? {} : { max_claims: maxClaims }),
  };
  return explainingEnd(TOO_LATE_TO_EXTEND, async () => {
    const answer = await client.call("patchSecret", { id, body });
    return readOutcome("patchSecret", () => parseSecret(answer, id));
  });
}

type EndTexts = Partial<Record<ClientError["code"], string>>;

const TOO_LATE_TO_EXTEND: EndTexts = {
  secret_claimed: "Can't extend: it has been opened.",
  secret_expired: "Can't extend: it has expired.",
  secret_revoked: "Can't extend: it was revoked.",
};

/** Runs the work. Its errors about the end of the secret get these texts. */
async function explainingEnd(texts: EndTexts, work: () => Promise<Secret>): Promise<Secret> {
  try {
    return await work();
  } catch (error) {
    const tooLate = error instanceof ClientError ? texts[error.code] : undefined;
    if (!(error instanceof ClientError) || tooLate === undefined) throw error;
    const { code, kind, requestId } = error;
    throw new ClientError(code, kind, tooLate, { requestId, cause: error });
  }
}

/** Revokes a secret and returns it. Throws ClientError `secret_claimed` or `secret_expired` when it's too late. */
export async function revokeSecret(client: HttpClient, id: string): Promise<Secret> {
  return explainingEnd(TOO_LATE_TO_REVOKE, async () => {
    const answer = await client.call("revokeSecret", { id });
    return readOutcome("revokeSecret", () => {
      const secret = parseSecret(answer, id);
      if (secret.state !== "revoked") throw unexpected();
      return secret;
    });
  });
}

const TOO_LATE_TO_REVOKE: EndTexts = {
  secret_claimed: "Can't revoke: it has been opened.",
  secret_expired: "Can't revoke: it has expired.",
};

/** Gets a secret; undefined when the server doesn't answer with it. */
export function findSecret(client: HttpClient, id: string): Promise<Secret | undefined> {
  return getSecret(client, id).catch(() => undefined);
}

/** Lists secrets of the team, newest first. Throws ClientError. */
export function listSecrets(client: HttpClient, options: ListOptions<SecretState>): Promise<Secret[]> {
  return listPages(client, "listSecrets", options, (secret) => parseSecret(secret));
}

/** Creates the key of one call that may be sent more than once. */
export function createIdempotencyKey(): string {
  return crypto.randomUUID();
}
