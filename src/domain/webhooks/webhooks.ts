import { base64 } from "@scure/base";
import type { EventType } from "../../contract/states.ts";
import { AdminError, getTeam } from "../administration.ts";
import type { AdminDeps } from "../administration.ts";
import type { EventStore } from "../ports/events.ts";
import { MAX_WEBHOOKS } from "../ports/webhooks.ts";
import type { NewWebhook, WebhookFormat, WebhookRecord, WebhookStore } from "../ports/webhooks.ts";
import { parseWebhookUrl } from "./addresses.ts";

export interface WebhookAdminDeps extends AdminDeps {
  readonly store: AdminDeps["store"] & WebhookStore;
}

/** The prefix of signing secrets in Standard Webhooks. */
const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;
/** How long both secrets sign after a rotation. */
const ROTATION_MS = 86_400_000;

/** A new webhook, with its signing secret if it has one, which is shown once. */
export interface CreatedWebhook {
  readonly webhook: WebhookRecord;
  readonly secret: string | null;
}

/**
 * Creates a webhook for a team's events from now on. Throws AdminError when there is no such team, for a URL that may
 * not be called, and when there are too many webhooks.
 */
export async function createWebhook(
  deps: WebhookAdminDeps,
  input: {
    readonly team: string;
    readonly url: string;
    readonly format: WebhookFormat;
    /** Empty for all types. */
    readonly eventTypes: readonly EventType[];
    readonly allowHttp: boolean;
  },
): Promise<CreatedWebhook> {
  const { format, allowHttp } = input;
  const url = parseWebhookUrl(input.url, allowHttp).href;
  const { id: teamId } = await getTeam(deps, input.team);
  const secret = format === "standard" ? newSecret(deps) : null;
  const eventTypes = input.eventTypes.length > 0 ? [...new Set(input.eventTypes)] : null;
  const id = deps.ids.next("webhook");
  const webhook: NewWebhook = { id, teamId, url, format, eventTypes, allowHttp, secret, createdAt: deps.clock.now() };
  if ((await deps.store.createWebhook(webhook)) === "too_many") {
    throw new AdminError(`there are ${MAX_WEBHOOKS} webhooks, which is all that there may be; delete one first`);
  }
  return { webhook: await getWebhook(deps, id), secret };
}

function newSecret({ random }: Pick<AdminDeps, "random">): string {
  return SECRET_PREFIX + base64.encode(random.bytes(SECRET_BYTES));
}

/** The maximum number of events searched for the next one of a webhook, so that the search ends soon. */
const SEARCHED_EVENTS = 10_000;
const PAGE_SIZE = 500;
/** The size of the first read, which mostly is enough. */
const FIRST_PAGE_SIZE = 10;

/** The time of the oldest undelivered event of a webhook; undefined when the next `SEARCHED_EVENTS` have none. */
export async function findBehind(
  store: EventStore,
  { teamId, lastEventId, eventTypes }: Pick<WebhookRecord, "teamId" | "lastEventId" | "eventTypes">,
): Promise<number | undefined> {
  let after: string | undefined = lastEventId;
  for (let searched = 0; after !== undefined && searched < SEARCHED_EVENTS;) {
    const size = searched === 0 ? FIRST_PAGE_SIZE : PAGE_SIZE;
    const page = await store.listEvents(teamId, after, size);
    searched += size;
    const next = page.find(({ type }) => eventTypes?.includes(type) ?? true);
    if (next) return next.createdAt;
    after = page.at(-1)?.id;
  }
  return undefined;
}

/** Finds a webhook by id. Throws AdminError when there is none. */
export async function getWebhook(deps: WebhookAdminDeps, id: string): Promise<WebhookRecord> {
  return found(id, await deps.store.findWebhook(id));
}

/** Pauses a webhook. A paused webhook stays as it is. Throws AdminError as `getWebhook` does. */
export async function pauseWebhook(deps: WebhookAdminDeps, id: string): Promise<WebhookRecord> {
  return found(id, await deps.store.pauseWebhook(id));
}

/** Resumes a webhook at its place, at once, even if it waits for a retry. Throws AdminError as `getWebhook` does. */
export async function resumeWebhook(deps: WebhookAdminDeps, id: string): Promise<WebhookRecord> {
  return found(id, await deps.store.resumeWebhook(id));
}

/** Deletes a webhook and its deliveries. Resolves its last record. Throws AdminError as `getWebhook` does. */
export async function deleteWebhook(deps: WebhookAdminDeps, id: string): Promise<WebhookRecord> {
  return found(id, await deps.store.deleteWebhook(id));
}

/**
 * Rotates the signing secret; for a day the old one signs too. Throws AdminError as `getWebhook` does, and for a
 * webhook without a secret.
 */
export async function rotateWebhookSecret(
  deps: WebhookAdminDeps,
  id: string,
): Promise<CreatedWebhook & { readonly formerUntil: number }> {
  const { format } = await getWebhook(deps, id);
  if (format !== "standard")
    throw new AdminError(`calls with the format '${format}' are not signed: there is no secret`);
  const secret = newSecret(deps);
  const formerUntil = deps.clock.now() + ROTATION_MS;
  return { webhook: found(id, await deps.store.rotateWebhookSecret(id, secret, formerUntil)), secret, formerUntil };
}

/** Undoes a rotation whose secret couldn't be shown. */
export async function undoRotation(deps: WebhookAdminDeps, { id, formerSecret }: WebhookRecord): Promise<void> {
  if (formerSecret !== null) await deps.store.rotateWebhookSecret(id, formerSecret, deps.clock.now());
}

function found(id: string, webhook: WebhookRecord | undefined): WebhookRecord {
  if (!webhook) throw new AdminError(`there is no webhook '${id}'; 'handoff admin webhook list' lists them`);
  return webhook;
}
