import type { CreatedSecret, Secret } from "../contract/secrets.ts";
import { LINK_WORK_FACTOR, PASSPHRASE_WORK_FACTOR, sealWithPassphrase } from "../crypto/envelopes.ts";
import { encodePayload, type Payload } from "../crypto/payloads.ts";
import { createShareSeed, deriveShareKeys, formatShareLink, sharePassphrase } from "../crypto/share-links.ts";
import type { HttpClient } from "./http-client.ts";
import { checkPolicy, tooLarge } from "./limits.ts";
import { linkBase } from "./link-bases.ts";
import { createIdempotencyKey, getCredential } from "./secrets.ts";
import { checkSecret } from "./shapes.ts";
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
