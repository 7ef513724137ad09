import { toEvent } from "../events.ts";
import type { EventStore, ListedEvent } from "../ports/events.ts";
import type { Clock, Random } from "../ports/sources.ts";
import { KEPT_DELIVERIES } from "../ports/webhooks.ts";
import type {
  CallAnswer,
  WebhookCaller,
  WebhookDelivery,
  WebhookNote,
  WebhookProgress,
  WebhookRecord,
  WebhookStore,
} from "../ports/webhooks.ts";
import { after, judgeAnswer } from "./attempts.ts";

/** The number of events in one read. */
const PAGE_SIZE = 50;
/** The events that a webhook does not want after which its place is written down all the same. */
const UNNOTED_EVENTS = 5000;

/** The class of an answer, for metrics. */
export type CallClass = "2xx" | "3xx" | "4xx" | "5xx" | "none";

/** A note to be stored. Call `giveBack` when storing it failed. */
interface TakenNote {
  readonly note: WebhookNote;
  readonly giveBack: () => void;
}

/** The worker that delivers the log to one webhook. */
export interface Lane {
  /** The webhook as last read, with the lane's own progress. */
  webhook(): WebhookRecord;
  /** Applies an admin's changes. */
  update(webhook: WebhookRecord): void;
  /** Closes the lane: it makes no further call. */
  close(): void;
  /** Marks that there are new events. True when the lane is idle, so that `run` has to be called. */
  wake(): boolean;
  /**
   * Delivers events until there is nothing to do now. Does nothing while it runs. Of a retry that isn't due, it only
   * reads the event, if this process hasn't yet.
   */
  run(): Promise<void>;
  /** Resolves when the lane is idle: false if it already was. Never rejects. */
  idle(): Promise<boolean>;
  /** True when there is progress since the last note. */
  hasNews(): boolean;
  /** Takes the progress since the last note; undefined for none. */
  takeNote(): TakenNote | undefined;
  /** The time of the next event to deliver; undefined when none is known, and while the webhook is paused. */
  behindSince(): number | undefined;
}

export interface LaneDeps {
  readonly store: EventStore & Pick<WebhookStore, "findWebhook">;
  readonly clock: Clock;
  readonly random: Random;
  readonly caller: WebhookCaller;
  readonly signal: AbortSignal;
  readonly isStopped: () => boolean;
  readonly noteSoon: () => void;
  /** Resolves when the lane may call: the rate limit is shared by all webhooks. */
  readonly pace: () => Promise<void>;
  readonly count: (webhook: WebhookRecord, result: CallClass) => void;
  readonly onGone: (webhook: WebhookRecord) => void;
  readonly onSkip: (webhook: WebhookRecord, eventId: string) => void;
}

type UnsavedWork = Pick<WebhookNote, "deliveries" | "goneAt" | "skipped">;
const NOTHING: UnsavedWork = { deliveries: [], goneAt: null, skipped: [] };

