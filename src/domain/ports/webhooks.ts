import type { Event } from "../../contract/events.ts";
import type { EventType } from "../../contract/states.ts";
import type { EventRecord } from "./events.ts";

// URLs that receive the events of a team: contract section 12. Times are epoch milliseconds.

/** The format of a call: signed JSON after Standard Webhooks, a text for chats, or a text with a title for ntfy. */
export const WEBHOOK_FORMATS = ["standard", "chat", "ntfy"] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The maximum number of webhooks in a database. */
export const MAX_WEBHOOKS = 100;

/** The number of calls of each webhook that are stored, the newest ones. */
export const KEPT_DELIVERIES = 100;

/** The reason why a call got no answer. */
export type CallFailure = "name_not_found" | "address_refused" | "unreachable" | "tls_untrusted" | "timed_out";

/**
 * The answer to a call, or the reason why there was none. `retryAfter` is the value of the header; null without one.
 */
export type CallAnswer =
  { readonly status: number; readonly retryAfter: string | null } | { readonly failure: CallFailure };

/** The position of a webhook in the log of its team, and the failed calls about the next event. */
export interface WebhookProgress {
  /** The last event that was delivered or skipped; empty before the first. */
  readonly lastEventId: string;
  /** The numbers of calls about the next event that may be retried, and that were rejected. */
  readonly failures: number;
  readonly rejections: number;
  readonly firstFailedAt: number | null;
  readonly nextTryAt: number | null;
}

export interface WebhookRecord extends WebhookProgress {
  readonly id: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly url: string;
  readonly format: WebhookFormat;
  /** Null for all. */
  readonly eventTypes: readonly EventType[] | null;
  /** True when a URL on another machine may be called without TLS. */
  readonly allowHttp: boolean;
  /** The key of the signature, `whsec_…`; null when the format has no signature. */
  readonly secret: string | null;
  /** The key of a second signature until `formerSecretUntil`. */
  readonly formerSecret: string | null;
  readonly formerSecretUntil: number | null;
  readonly createdAt: number;
  readonly pausedAt: number | null;
  /** An admin, or the receiver, which answered 410. */
  readonly pausedBy: "admin" | "receiver" | null;
  /** Incremented by every change of an admin. */
  readonly revision: number;
}

/** A webhook to create: its position is the end of the log. */
export type NewWebhook = Pick<
  WebhookRecord,
  "id" | "teamId" | "url" | "format" | "eventTypes" | "allowHttp" | "secret" | "createdAt"
>;

/** One call about an event, with its outcome. */
export interface WebhookDelivery {
  readonly eventId: string;
  readonly eventType: EventType;
  readonly at: number;
  readonly durationMs: number;
  /** Null without an answer. */
  readonly status: number | null;
  readonly failure: CallFailure | null;
  readonly outcome: "delivered" | "retried" | "skipped" | "paused";
  /** The time of the next call about the same event; null when there will be none. */
  readonly nextTryAt: number | null;
}

/** The progress of a webhook since the last note. */
export interface WebhookNote extends WebhookProgress {
  readonly webhookId: string;
  /** The revision of the webhook that was called: a later change by an admin is not overwritten. */
  readonly revision: number;
  /** Oldest first. */
  readonly deliveries: readonly WebhookDelivery[];
  /** The time at which the receiver answered 410; null when it did not. */
  readonly goneAt: number | null;
  /** The subjects of events that were given up, for a `webhook.failed` event each. */
  readonly skipped: readonly Pick<EventRecord, "secretId" | "requestId" | "reference">[];
}

export interface WebhookStore {
  /** Oldest first. */
  listWebhooks(teamId: string | undefined): Promise<WebhookRecord[]>;
  findWebhook(id: string): Promise<WebhookRecord | undefined>;
  /** Newest first. */
  listWebhookDeliveries(id: string): Promise<WebhookDelivery[]>;
  createWebhook(webhook: NewWebhook): Promise<"created" | "too_many">;
  /** Resolves the webhook as it is then; undefined when there is none. So do the next two. */
  pauseWebhook(id: string): Promise<WebhookRecord | undefined>;
  /** Resumes a webhook at its position, at once. */
  resumeWebhook(id: string): Promise<WebhookRecord | undefined>;
  /** Replaces the secret of a webhook; the former one signs too until `formerUntil`. */
  rotateWebhookSecret(id: string, secret: string, formerUntil: number): Promise<WebhookRecord | undefined>;
  /** Resolves the deleted webhook; undefined when there was none. */
  deleteWebhook(id: string): Promise<WebhookRecord | undefined>;
  /** Stores all notes, or none. Notes about deleted webhooks are ignored. */
  noteWebhooks(notes: readonly WebhookNote[]): Promise<void>;
  /** True when this process calls webhooks. Of several processes over one database, one does. */
  mayCallWebhooks(): Promise<boolean>;
}

/** The part of a webhook that a call depends on. */
export type CallTarget = Pick<
  WebhookRecord,
  "url" | "format" | "allowHttp" | "secret" | "formerSecret" | "formerSecretUntil"
>;

/** The event in the body of a call. That of a test call has a type that no log has. */
export type ToldEvent = Omit<Event, "type"> & { readonly type: string };

/** Calls the receivers of webhooks. */
export interface WebhookCaller {
  /** Makes one call, signed at `now`, and resolves its answer. Rejects only when `signal` is aborted. */
  call(target: CallTarget, event: ToldEvent, now: number, signal?: AbortSignal): Promise<CallAnswer>;
}
