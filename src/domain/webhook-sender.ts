import { createPace } from "./paces.ts";
import type { EventFeed, EventStore } from "./ports/events.ts";
import type { Clock, Random } from "./ports/sources.ts";
import type { WebhookCaller, WebhookRecord, WebhookStore } from "./ports/webhooks.ts";
import { createLane } from "./webhook-lanes.ts";
import type { CallClass, Lane } from "./webhook-lanes.ts";
import { findBehind } from "./webhooks.ts";

/** The time in which what was done is written down: once for all that comes together. */
const NOTE_DELAY_MS = 250;
/** The calls of a second, of all webhooks: they take a thirtieth of a core, and the calls that come in the rest. */
const CALLS_PER_SECOND = 200;
const CALLS_AT_ONCE = 20;
/** The time that calls under way have when the server stops. */
const GRACE_MS = 2000;

/** The figures of a webhook, as the sender knows them. */
interface WebhookFigures {
  /** The name of its team. */
  readonly team: string;
  /** `gone`: paused because its receiver said that it is. */
  readonly state: "active" | "paused" | "gone";
  /** The time of the oldest event that it was not told of yet; undefined when there is none. */
  readonly behindSince: number | undefined;
}

export interface WebhookSender {
  /** Looks for webhooks that came, went or changed, and has those called that have something to hear. */
  look(): Promise<void>;
  /** Resolves once nothing is left that could be done now, and all that was done is written down. */
  settle(): Promise<void>;
  /** The same by every process that shares the database, whichever of them calls. Rejects when they can't be read. */
  figures(): Promise<readonly WebhookFigures[]>;
  /** The calls that were made, by the name of the team and by what came back. */
  calls(): readonly { readonly team: string; readonly result: CallClass; readonly count: number }[];
  /** Lets calls under way come to an end, for a little while, and writes down what was done. */
  stop(): Promise<void>;
}

export interface WebhookSenderDeps {
  readonly store: WebhookStore & EventStore & EventFeed;
  readonly clock: Clock;
  readonly random: Random;
  readonly caller: WebhookCaller;
  /** Hears of the first of several failures of the storage. Nothing is lost: it is tried again. */
  readonly onError: (error: unknown) => void;
  /** Hears of a webhook whose receiver said that it is gone. */
  readonly onGone: (webhook: WebhookRecord) => void;
  /** Hears of an event that a webhook was not told of. */
  readonly onSkip: (webhook: WebhookRecord, eventId: string) => void;
}

/**
 * Tells webhooks of events: of each webhook's team in the order of the log, one call at a time. Each has its place in the log and
 * reads on from there, so that nothing is queued. What was called but not yet written down when the process ends is called
 * again. Somebody has to `look` from time to time: at what other processes wrote, and what is to be tried again.
 */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { store } = deps;
  const lanes = new Map<string, Lane>();
  const counts = new Map<string, Map<CallClass, number>>();
  const giveUp = new AbortController();
  let isStopped = false;
  let isFailing = false;
  /** True while this is the one that calls, and knows what it is to tell next. */
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
    // What was done with a webhook that has changed goes first: the change counts from there on.
    const changed = webhooks.some(({ id, revision }) => (lanes.get(id)?.webhook().revision ?? revision) !== revision);
    // And what could not be written down when it was done.
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

  /** Waits for all that is under way; resolves to false when nothing was. */
  const idle = async (): Promise<boolean> => {
    const were = await Promise.all([...lanes.values()].map((lane) => lane.idle()));
    return were.includes(true);
  };

  const unsubscribe = store.subscribe(({ teamId }) => {
    // With every event: mostly there is nothing to do.
    for (const lane of lanes.values()) if (lane.webhook().teamId === teamId && lane.wake()) run(lane);
  });

  return {
    look,
    async settle() {
      // One that is under way may have begun before what is waited for.
      await looking;
      await look();
      // Notes can have events of their own.
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

/** The figures of all webhooks as the database has them, whoever calls. */
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
