import type { Envelope } from "../contract/envelopes.ts";
import { linkPath } from "../contract/links.ts";
import type { Person } from "../contract/persons.ts";
import type { RequestMetadata, RequestSummary, SubmittedSecret } from "../contract/requests.ts";
import { isLive } from "../contract/states.ts";
import type { RequestState } from "../contract/states.ts";
import { formatRequestLink, pinOf } from "../crypto/request-links.ts";
import type { RequestLink } from "../crypto/request-links.ts";
import { ClientError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { checkChosen } from "./limits.ts";
import { linkBase } from "./link-bases.ts";
import type { LinkTerms } from "./link-bases.ts";
import { listPages } from "./pages.ts";
import type { ListOptions } from "./pages.ts";
import { createIdempotencyKey } from "./secrets.ts";
import { parseInvitation, parseReceipt, parseRequest, parseRequestSummary } from "./shapes.ts";
import type { Progress } from "./transfers.ts";
import { readOutcome } from "./unknown-outcomes.ts";
import { waitFor } from "./waits.ts";
import type { Wait } from "./waits.ts";

/** A request that isn't stored yet. */
export interface PreparedRequest {
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly ageIdentity: string;
  readonly recipient: string;
  readonly submitTokenHash: string;
  readonly note: Envelope | undefined;
}

export interface RequestTerms extends LinkTerms {
  readonly maxSubmissions: number | undefined;
}

/** A request with its link, which goes to the person who is asked, and the age identity, which stays with the asker. */
export interface AskedRequest {
  readonly link: string;
  readonly ageIdentity: string;
  readonly request: RequestMetadata;
}

/**
 * Stores a prepared request and makes its link. Throws ClientError; `other_terms` when it was stored, and the server
 * didn't take the people who may hand in.
 */
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
      for: terms.addressees?.join(","),
    },
    body: { recipient, ...(note ? { note } : {}) },
    idempotencyKey: terms.idempotencyKey ?? createIdempotencyKey(),
  });
  const request = readOutcome("createRequest", () => parseRequest(created));
  const { id } = request;
  checkChosen("createRequest", terms.addressees, request);
  const link = formatRequestLink({
    baseUrl: linkBase(client, created, linkPath("request", id)),
    id,
    seed,
    pin: await pinOf(recipient),
  });
  return { link, ageIdentity, request };
}

/** Gets a request. With `waitSeconds`, the server waits for a change before it answers. Throws ClientError. */
export async function getRequest(
  client: HttpClient,
  id: string,
  waitSeconds?: number,
  until?: AbortSignal,
): Promise<RequestMetadata> {
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  return parseRequest(await client.call("getRequest", { id, ...wait, until }), id);
}

/** Lists requests of the team, newest first. Throws ClientError. */
export function listRequests(client: HttpClient, options: ListOptions<RequestState>): Promise<RequestSummary[]> {
  return listPages(client, "listRequests", options, parseRequestSummary);
}

/** True when the request has ended, so that nothing can be handed in. */
export function hasEnded({ state }: { readonly state: RequestState }): boolean {
  return !isLive(state);
}

/** Waits for a submission, the end of the request, or the end of the time. See `waitFor`. Throws ClientError. */
export function waitForSubmission(client: HttpClient, id: string, wait: Wait): Promise<RequestMetadata> {
  const isOver = (request: RequestMetadata) =>
    hasEnded(request) || request.submissions.some(({ state }) => state === "available");
  return waitFor((step, until) => getRequest(client, id, step, until), isOver, wait);
}

/** Revokes a request and returns it. A request that has ended stays as it is. Throws ClientError. */
export async function revokeRequest(client: HttpClient, id: string): Promise<RequestMetadata> {
  const answer = await client.call("revokeRequest", { id });
  return readOutcome("revokeRequest", () => parseRequest(answer, id));
}

/** An invitation whose recipient matches the link. */
export interface VerifiedInvitation {
  readonly recipient: string;
  /** Sealed with a key from the link, see `openNote`. */
  readonly note: Envelope | undefined;
  readonly expiresAt: string;
  readonly submissionsLeft: number;
  /** The person who asks, as the server says; null when it names nobody. */
  readonly askedBy: Person | null;
  /** Those who may hand in, without the middle of their addresses; null for everybody with the link. */
  readonly addressees: readonly string[] | null;
}

/** Gets an invitation. Throws ClientError; `recipient_swapped` when its recipient doesn't have the link's pin. */
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
    addressees: invitation.for,
  };
}

/**
 * Hands in an encrypted secret. Throws ClientError; `proof_required` where only chosen people may, without the token of
 * a complete proof.
 */
export async function submitEnvelope(
  client: HttpClient,
  requestId: string,
  envelope: Envelope,
  options: {
    readonly idempotencyKey?: string;
    readonly onProgress?: Progress | undefined;
    readonly proofToken?: string | undefined;
  } = {},
): Promise<SubmittedSecret> {
  const { idempotencyKey = createIdempotencyKey(), ...rest } = options;
  const answer = await client.call("submitSecret", { id: requestId, body: { envelope }, idempotencyKey, ...rest });
  return readOutcome("submitSecret", () => parseReceipt(answer));
}
