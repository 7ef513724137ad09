import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { submitEnvelope } from "../../client/requests.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import type { Notice } from "../frame/notices.ts";
import { describeLinkFailure } from "../parts/failures.ts";
import { PAGE } from "../texts/page.ts";
import { SUBMITTING } from "../texts/submitting.ts";

const { submit } = SUBMITTING;

/** A sealed envelope that was sent, and the idempotency key of its call. */
export interface SentEnvelope {
  readonly envelope: Envelope;
  readonly idempotencyKey: string;
}

/** True when the request accepts nothing, so that the envelope was certainly not stored. */
export function isRefusal(error: unknown): error is ClientError {
  return error instanceof ClientError && (error.kind === "gone" || error.code === "request_paused");
}

/** Says what happened to refused content. An `earlier` envelope may have arrived. */
export async function describeUnsent(
  client: HttpClient,
  id: string,
  { error, earlier }: { readonly error: ClientError; readonly earlier: readonly SentEnvelope[] },
): Promise<string> {
  // The request stores nothing more: repeating an earlier call only shows whether it had succeeded.
  if (error.kind === "gone") {
    for (const { envelope, idempotencyKey } of earlier) {
      // A refusal means that this one had not arrived.
      const receipt = await submitEnvelope(client, id, envelope, { idempotencyKey }).catch(() => undefined);
      if (receipt) return submit.earlierArrived;
    }
  }
  return submit.notSent;
}

/** The notice for a request that accepts nothing, or cannot be read. */
export function describeRefusal(error: unknown): Notice {
  switch (error instanceof ClientError ? error.code : "") {
    case "recipient_swapped":
      return submit.swapped;
    case "decryption_failed":
      return { title: PAGE.failed.title, text: submit.noteBroken };
    case "request_paused":
      return { ...submit.paused, icon: "waiting", tone: "wait", canRetry: true };
    case "request_fulfilled":
      return { ...submit.fulfilled, icon: "inbox" };
    case "request_expired":
      return { ...submit.expired, icon: "expired" };
    case "request_revoked":
      return { ...submit.revoked, icon: "revoked" };
    default:
      return describeLinkFailure(error);
  }
}
