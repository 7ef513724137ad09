import type { Envelope } from "../contract/envelopes.ts";
import type { CreatedRequest, Invitation, Request as RequestMetadata, SubmittedSecret } from "../contract/requests.ts";
import {
  DecryptionError,
  LINK_WORK_FACTOR,
  openWithPassphrase,
  sealToRecipient,
  sealWithPassphrase,
} from "../crypto/envelopes.ts";
import { encodePayload, type Payload } from "../crypto/payloads.ts";
import { createRequestIdentity } from "../crypto/request-identities.ts";
import { deriveRequestKeys, formatRequestLink, pinOf, type RequestLink } from "../crypto/request-links.ts";
import { createShareSeed } from "../crypto/share-links.ts";
import { ClientError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { checkPolicy, createIdempotencyKey, getCredential, linkBase, tooLarge } from "./secrets.ts";
import { checkRequest } from "./shapes.ts";
import type { Progress } from "./transfers.ts";

export type { RequestMetadata };

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

/** A request and what was handed in; with `waitSeconds` see the API. Throws ClientError. */
export async function getRequest(client: HttpClient, id: string, waitSeconds?: number): Promise<RequestMetadata> {
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  return checkRequest(await client.call<RequestMetadata>("getRequest", { id, ...wait }), id);
}

/** Takes a request back. Returns what it is then: one that has ended before stays as it is. Throws ClientError. */
export async function revokeRequest(client: HttpClient, id: string): Promise<RequestMetadata> {
  return checkRequest(await client.call<RequestMetadata>("revokeRequest", { id }), id);
}

/** What somebody who was asked for a secret may know, with the note opened. */
export interface OpenedInvitation {
  readonly recipient: string;
  readonly note: string | undefined;
  readonly expiresAt: string;
  readonly submissionsLeft: number;
}

/**
 * Gets the invitation of a request link and makes sure that its recipient is the one that the link names. Throws
 * ClientError; `recipient_swapped` when it is another one, so that nothing is ever encrypted to it.
 */
export async function getInvitation(client: HttpClient, link: RequestLink): Promise<OpenedInvitation> {
  const { id, seed, pin } = link;
  const { recipient, note, ...invitation } = await client.call<Invitation>("getInvitation", { id });
  if (typeof recipient !== "string" || (await pinOf(recipient)) !== pin) {
    throw new ClientError(
      "recipient_swapped",
      "decryption",
      "STOP: the server offers another recipient than the link names, and could read what you send. Nothing was sent. Tell whoever gave you the link.",
    );
  }
  const { notePassphrase } = await deriveRequestKeys(seed);
  return {
    recipient,
    note: note === null ? undefined : await openNote(note, notePassphrase),
    expiresAt: invitation.expires_at,
    submissionsLeft: invitation.submissions_left,
  };
}

/** Encrypts a payload to the recipient of an invitation and hands it in. Throws ClientError. */
export async function submitSecret(
  client: HttpClient,
  options: {
    readonly requestId: string;
    readonly recipient: string;
    readonly payload: Payload;
    readonly onProgress?: Progress | undefined;
  },
): Promise<SubmittedSecret> {
  const bytes = await encodePayload(options.payload);
  const { max_ciphertext_bytes: maxBytes } = (await getCredential(client)).limits;
  if ((bytes.length * 4) / 3 > maxBytes) throw tooLarge(maxBytes);
  const envelope = await sealToRecipient(bytes, options.recipient);
  if (envelope.ciphertext.length > maxBytes) throw tooLarge(maxBytes);
  return submitEnvelope(client, options.requestId, envelope, options.onProgress);
}

/** Hands in what is encrypted already. Throws ClientError. */
export function submitEnvelope(
  client: HttpClient,
  requestId: string,
  envelope: Envelope,
  onProgress?: Progress,
): Promise<SubmittedSecret> {
  const idempotencyKey = createIdempotencyKey();
  return client.call("submitSecret", { id: requestId, body: { envelope }, idempotencyKey, onProgress });
}

function sealNote(note: string, passphrase: string): Promise<Envelope> {
  return sealWithPassphrase(new TextEncoder().encode(note), passphrase, LINK_WORK_FACTOR);
}

async function openNote(note: Envelope, passphrase: string): Promise<string> {
  try {
    return new TextDecoder().decode(await openWithPassphrase(note, passphrase));
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    throw new ClientError(
      "decryption_failed",
      "decryption",
      "The note of this request cannot be decrypted: the link is damaged, or the server has changed the note. Nothing was sent.",
    );
  }
}
