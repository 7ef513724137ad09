import type { Envelope } from "../contract/envelopes.ts";
import { linkPath } from "../contract/links.ts";
import type { Secret } from "../contract/secrets.ts";
import type { LinkHint } from "../crypto/link-hints.ts";
import { formatSecretLink } from "../crypto/secret-links.ts";
import { readOutcome } from "./doubts.ts";
import type { HttpClient } from "./http-client.ts";
import { linkBase } from "./link-bases.ts";
import { createIdempotencyKey } from "./secrets.ts";
import { parseSecret } from "./shapes.ts";
import type { Progress } from "./transfers.ts";

/** Content that is encrypted and not yet stored. */
export interface SealedSecret {
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly envelope: Envelope;
  readonly claimTokenHash: string;
  readonly needsPassphrase: boolean;
  /** The hint in the link; undefined where it has none. */
  readonly hint: LinkHint | undefined;
}

export interface SecretTerms {
  /** Seconds; the server's default without it. */
  readonly ttlSeconds: number | undefined;
  readonly maxClaims: number | undefined;
  /** The ticket that it is about, which the server stores as it is. */
  readonly reference?: string | undefined;
  /** True leaves a person who is signed in out of what the recipient is told; it changes nothing for an API key. */
  readonly isAnonymous?: boolean | undefined;
  /** The same for every try to store the same; a new one without it. */
  readonly idempotencyKey?: string;
  readonly onProgress?: Progress | undefined;
}

/** The outcome of sending: the link is all that opens the secret, and is nowhere else. */
export interface SentSecret {
  readonly link: string;
  readonly secret: Secret;
}

/** Stores what is encrypted and makes the link to it. Throws ClientError. */
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