export function createLane(first: WebhookRecord, deps: LaneDeps): Lane {
  const { store, clock } = deps;
  let webhook = first;
  let progress: WebhookProgress = progressOf(first);
  /** The events that were read and not delivered yet. */
  let pending: ListedEvent[] = [];
  let unsaved = NOTHING;
  let unwantedCount = 0;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let isClosed = false;

  const isWanted = ({ type }: ListedEvent) => webhook.eventTypes?.includes(type) ?? true;

  /** The next event of a type that the webhook wants; undefined for none. */
  const next = async (): Promise<ListedEvent | undefined> => {
    for (;;) {
      if (pending.length === 0) pending = await store.listEvents(webhook.teamId, progress.lastEventId, PAGE_SIZE);
      const [event] = pending;
      if (!event || isWanted(event)) return event;
      pending.shift();
      progress = after(event.id);
      unwantedCount += 1;
    }
  };

  /**
   * Reads the webhook again, so that an admin's change counts for the next call. Undefined when it must not be called.
   */
  const reload = async (): Promise<WebhookRecord | undefined> => {
    const current = await store.findWebhook(webhook.id);
    if (!current) isClosed = true;
    else if (current.pausedAt !== null) {
      webhook = { ...webhook, pausedAt: current.pausedAt, pausedBy: current.pausedBy };
    }
    return mayGoOn() ? current : undefined;
  };

  const deliver = async (event: ListedEvent): Promise<void> => {
    const target = await reload();
    if (!target) return;
    const at = clock.now();
    const begun = performance.now();
    const answer = await deps.caller.call(target, toEvent(event), at, deps.signal);
    const durationMs = Math.round(performance.now() - begun);
    deps.count(target, classOf(answer));
    const [byte = 0] = deps.random.bytes(1);
    const now = clock.now();
    const verdict = judgeAnswer(progress, event.id, answer, { now, jitter: byte / 255 });
    const { outcome } = verdict;
    progress = verdict.progress;
    if (outcome === "delivered" || outcome === "skipped") pending.shift();
    unsaved = add(unsaved, event, { outcome, at, durationMs, answer, nextTryAt: progress.nextTryAt });
    if (outcome === "paused") {
      webhook = { ...webhook, pausedAt: now, pausedBy: "receiver" };
      deps.onGone(webhook);
    }
    if (outcome === "skipped") deps.onSkip(webhook, event.id);
    deps.noteSoon();
  };

  const hasNews = () => unsaved !== NOTHING || unwantedCount >= UNNOTED_EVENTS;
  const mayGoOn = () =>
    !isClosed &&
    !deps.isStopped() &&
    webhook.pausedAt === null &&
    (progress.nextTryAt === null || progress.nextTryAt <= clock.now());
  const wake = (): boolean => {
    isWoken = true;
    return running === undefined && mayGoOn();
  };
  /** True when a retry is pending whose event this process hasn't read. */
  const isUnread = () =>
    running === undefined &&
    !isClosed &&
    !deps.isStopped() &&
    webhook.pausedAt === null &&
    progress.nextTryAt !== null &&
    pending.length === 0;
  const drain = async (): Promise<void> => {
    do {
      isWoken = false;
      for (let event = await next(); event && mayGoOn(); event = await next()) {
        await deps.pace();
        if (mayGoOn()) await deliver(event);
      }
    } while (isWoken && mayGoOn());
  };

  return {
    webhook: () => webhook,
    update(changed) {
      if (changed.revision === webhook.revision) {
        // The team may have been renamed.
        webhook = { ...changed, pausedAt: webhook.pausedAt, pausedBy: webhook.pausedBy };
        return;
      }
      webhook = changed;
      // Deliveries since then stay delivered.
      progress = changed.lastEventId < progress.lastEventId ? after(progress.lastEventId) : progressOf(changed);
      pending = [];
    },
    close() {
      isClosed = true;
    },
    wake,
    run() {
      if (!wake() && !isUnread()) return Promise.resolve();
      const work = async () => (mayGoOn() ? drain() : void (await next()));
      return (running = work().finally(() => void (running = undefined)));
    },
    async idle() {
      const was = running;
      await was?.catch(() => undefined);
      return was !== undefined;
    },
    hasNews,
    takeNote() {
      if (!hasNews()) return undefined;
      const taken = unsaved;
      const note = { webhookId: webhook.id, revision: webhook.revision, ...progress, ...taken };
      unsaved = NOTHING;
      unwantedCount = 0;
      const giveBack = () => {
        unsaved = {
          deliveries: [...taken.deliveries, ...unsaved.deliveries].slice(-KEPT_DELIVERIES),
          goneAt: unsaved.goneAt ?? taken.goneAt,
          skipped: [...taken.skipped, ...unsaved.skipped],
        };
      };
      return { note, giveBack };
    },
    behindSince: () => (webhook.pausedAt === null ? pending.find(isWanted)?.createdAt : undefined),
  };
}

function progressOf({ lastEventId, failures, rejections, firstFailedAt, nextTryAt }: WebhookRecord): WebhookProgress {
  return { lastEventId, failures, rejections, firstFailedAt, nextTryAt };
}

function classOf(answer: CallAnswer): CallClass {
  if ("failure" in answer) return "none";
  if (answer.status < 300) return "2xx";
  if (answer.status < 400) return "3xx";
  return answer.status < 500 ? "4xx" : "5xx";
}

function add(
  before: UnsavedWork,
  event: ListedEvent,
  done: Pick<WebhookDelivery, "outcome" | "at" | "durationMs" | "nextTryAt"> & { readonly answer: CallAnswer },
): UnsavedWork {
  const { answer, ...rest } = done;
  const status = "status" in answer ? answer.status : null;
  const failure = "failure" in answer ? answer.failure : null;
  const delivery = { eventId: event.id, eventType: event.type, status, failure, ...rest };
  // A failed delivery of `webhook.failed` is no event, because that would never end.
  const makesEvent = done.outcome === "skipped" && event.type !== "webhook.failed";
  return {
    deliveries: [...before.deliveries, delivery].slice(-KEPT_DELIVERIES),
    goneAt: done.outcome === "paused" ? done.at : before.goneAt,
    skipped: makesEvent
      ? [...before.skipped, { secretId: event.secretId, requestId: event.requestId, reference: event.reference }]
      : before.skipped,
  };
}
