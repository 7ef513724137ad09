import type { Envelope } from "../contract/envelopes.ts";
import type { Invitation, Request as RequestMetadata, SubmittedSecret } from "../contract/requests.ts";
import { pinOf, type RequestLink } from "../crypto/request-links.ts";
import { ClientError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { createIdempotencyKey } from "./secrets.ts";
import { checkRequest } from "./shapes.ts";
import type { Progress } from "./transfers.ts";

export type { RequestMetadata };

/** A request and what was handed in; with `waitSeconds` see the API. Throws ClientError. */
export async function getRequest(client: HttpClient, id: string, waitSeconds?: number): Promise<RequestMetadata> {
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  return checkRequest(await client.call<RequestMetadata>("getRequest", { id, ...wait }), id);
}

/** Takes a request back. Returns what it is then: one that has ended before stays as it is. Throws ClientError. */
export async function revokeRequest(client: HttpClient, id: string): Promise<RequestMetadata> {
  return checkRequest(await client.call<RequestMetadata>("revokeRequest", { id }), id);
}

/** What somebody who was asked for a secret may know. */
export interface VerifiedInvitation {
  readonly recipient: string;
  /** Sealed with what the link stands for, see `openNote`. */
  readonly note: Envelope | undefined;
  readonly expiresAt: string;
  readonly submissionsLeft: number;
}

/**
 * Gets the invitation of a request link and makes sure that its recipient is the one that the link names. Throws
 * ClientError; `recipient_swapped` when it is another one, so that nothing is ever encrypted to it.
 */
export async function getInvitation(client: HttpClient, link: RequestLink): Promise<VerifiedInvitation> {
  const { id, pin } = link;
  const { recipient, note, ...invitation } = await client.call<Invitation>("getInvitation", { id });
  if (typeof recipient !== "string" || (await pinOf(recipient)) !== pin) {
    throw new ClientError(
      "recipient_swapped",
      "decryption",
      "STOP: the server offers another recipient than the link names, and could read what you send. Nothing was sent. Tell whoever gave you the link.",
    );
  }
  return {
    recipient,
    note: note ?? undefined,
    expiresAt: invitation.expires_at,
    submissionsLeft: invitation.submissions_left,
  };
}

/** Hands in what is encrypted already. Throws ClientError. */
export function submitEnvelope(
  client: HttpClient,
  requestId: string,
  envelope: Envelope,
  options: { readonly idempotencyKey?: string; readonly onProgress?: Progress | undefined } = {},
): Promise<SubmittedSecret> {
  const { idempotencyKey = createIdempotencyKey(), onProgress } = options;
  return client.call("submitSecret", { id: requestId, body: { envelope }, idempotencyKey, onProgress });
}
