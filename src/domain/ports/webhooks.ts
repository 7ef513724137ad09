import type { Event } from "../../contract/events.ts";
import type { EventType } from "../../contract/states.ts";
import type { EventRecord } from "./events.ts";

// Addresses that an admin named, told of a team's events: contract section 12. Times are epoch milliseconds.

/** The shapes of what is sent: signed JSON after Standard Webhooks, a text for chats, a text with a title for ntfy. */
export const WEBHOOK_FORMATS = ["standard", "chat", "ntfy"] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The most webhooks of a database. */
export const MAX_WEBHOOKS = 100;

/** The calls of each webhook that are remembered, the newest ones. */
export const KEPT_DELIVERIES = 100;

/** The reason for which a call got no answer. */
export type CallFailure = "name_not_found" | "address_refused" | "unreachable" | "tls_untrusted" | "timed_out";

/** The answer to a call, or why there was none. `retryAfter` is the header as it came; null without one. */
export type CallAnswer =
  { readonly status: number; readonly retryAfter: string | null } | { readonly failure: CallFailure };

/** The place of a webhook in the log of its team, and how the calls about the next event went so far. */
export interface WebhookProgress {
  /** The event that was dealt with last; empty before the first. */
  readonly lastEventId: string;
  /** The calls about the next event that failed for a time, and those that were rejected. */
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
  /** True when it may be called without TLS at another machine. */
  readonly allowHttp: boolean;
  /** Signs what is sent, `whsec_…`; null where the format is not signed. */
  readonly secret: string | null;
  /** Signs beside it until its end. */
  readonly formerSecret: string | null;
  readonly formerSecretUntil: number | null;
  readonly createdAt: number;
  readonly pausedAt: number | null;
  /** The one who paused it: an admin, or the receiver, which answered 410. */
  readonly pausedBy: "admin" | "receiver" | null;
  /** Goes up with everything that an admin changes. */
  readonly revision: number;
}

/** A webhook that is about to be stored: its place is the end of the log. */
export type NewWebhook = Pick<
  WebhookRecord,
  "id" | "teamId" | "url" | "format" | "eventTypes" | "allowHttp" | "secret" | "createdAt"
>;

/** One call about an event, and what came of it. */
export interface WebhookDelivery {
  readonly eventId: string;
  readonly eventType: EventType;
  readonly at: number;
  readonly durationMs: number;
  /** Null without an answer. */
  readonly status: number | null;
  readonly failure: CallFailure | null;
  readonly outcome: "delivered" | "retried" | "skipped" | "paused";
  /** The time of the next call about the same event; null when there is none. */
  readonly nextTryAt: number | null;
}

/** The things that were done for a webhook since the last note. */
export interface WebhookNote extends WebhookProgress {
  readonly webhookId: string;
  /** The revision of the webhook that was worked with: what an admin has changed since is not overwritten. */
  readonly revision: number;
  /** Oldest first. */
  readonly deliveries: readonly WebhookDelivery[];
  /** The time at which the receiver said that it is gone; null when it did not. */
  readonly goneAt: number | null;
  /** The events that were given up and are to be told of, with what they were about. */
  readonly skipped: readonly Pick<EventRecord, "secretId" | "requestId" | "reference">[];
}

export interface WebhookStore {
  /** By id, which is by age. */
  listWebhooks(teamId: string | undefined): Promise<WebhookRecord[]>;
  findWebhook(id: string): Promise<WebhookRecord | undefined>;
  /** Newest first. */
  listWebhookDeliveries(id: string): Promise<WebhookDelivery[]>;
  createWebhook(webhook: NewWebhook): Promise<"created" | "too_many">;
  /** Resolves what the webhook is then; undefined when there is none. So do the next two. */
  pauseWebhook(id: string): Promise<WebhookRecord | undefined>;
  /** Lets a webhook go on from its place, at once. */
  resumeWebhook(id: string): Promise<WebhookRecord | undefined>;
  /** Gives a webhook a new secret; the one that it had signs beside it until `formerUntil`. */
  rotateWebhookSecret(id: string, secret: string, formerUntil: number): Promise<WebhookRecord | undefined>;
  /** Resolves what it was; undefined when there was none. */
  deleteWebhook(id: string): Promise<WebhookRecord | undefined>;
  /** Writes down what was done, all of it or nothing. What was deleted meanwhile is left out. */
  noteWebhooks(notes: readonly WebhookNote[]): Promise<void>;
  /** True when this process is the one that calls. Of several that share a database, one is. */
  mayCallWebhooks(): Promise<boolean>;
}

/** The part of a webhook that a call is made by. */
export type CallTarget = Pick<
  WebhookRecord,
  "url" | "format" | "allowHttp" | "secret" | "formerSecret" | "formerSecretUntil"
>;

/** The event that a call tells of. A test has no type of the log. */
export type ToldEvent = Omit<Event, "type"> & { readonly type: string };

/** Calls the receivers of webhooks. */
export interface WebhookCaller {
  /** Makes one call, signed at `now`, and resolves with what came of it. Never rejects, but when `signal` is aborted. */
  call(target: CallTarget, event: ToldEvent, now: number, signal?: AbortSignal): Promise<CallAnswer>;
}
