import type { Envelope } from "../contract/envelopes.ts";
import type { CreatedRequest } from "../contract/requests.ts";
import { LINK_WORK_FACTOR, sealWithPassphrase } from "../crypto/envelopes.ts";
import { createRequestIdentity } from "../crypto/request-identities.ts";
import { deriveRequestKeys, formatRequestLink, pinOf } from "../crypto/request-links.ts";
import { createShareSeed } from "../crypto/share-links.ts";
import type { HttpClient } from "./http-client.ts";
import { checkPolicy } from "./limits.ts";
import { linkBase } from "./link-bases.ts";
import type { RequestMetadata } from "./requests.ts";
import { createIdempotencyKey, getCredential } from "./secrets.ts";
import { checkRequest } from "./shapes.ts";

export interface AskOptions {
  /** What whoever gets the link is told; sealed, so that the server cannot read it. */
  readonly note: string | undefined;
  /** Seconds; the server's default without it. */
  readonly expiresIn: number | undefined;
  readonly maxSubmissions: number | undefined;
  /** `x25519` for submitters with nothing but an age older than 1.3. */
  readonly identityKind: "hybrid" | "x25519";
}

/** A request and what belongs to it: the link goes to whoever is asked, the identity stays with who asks. */
export interface AskedRequest {
  readonly link: string;
  readonly identity: string;
  readonly request: RequestMetadata;
}

/** Makes a request link. Throws ClientError. */
export async function askForSecret(client: HttpClient, options: AskOptions): Promise<AskedRequest> {
  const seed = createShareSeed();
  const [{ identity, recipient }, { submitTokenHash, notePassphrase }] = await Promise.all([
    createRequestIdentity(options.identityKind),
    deriveRequestKeys(seed),
  ]);
  const { limits } = await getCredential(client);
  checkPolicy(options.expiresIn, limits.max_expires_in, "The lifetime", "seconds");
  checkPolicy(options.maxSubmissions, limits.max_claims, "The number of submissions", "");
  const note = options.note === undefined ? undefined : await sealNote(options.note, notePassphrase);
  const { url, ...request } = await client.call<CreatedRequest>("createRequest", {
    query: {
      expires_in: options.expiresIn,
      max_submissions: options.maxSubmissions,
      submit_token_hash: submitTokenHash,
    },
    body: { recipient, ...(note ? { note } : {}) },
    idempotencyKey: createIdempotencyKey(),
  });
  const { id } = checkRequest(request);
  const link = formatRequestLink({ baseUrl: linkBase(client, url, `/r/${id}`), id, seed, pin: await pinOf(recipient) });
  return { link, identity, request };
}

function sealNote(note: string, passphrase: string): Promise<Envelope> {
  return sealWithPassphrase(new TextEncoder().encode(note), passphrase, LINK_WORK_FACTOR);
}
