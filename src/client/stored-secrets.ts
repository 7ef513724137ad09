import type { Envelope } from "../contract/envelopes.ts";
import { linkPath } from "../contract/links.ts";
import type { Secret } from "../contract/secrets.ts";
import type { LinkHint } from "../crypto/link-hints.ts";
import { formatSecretLink } from "../crypto/secret-links.ts";
import type { HttpClient } from "./http-client.ts";
import { linkBase } from "./link-bases.ts";
import { createIdempotencyKey } from "./secrets.ts";
import { parseSecret } from "./shapes.ts";
import type { Progress } from "./transfers.ts";
import { readOutcome } from "./unknown-outcomes.ts";

/** Encrypted content that isn't stored yet. */
export interface SealedSecret {
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly envelope: Envelope;
  readonly claimTokenHash: string;
  readonly needsPassphrase: boolean;
  /** The hint in the link; undefined for none. */
  readonly hint: LinkHint | undefined;
}

export interface SecretTerms {
  /** Seconds. Without it, the server's default. */
  readonly ttlSeconds: number | undefined;
  readonly maxClaims: number | undefined;
  /** The ticket that the secret is about. The server stores it unencrypted. */
  readonly reference?: string | undefined;
  /** True hides the signed-in person from the recipient. It changes nothing for an API key. */
  readonly isAnonymous?: boolean | undefined;
  /** The same key for every attempt to store this secret. Without it, a new one. */
  readonly idempotencyKey?: string;
  readonly onProgress?: Progress | undefined;
}

/** A stored secret and its link. The link is not stored anywhere. */
export interface SentSecret {
  readonly link: string;
  readonly secret: Secret;
}

/** Stores encrypted content and makes its link. Throws ClientError. */
export async function storeSecret(client: HttpClient, sealed: SealedSecret, terms: SecretTerms): Promise<SentSecret> {
  const { seed, envelope, claimTokenHash, needsPassphrase, hint } = sealed;
  const created = await client.call("createSecret", {
    query: {
      expires_in: terms.ttlSeconds,
      max_claims: terms.maxClaims,
      claim_token_hash: claimTokenHash,
      reference: terms.reference,
      anonymous: terms.isAnonymous || undefined,
    },
    body: { envelope },
    idempotencyKey: terms.idempotencyKey ?? createIdempotencyKey(),
    onProgress: terms.onProgress,
  });
  const secret = readOutcome("createSecret", () => parseSecret(created));
  const { id } = secret;
  const link = formatSecretLink({
    baseUrl: linkBase(client, created, linkPath("secret", id)),
    id,
    seed,
    needsPassphrase,
    hint,
  });
  return { link, secret };
}
