import type { Envelope } from "../contract/envelopes.ts";
import { linkPath } from "../contract/links.ts";
import type { Person } from "../contract/persons.ts";
import type { RequestMetadata, RequestSummary, SubmittedSecret } from "../contract/requests.ts";
import { isLive } from "../contract/states.ts";
import type { RequestState } from "../contract/states.ts";
import { formatRequestLink, pinOf } from "../crypto/request-links.ts";
import type { RequestLink } from "../crypto/request-links.ts";
import { readOutcome } from "./doubts.ts";
import { ClientError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { linkBase } from "./link-bases.ts";
import { listPages } from "./pages.ts";
import type { ListOptions } from "./pages.ts";
import { createIdempotencyKey } from "./secrets.ts";
import { parseInvitation, parseReceipt, parseRequest, parseRequestSummary } from "./shapes.ts";
import type { Progress } from "./transfers.ts";
import { waitFor } from "./waits.ts";
import type { Wait } from "./waits.ts";

/** A request that is not yet stored. */
export interface PreparedRequest {
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly ageIdentity: string;
  readonly recipient: string;
  readonly submitTokenHash: string;
  readonly note: Envelope | undefined;
}

export interface RequestTerms {
  /** Seconds; the server's default without it. */
  readonly ttlSeconds: number | undefined;
  readonly maxSubmissions: number | undefined;
  /** The ticket that it is about, which the server stores as it is. */
  readonly reference?: string | undefined;
  /** True leaves a person who is signed in out of the invitation; it changes nothing for an API key. */
  readonly isAnonymous?: boolean | undefined;
  /** The same for every try to store the same; a new one without it. */
  readonly idempotencyKey?: string;
}

/** A request and what belongs to it: the link goes to whoever is asked, the age identity stays with who asks. */
export interface AskedRequest {
  readonly link: string;
  readonly ageIdentity: string;
  readonly request: RequestMetadata;
}

/** Stores what was prepared and makes the request link to it. Throws ClientError. */
export async function storeRequest(
  client: HttpClient,
  prepared: PreparedRequest,
  terms: RequestTerms,
): Promise<AskedRequest> {
  const { seed, ageIdentity, recipient, submitTokenHash, note } = prepared;
  const created = await client.call("createRequest", {
    query: {
      expires_in: terms.ttlSeconds,
      max_submissions: terms.maxSubmissions,
      submit_token_hash: submitTokenHash,
      reference: terms.reference,
      anonymous: terms.isAnonymous || undefined,
    },
    body: { recipient, ...(note ? { note } : {}) },
    idempotencyKey: terms.idempotencyKey ?? createIdempotencyKey(),
  });
  const request = readOutcome("createRequest", () => parseRequest(created));
  const { id } = request;
  const link = formatRequestLink({
    baseUrl: linkBase(client, created, linkPath("request", id)),
    id,
    seed,
    pin: await pinOf(recipient),
  });
  return { link, ageIdentity, request };
}

/** A request and what was handed in; with `waitSeconds` see the API. Throws ClientError. */
export async function getRequest(
  client: HttpClient,
  id: string,
  waitSeconds?: number,
  until?: AbortSignal,
): Promise<RequestMetadata> {
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  return parseRequest(await client.call("getRequest", { id, ...wait, until }), id);
}

/** Requests of the team, newest first. Throws ClientError. */
export function listRequests(client: HttpClient, options: ListOptions<RequestState>): Promise<RequestSummary[]> {
  return listPages(client, "listRequests", options, parseRequestSummary);
}

/** True when nothing can be handed in any more. */
export function hasEnded({ state }: { readonly state: RequestState }): boolean {
  return !isLive(state);
}

/**
 * Waits, without polling, until something can be collected, or nothing can come any more, or the time is over. See
 * `waitFor`. Throws ClientError.
 */
export function waitForSubmission(client: HttpClient, id: string, wait: Wait): Promise<RequestMetadata> {
  const isOver = (request: RequestMetadata) =>
    hasEnded(request) || request.submissions.some(({ state }) => state === "available");
  return waitFor((step, until) => getRequest(client, id, step, until), isOver, wait);
}

/** Takes a request back. Returns what it is then: one that has ended before stays as it is. Throws ClientError. */
export async function revokeRequest(client: HttpClient, id: string): Promise<RequestMetadata> {
  const answer = await client.call("revokeRequest", { id });
  return readOutcome("revokeRequest", () => parseRequest(answer, id));
}

/** The invitation that somebody who was asked for a secret may see. */
export interface VerifiedInvitation {
  readonly recipient: string;
  /** Sealed with what the link stands for, see `openNote`. */
  readonly note: Envelope | undefined;
  readonly expiresAt: string;
  readonly submissionsLeft: number;
  /** The person who asks, as the server says; null when it does not say. */
  readonly askedBy: Person | null;
}

/**
 * Gets the invitation of a request link and makes sure that its recipient is the one that the link names. Throws
 * ClientError; `recipient_swapped` when it is another one, so that nothing is ever encrypted to it.
 */
export async function getInvitation(client: HttpClient, link: RequestLink): Promise<VerifiedInvitation> {
  const { id, pin } = link;
  const { recipient, note, ...invitation } = parseInvitation(await client.call("getInvitation", { id }));
  if ((await pinOf(recipient)) !== pin) {
    throw new ClientError(
      "recipient_swapped",
      "decryption",
      "The link is damaged, or the server is trying to read what you send. Nothing was sent. Copy the whole link again. If that doesn't help, tell the person who sent it to you.",
    );
  }
  return {
    recipient,
    note: note ?? undefined,
    expiresAt: invitation.expires_at,
    submissionsLeft: invitation.submissions_left,
    askedBy: invitation.asked_by,
  };
}

/** Hands in what is encrypted already. Throws ClientError. */
export async function submitEnvelope(
  client: HttpClient,
  requestId: string,
  envelope: Envelope,
  options: { readonly idempotencyKey?: string; readonly onProgress?: Progress | undefined } = {},
): Promise<SubmittedSecret> {
  const { idempotencyKey = createIdempotencyKey(), onProgress } = options;
  const answer = await client.call("submitSecret", { id: requestId, body: { envelope }, idempotencyKey, onProgress });
  return readOutcome("submitSecret", () => parseReceipt(answer));
}
