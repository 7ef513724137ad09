import type { Envelope } from "../contract/envelopes.ts";
import { linkPath } from "../contract/links.ts";
import type { Secret } from "../contract/secrets.ts";
import type { Approver } from "../contract/states.ts";
import type { LinkHint } from "../crypto/link-hints.ts";
import { formatSecretLink } from "../crypto/secret-links.ts";
import type { HttpClient } from "./http-client.ts";
import { checkApprover, checkChosen } from "./limits.ts";
import { linkBase } from "./link-bases.ts";
import type { LinkTerms } from "./link-bases.ts";
import { createIdempotencyKey } from "./secrets.ts";
import { parseSecret } from "./shapes.ts";
import type { Progress } from "./transfers.ts";
import { readOutcome } from "./unknown-outcomes.ts";

/** The facts of a new link, and of the secret that it opens. */
export interface LinkedSecret {
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly claimTokenHash: string;
  readonly needsPassphrase: boolean;
  /** The hint in the link; undefined for none. */
  readonly hint: LinkHint | undefined;
}

/** Encrypted content that isn't stored yet. */
export interface SealedSecret extends LinkedSecret {
  readonly envelope: Envelope;
}

export interface SecretTerms extends LinkTerms {
  readonly maxClaims: number | undefined;
  /** Who has to approve each claim; undefined for nobody. */
  readonly approver?: Approver | undefined;
  readonly onProgress?: Progress | undefined;
}

/** A stored secret and its link. The link is not stored anywhere. */
export interface SentSecret {
  readonly link: string;
  readonly secret: Secret;
}

/**
 * Stores encrypted content and makes its link. Throws ClientError; `other_terms` when it was stored, and the server
 * didn't take the people whom it's for.
 */
export async function storeSecret(client: HttpClient, sealed: SealedSecret, terms: SecretTerms): Promise<SentSecret> {
  const { envelope, claimTokenHash } = sealed;
  const created = await client.call("createSecret", {
    query: termsOf(terms, claimTokenHash),
    body: { envelope },
    idempotencyKey: terms.idempotencyKey ?? createIdempotencyKey(),
    onProgress: terms.onProgress,
  });
  return toSentSecret(client, "createSecret", created, sealed, terms);
}

/** The query of a call that makes a secret. */
export function termsOf(terms: SecretTerms, claimTokenHash: string) {
  return {
    expires_in: terms.ttlSeconds,
    max_claims: terms.maxClaims,
    claim_token_hash: claimTokenHash,
    reference: terms.reference,
    anonymous: terms.isAnonymous || undefined,
    for: terms.addressees?.join(","),
    approval: terms.approver,
  };
}

/** Reads the answer to such a call, and makes the link. Throws ClientError as `storeSecret` does. */
export function toSentSecret(
  client: HttpClient,
  operation: "createSecret" | "createLargeSecret",
  created: unknown,
  { seed, needsPassphrase, hint }: LinkedSecret,
  terms: SecretTerms,
): SentSecret {
  const secret = readOutcome(operation, () => parseSecret(created));
  const { id } = secret;
  checkChosen(operation, terms.addressees, secret);
  checkApprover(terms.approver, secret);
  const baseUrl = linkBase(client, created, linkPath("secret", id));
  return { link: formatSecretLink({ baseUrl, id, seed, needsPassphrase, hint }), secret };
}
