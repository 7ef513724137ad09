import type { Credential } from "../contract/credentials.ts";
import type { Envelope } from "../contract/envelopes.ts";
import type { ClaimedSecret, CreatedSecret, Secret, SecretPage, SecretState } from "../contract/secrets.ts";
import { LINK_WORK_FACTOR, PASSPHRASE_WORK_FACTOR, sealWithPassphrase } from "../crypto/envelopes.ts";
import { encodePayload, type Payload } from "../crypto/payloads.ts";
import { createShareSeed, deriveShareKeys, formatShareLink, sharePassphrase } from "../crypto/share-links.ts";
import { ClientError } from "./errors.ts";
import { parseBaseUrl } from "./base-urls.ts";
import { type HttpClient, unexpected } from "./http-client.ts";
import { checkCredential, checkEnvelope, checkSecret } from "./shapes.ts";
import type { Progress } from "./transfers.ts";

export interface SendOptions {
  readonly payload: Payload;
  /** A second factor that whoever opens the link must know; none without it. */
  readonly passphrase: string | undefined;
  /** Seconds; the server's default without it. */
  readonly expiresIn: number | undefined;
  readonly maxClaims: number | undefined;
  readonly onProgress?: Progress | undefined;
}

/** What came of sending: the link is all that opens the secret, and is nowhere else. */
export interface SentSecret {
  readonly link: string;
  readonly secret: Secret;
}

/** Encrypts a payload and stores it. Throws ClientError; `payload_too_large` before anything is sent. */
export async function sendSecret(client: HttpClient, options: SendOptions): Promise<SentSecret> {
  const { payload, passphrase, onProgress } = options;
  const bytes = await encodePayload(payload);
  const seed = createShareSeed();
  const { claimTokenHash, agePassphrase } = await deriveShareKeys(seed);
  const { limits } = await getCredential(client);
  const maxBytes = limits.max_ciphertext_bytes;
  checkPolicy(options.expiresIn, limits.max_expires_in, "The lifetime", "seconds");
  checkPolicy(options.maxClaims, limits.max_claims, "The number of claims", "");
  // Encrypting takes a while; what is too large even without the overhead of age need not wait for it.
  if ((bytes.length * 4) / 3 > maxBytes) throw tooLarge(maxBytes);
  const workFactor = passphrase === undefined ? LINK_WORK_FACTOR : PASSPHRASE_WORK_FACTOR;
  const envelope = await sealWithPassphrase(bytes, sharePassphrase(agePassphrase, passphrase), workFactor);
  if (envelope.ciphertext.length > maxBytes) throw tooLarge(maxBytes);
  const { url, ...secret } = await client.call<CreatedSecret>("createSecret", {
    query: { expires_in: options.expiresIn, max_claims: options.maxClaims, claim_token_hash: claimTokenHash },
    body: { envelope },
    idempotencyKey: createIdempotencyKey(),
    onProgress,
  });
  const { id } = checkSecret(secret);
  const link = formatShareLink({
    baseUrl: linkBase(client, url, `/s/${id}`),
    id,
    seed,
    needsPassphrase: passphrase !== undefined,
  });
  return { link, secret };
}

/** What was handed over, still encrypted. */
export interface TakenSecret {
  readonly secret: Secret;
  readonly envelope: Envelope;
  /** Until when the same claim can be repeated; null when it cannot. */
  readonly replayUntil: string | null;
}

/**
 * Claims a secret. With the same `idempotencyKey` it can be claimed again within the replay window, until
 * `acknowledgeClaim`. Throws ClientError.
 */
export async function claimSecret(
  client: HttpClient,
  id: string,
  idempotencyKey: string,
  onProgress?: Progress,
): Promise<TakenSecret> {
  const claimed = await client.call<ClaimedSecret>("claimSecret", { id, idempotencyKey, onProgress });
  const envelope = checkEnvelope(claimed.envelope);
  return { secret: checkSecret(claimed.secret, id), envelope, replayUntil: claimed.replay_until };
}

/** Tells the server that the secret has arrived and been kept, so that it is erased there now. Throws ClientError. */
export async function acknowledgeClaim(client: HttpClient, id: string, idempotencyKey: string): Promise<void> {
  await client.call("acknowledgeClaim", { id, idempotencyKey });
}

/** The metadata of a secret. Throws ClientError. */
export async function getSecret(client: HttpClient, id: string): Promise<Secret> {
  return checkSecret(await client.call<Secret>("getSecret", { id }), id);
}

/** Takes a secret back. Returns what it is then: one that has ended before stays as it is. Throws ClientError. */
export async function revokeSecret(client: HttpClient, id: string): Promise<Secret> {
  return checkSecret(await client.call<Secret>("revokeSecret", { id }), id);
}

/** Secrets of the team, newest first, `limit` at most. Throws ClientError. */
export async function listSecrets(client: HttpClient, limit: number, state?: SecretState): Promise<Secret[]> {
  const secrets: Secret[] = [];
  let cursor: string | undefined;
  do {
    const query = { state, cursor, limit: Math.min(100, limit - secrets.length) };
    const page: SecretPage = await client.call("listSecrets", { query });
    if (!Array.isArray(page.data)) throw unexpected();
    secrets.push(...page.data.map((secret) => checkSecret(secret)));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && secrets.length < limit);
  return secrets;
}

/** What the server knows of the client's credential, and the limits that apply. Throws ClientError. */
export async function getCredential(client: HttpClient): Promise<Credential> {
  return checkCredential(await client.call<Credential>("getCredential"));
}

/** What links begin with, as the server is set; the address that was called where it says nothing sensible. */
export function linkBase(client: HttpClient, url: unknown, end: string): string {
  if (typeof url !== "string" || !url.endsWith(end)) return client.baseUrl;
  try {
    return parseBaseUrl(url.slice(0, -end.length), client.baseUrl.startsWith("http:"));
  } catch {
    return client.baseUrl;
  }
}

/** Throws ClientError for what this server would refuse, in words that say what it takes. */
export function checkPolicy(value: number | undefined, most: number, what: string, unit: string): void {
  if (value === undefined || !Number.isInteger(most) || (value <= most && (unit === "" || value >= 60))) return;
  const range = unit === "" ? `at most ${most}` : `60 to ${most} ${unit}`;
  throw new ClientError("schema_mismatch", "usage", `${what} is out of range: this server takes ${range}.`);
}

/** A new key for one call that may have to be sent twice. */
export function createIdempotencyKey(): string {
  return crypto.randomUUID();
}

/** The error of what a server does not take. */
export function tooLarge(maxBytes: number): ClientError {
  const limit = (maxBytes / 1024 / 1024).toFixed(1).replace(/\.0$/, "");
  const plain = ((maxBytes * 3) / 4 / 1024 / 1024).toFixed(1);
  return new ClientError(
    "payload_too_large",
    "failure",
    `This is too large: the server takes ${limit} MiB of ciphertext, which is about ${plain} MiB of content.`,
  );
}
