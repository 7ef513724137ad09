import { LINK_WORK_FACTOR, PASSPHRASE_WORK_FACTOR } from "../../crypto/envelopes.ts";
import type { LinkHint } from "../../crypto/link-hints.ts";
import { createSeed } from "../../crypto/links.ts";
import { sealStream } from "../../crypto/sealed-streams.ts";
import { deriveSecretLinkKeys, secretPassphrase } from "../../crypto/secret-links.ts";
import type { HttpClient } from "../http-client.ts";
import { createIdempotencyKey } from "../secrets.ts";
import { termsOf, toSentSecret } from "../stored-secrets.ts";
import type { LinkedSecret, SecretTerms, SentSecret } from "../stored-secrets.ts";
import { lineOf } from "./lines.ts";
import { persist } from "./setbacks.ts";
import { withUpload } from "./uploads.ts";

/** Content that is encrypted for a new link while it is read. */
export interface SealedContent extends LinkedSecret {
  readonly ciphertext: ReadableStream<Uint8Array>;
  readonly sizeOf: (plaintextBytes: number) => number;
}

/** Encrypts a stream of encoded content for a new link, as `sealSecret` does. */
export async function sealContent(
  plaintext: ReadableStream<Uint8Array>,
  passphrase: string | undefined,
  hint: LinkHint | undefined,
): Promise<SealedContent> {
  const seed = createSeed();
  const { claimTokenHash, agePassphrase } = await deriveSecretLinkKeys(seed);
  const workFactor = passphrase === undefined ? LINK_WORK_FACTOR : PASSPHRASE_WORK_FACTOR;
  const sealed = await sealStream(plaintext, secretPassphrase(agePassphrase, passphrase), workFactor);
  return { ...sealed, seed, claimTokenHash, needsPassphrase: passphrase !== undefined, hint };
}

/**
 * Uploads encrypted content of `bytes` of ciphertext, and makes a secret and its link of it. Throws what `storeSecret`
 * and `withUpload` throw.
 */
export function storeLargeSecret(
  client: HttpClient,
  linked: LinkedSecret,
  { ciphertext, bytes }: { readonly ciphertext: ReadableStream<Uint8Array>; readonly bytes: number },
  terms: SecretTerms,
): Promise<SentSecret> {
  const idempotencyKey = terms.idempotencyKey ?? createIdempotencyKey();
  return withUpload(client, { ciphertext, bytes, onProgress: terms.onProgress }, async (id) => {
    const query = termsOf(terms, linked.claimTokenHash);
    const create = () => client.call("createLargeSecret", { id, query, idempotencyKey });
    return toSentSecret(client, "createLargeSecret", await persist(lineOf(client), create, true), linked, terms);
  });
}
