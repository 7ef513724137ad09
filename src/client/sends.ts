import type { Credential } from "../contract/credentials.ts";
import { encodeContent } from "../crypto/contents.ts";
import type { Content } from "../crypto/contents.ts";
import { LINK_WORK_FACTOR, PASSPHRASE_WORK_FACTOR, sealWithPassphrase } from "../crypto/envelopes.ts";
import { hintOf } from "../crypto/link-hints.ts";
import type { LinkHint } from "../crypto/link-hints.ts";
import { createSeed } from "../crypto/links.ts";
import { deriveSecretLinkKeys, secretPassphrase } from "../crypto/secret-links.ts";
import { getCredential } from "./credentials.ts";
import type { HttpClient } from "./http-client.ts";
import {
  checkCreation,
  checkLifetime,
  checkNotBlank,
  checkProvable,
  checkRuledApprover,
  checkTerms,
  checkTimes,
  contentBytesOf,
  tooLarge,
} from "./limits.ts";
import { storeSecret } from "./stored-secrets.ts";
import type { SealedSecret, SecretTerms, SentSecret } from "./stored-secrets.ts";

export interface SendOptions extends SecretTerms {
  readonly content: Content;
  /** The passphrase that the recipient also needs; undefined for none. */
  readonly passphrase: string | undefined;
}

/** A secret that was sent, and whether the sender's credential may see its state. */
export interface WatchedSecret extends SentSecret {
  readonly mayRead: boolean;
}

/**
 * Encrypts and stores content. Throws ClientError; for blank or too large content before anything is sent, and
 * `other_terms` when it was stored, and the server didn't take the terms.
 */
export async function sendSecret(client: HttpClient, options: SendOptions): Promise<WatchedSecret> {
  checkNotBlank(options.content);
  const credential = await getCredential(client);
  const maxBytes = credential.limits.max_ciphertext_bytes;
  checkWanted(credential, options);
  const bytes = await encodeContent(options.content);
  // Encrypting takes a while, so content that is certainly too large is refused before.
  if (bytes.length > contentBytesOf(maxBytes).most) throw tooLarge(contentBytesOf(maxBytes).most);
  const sealed = await sealSecret(bytes, options.passphrase, hintOf(options.content));
  if (sealed.envelope.ciphertext.length > maxBytes) throw tooLarge(contentBytesOf(maxBytes).most);
  const sent = await storeSecret(client, sealed, options);
  return toWatched(credential, sent, options);
}

/** Throws ClientError for terms that the server, or the rules of the team, don't allow. */
export function checkWanted({ limits, rules }: Credential, terms: SecretTerms): void {
  checkCreation(rules, terms, terms.maxClaims);
  checkRuledApprover(rules, terms.approver);
  checkLifetime(terms.ttlSeconds, limits.max_expires_in);
  checkTimes(terms.maxClaims, limits.max_claims, "claims");
  checkProvable(terms.addressees, limits);
}

/** A secret that was stored. Throws ClientError `other_terms` when the server didn't take the terms. */
export function toWatched({ scopes }: Credential, sent: SentSecret, terms: SecretTerms): WatchedSecret {
  const { id, created_at: createdAt, expires_at: expiresAt, max_claims: count } = sent.secret;
  const answered = { from: Date.parse(createdAt), until: Date.parse(expiresAt), id, count };
  checkTerms("createSecret", { ttlSeconds: terms.ttlSeconds, count: terms.maxClaims }, answered);
  return { ...sent, mayRead: scopes.includes("secrets:read") };
}

/** Encrypts encoded content for a new link. With a `hint`, the link says what kind of content it opens. */
export async function sealSecret(
  bytes: Uint8Array,
  passphrase: string | undefined,
  hint?: LinkHint,
): Promise<SealedSecret> {
  const seed = createSeed();
  const { claimTokenHash, agePassphrase } = await deriveSecretLinkKeys(seed);
  const workFactor = passphrase === undefined ? LINK_WORK_FACTOR : PASSPHRASE_WORK_FACTOR;
  const envelope = await sealWithPassphrase(bytes, secretPassphrase(agePassphrase, passphrase), workFactor);
  return { seed, envelope, claimTokenHash, needsPassphrase: passphrase !== undefined, hint };
}
