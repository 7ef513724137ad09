import { LINK_WORK_FACTOR, sealWithPassphrase } from "../crypto/envelopes.ts";
import { createRequestIdentity } from "../crypto/request-identities.ts";
import { deriveRequestKeys } from "../crypto/request-links.ts";
import { createShareSeed } from "../crypto/share-links.ts";
import type { HttpClient } from "./http-client.ts";
import { checkPolicy } from "./limits.ts";
import { type AskedRequest, type PreparedRequest, type RequestPolicy, storeRequest } from "./requests.ts";
import { getCredential } from "./secrets.ts";

export interface AskOptions extends RequestPolicy {
  /** What whoever gets the link is told; sealed, so that the server cannot read it. */
  readonly note: string | undefined;
  /** `x25519` for submitters with nothing but an age older than 1.3. */
  readonly identityKind: "hybrid" | "x25519";
}

/** Makes a request link. Throws ClientError. */
export async function askForSecret(client: HttpClient, options: AskOptions): Promise<AskedRequest> {
  const { limits } = await getCredential(client);
  checkPolicy(options.expiresIn, limits.max_expires_in, "The lifetime", "seconds");
  checkPolicy(options.maxSubmissions, limits.max_claims, "The number of submissions", "");
  return storeRequest(client, await prepareRequest(options.note, options.identityKind), options);
}

/** Makes the keys of a new request and seals its note. */
export async function prepareRequest(
  note: string | undefined,
  identityKind: AskOptions["identityKind"],
): Promise<PreparedRequest> {
  const seed = createShareSeed();
  const [{ identity, recipient }, { submitTokenHash, notePassphrase }] = await Promise.all([
    createRequestIdentity(identityKind),
    deriveRequestKeys(seed),
  ]);
  const bytes = new TextEncoder().encode(note);
  const sealed = note === undefined ? undefined : await sealWithPassphrase(bytes, notePassphrase, LINK_WORK_FACTOR);
  return { seed, identity, recipient, submitTokenHash, note: sealed };
}
