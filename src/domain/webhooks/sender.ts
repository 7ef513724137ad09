import type { EventFeed, EventStore } from "../ports/events.ts";
import type { Clock, Random } from "../ports/sources.ts";
import type { WebhookCaller, WebhookRecord, WebhookStore } from "../ports/webhooks.ts";
import { createPace } from "../values/paces.ts";
import { createLane } from "./lanes.ts";
import type { CallClass, Lane } from "./lanes.ts";
import { findBehind } from "./webhooks.ts";

/** The delay before progress is stored, so that one write covers many deliveries. */
const NOTE_DELAY_MS = 250;
/** The rate limit of all webhooks together: they take a thirtieth of a core at most. */
const CALLS_PER_SECOND = 200;
const CALLS_AT_ONCE = 20;
/** How long running calls may take when the server stops. */
const GRACE_MS = 2000;

/** The figures of a webhook. */
interface WebhookFigures {
  /** The name of the team. */
  readonly team: string;
  /** `gone`: paused because the receiver answered 410. */
  readonly state: "active" | "paused" | "gone";
  /** The time of the oldest undelivered event; undefined for none. */
  readonly behindSince: number | undefined;
}

export interface WebhookSender {
  /** Reads new, deleted and changed webhooks, and delivers what is due. */
  look(): Promise<void>;
  /** Resolves when nothing is due and all progress is stored. */
  settle(): Promise<void>;
  /** The figures from the database, the same in every process. Rejects when they can't be read. */
  figures(): Promise<readonly WebhookFigures[]>;
  /** The numbers of calls, by team name and class of answer. */
  calls(): readonly { readonly team: string; readonly result: CallClass; readonly count: number }[];
  /** Waits a moment for running calls, and stores the progress. */
  stop(): Promise<void>;
}

export interface WebhookSenderDeps {
  readonly store: WebhookStore & EventStore & EventFeed;
  readonly clock: Clock;
  readonly random: Random;
  readonly caller: WebhookCaller;
  /** Called with the first of several failures of the storage, which is retried. */
  readonly onError: (error: unknown) => void;
  /** Called when a receiver answers 410. */
  readonly onGone: (webhook: WebhookRecord) => void;
  /** Called when an event is given up. */
  readonly onSkip: (webhook: WebhookRecord, eventId: string) => void;
}

/**
 * Creates the sender, which delivers each team's events to its webhooks in the order of the log, one call at a time.
 * Each webhook reads on from its place in the log, so there is no queue. Deliveries whose progress wasn't stored when
 * the process ended are repeated. `look` must be called regularly, for events of other processes and for retries.
 */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { store } = deps;
  const lanes = new Map<string, Lane>();
  const counts = new Map<string, Map<CallClass, number>>();
  const giveUp = new AbortController();
  let isStopped = false;
  let isFailing = false;
  /** True while this process holds the lease and has read the webhooks. */
  let isCalling = false;
  let noteTimer: ReturnType<typeof setTimeout> | undefined;
  let noting = Promise.resolve();
  let looking: Promise<void> | undefined;

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isStopped) deps.onError(error);
      isFailing = true;
    }
  };

  const writeNotes = async (): Promise<void> => {
    const taken = [...lanes.values()].flatMap((lane) => lane.takeNote() ?? []);
    if (taken.length === 0) return;
    try {
      await store.noteWebhooks(taken.map(({ note }) => note));
    } catch (error) {
      for (const { giveBack } of taken) giveBack();
      throw error;
    }
  };
  const note = (): Promise<void> => {
    clearTimeout(noteTimer);
    noteTimer = undefined;
    return (noting = noting.then(() => attempt(writeNotes)));
  };
  const noteSoon = () => void (noteTimer ??= setTimeout(() => void note(), NOTE_DELAY_MS));

  const count = ({ teamName }: WebhookRecord, result: CallClass) => {
    const ofTeam = counts.get(teamName) ?? new Map<CallClass, number>();
    counts.set(teamName, ofTeam.set(result, (ofTeam.get(result) ?? 0) + 1));
  };
  const laneDeps = {
    ...deps,
    signal: giveUp.signal,
    isStopped: () => isStopped,
    noteSoon,
    count,
    pace: createPace(CALLS_PER_SECOND, CALLS_AT_ONCE),
  };
  const run = (lane: Lane) => void attempt(() => lane.run());

  const lanesHaveNews = () => [...lanes.values()].some((lane) => lane.hasNews());

  const readWebhooks = async (): Promise<void> => {
    const mayCall = await store.mayCallWebhooks();
    const webhooks = mayCall ? await store.listWebhooks(undefined) : [];
    // Progress of a changed webhook is stored first: the change counts from there on.
    const changed = webhooks.some(({ id, revision }) => (lanes.get(id)?.webhook().revision ?? revision) !== revision);
    // Also stores progress that couldn't be stored before.
    if (changed || lanes.size > webhooks.length || (noteTimer === undefined && lanesHaveNews())) await note();
    const ids = new Set(webhooks.map(({ id }) => id));
    for (const [id, lane] of lanes) {
      if (ids.has(id)) continue;
      lane.close();
      lanes.delete(id);
    }
    for (const webhook of webhooks) {
      const lane = lanes.get(webhook.id);
      if (lane) lane.update(webhook);
      else lanes.set(webhook.id, createLane(webhook, laneDeps));
    }
    isCalling = mayCall;
  };
  const look = (): Promise<void> => {
    looking ??= attempt(async () => {
      await readWebhooks();
      if (!isStopped) for (const lane of lanes.values()) run(lane);
    }).finally(() => void (looking = undefined));
    return looking;
  };

  /** Waits for all running lanes; resolves false when none was running. */
  const idle = async (): Promise<boolean> => {
    const were = await Promise.all([...lanes.values()].map((lane) => lane.idle()));
    return were.includes(true);
  };

  const unsubscribe = store.subscribe(({ teamId }) => {
    // Runs for every event; mostly there is nothing to do.
    for (const lane of lanes.values()) if (lane.webhook().teamId === teamId && lane.wake()) run(lane);
  });

  return {
    look,
    async settle() {
      // A running look may have begun too early, so another one follows.
      await looking;
      await look();
      // Storing notes can add events.
      while ((await idle()) || lanesHaveNews()) await note();
    },
    async figures() {
      if (!isCalling) return await readFigures(store);
      return [...lanes.values()].map((lane) => figuresOf(lane.webhook(), lane.behindSince()));
    },
    calls: () =>
      [...counts].flatMap(([team, ofTeam]) => [...ofTeam].map(([result, number]) => ({ team, result, count: number }))),
    async stop() {
      isStopped = true;
      unsubscribe();
      const timer = setTimeout(() => giveUp.abort(), GRACE_MS);
      await idle();
      clearTimeout(timer);
      await note();
    },
  };
}

/** Reads the figures of all webhooks from the database. */
async function readFigures(store: WebhookStore & EventStore): Promise<readonly WebhookFigures[]> {
  const webhooks = await store.listWebhooks(undefined);
  return Promise.all(
    webhooks.map(async (webhook) =>
      figuresOf(webhook, webhook.pausedAt === null ? await findBehind(store, webhook) : undefined),
    ),
  );
}

function figuresOf(webhook: WebhookRecord, behindSince: number | undefined): WebhookFigures {
  return { team: webhook.teamName, state: stateOf(webhook), behindSince };
}

function stateOf({ pausedAt, pausedBy }: WebhookRecord): WebhookFigures["state"] {
  if (pausedAt === null) return "active";
  return pausedBy === "receiver" ? "gone" : "paused";
}
