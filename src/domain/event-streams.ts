import { ERRORS } from "../contract/errors.ts";
import { MAX_PAGE_SIZE } from "../contract/limits.ts";
import { OPERATIONS } from "../contract/operations.ts";
import type { Caller } from "./callers.ts";
import type { CredentialStore } from "./ports/credentials.ts";
import type { EventFeed, EventStore, ListedEvent } from "./ports/events.ts";
import type { PersonStore } from "./ports/persons.ts";
import type { Clock } from "./ports/sources.ts";
import type { ServerPolicy } from "./server-policies.ts";
import { reauthenticate } from "./sessions.ts";
import { Refusal } from "./values/errors.ts";
import { firstIdAt } from "./values/ids.ts";
import type { Waits } from "./waits.ts";

/** The longest time without a part, so that proxies and readers don't take a quiet stream for a dead one. */
const HEARTBEAT_SECONDS = 15;
/** The time between two reads of the log while many events happen. */
const PACE_MS = 50;
/** It is longer where there are many streams, by this for each of them: sending all of them a part takes a while. */
const PACE_OF_STREAM_MS = 0.4;
/** The same while a stream is behind, so that it isn't for long, and calls are answered meanwhile. */
const PACE_BEHIND_MS = 0.2;
/** Half of the second within which a revoked credential ends its streams. */
const CHECK_INTERVAL_MS = 500;
const RETRY_SECONDS = 5;

/** A stream of a team's events, each once. */
export interface EventStream {
  /** The id of the event after which the stream begins. */
  readonly after: string;
  /**
   * Resolves with the next events, oldest first, or with none after 15 seconds without any. Streams at the same place
   * of the log may get the same array. Undefined at the end: the caller is gone or not allowed any more, or the server
   * stops. Call it again after it has resolved; nothing is read ahead. Rejects as the store does.
   */
  next(): Promise<readonly ListedEvent[] | undefined>;
  /** Ends the stream. May be called more than once. */
  end(): void;
  /** Aborted when the stream ends. */
  readonly over: AbortSignal;
}

export interface EventStreams {
  /**
   * Opens a stream that begins after an event, at `now`, or without `after` with the oldest event, and ends with
   * `signal`. Throws a Refusal `rate_limited` when all waiting slots of the credential are taken: a stream can't be
   * answered at once instead.
   */
  open(caller: Caller, after: string | undefined, signal: AbortSignal): Promise<EventStream>;
}

interface EventStreamDeps {
  readonly store: EventStore & EventFeed & CredentialStore & PersonStore;
  readonly clock: Clock;
  readonly policy: ServerPolicy;
  readonly waits: Waits;
}

export function createEventStreams(deps: EventStreamDeps): EventStreams {
  const { store, waits } = deps;
  const watch = createCredentialWatch(deps);
  const readLog = createLogReader(store);
  let streams = 0;
  const pace = (isBehind: boolean) =>
    isBehind ? PACE_BEHIND_MS * streams : Math.max(PACE_MS, PACE_OF_STREAM_MS * streams);

  return {
    async open(caller, after, signal) {
      // In an empty log, `now` is the beginning.
      const latest = after === "now" ? await store.lastEventId(caller.teamId) : after;
      const over = new AbortController();
      const end = () => over.abort();
      const leave = waits.enter(caller.credentialId, end);
      if (!leave) throw noPlaceLeft();
      const unwatch = watch.add(caller, end);
      streams++;
      const onEnd = () => (streams--, leave(), unwatch());
      if (over.signal.aborted) onEnd();
      else over.signal.addEventListener("abort", onEnd, { once: true });
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
      const start = latest ?? firstIdAt("event", 0);
      const read = (cursor: string) => readLog(caller.teamId, cursor);
      const next = createReader({ waits, read, pace }, { teamId: caller.teamId, after: start }, over.signal);
      return { after: start, next, end, over: over.signal };
    },
  };
}

/**
 * Reads the log once for all streams of a team that are at the same place and read at about the same time. Nothing was
 * announced since: a stream that waits is woken by an event that a page lacks.
 */
function createLogReader({ listEvents, subscribe }: Pick<EventStore, "listEvents"> & EventFeed) {
  const pages = new Map<string, { readonly after: string; readonly events: Promise<readonly ListedEvent[]> }>();
  subscribe(({ teamId }) => void pages.delete(teamId));
  return (teamId: string, after: string): Promise<readonly ListedEvent[]> => {
    const known = pages.get(teamId);
    if (known?.after === after) return known.events;
    const page = { after, events: listEvents(teamId, after, MAX_PAGE_SIZE) };
    pages.set(teamId, page);
    setTimeout(() => pages.get(teamId) === page && pages.delete(teamId), PACE_MS);
    return page.events;
  };
}

interface Reading {
  readonly waits: Waits;
  /** Reads the events after one. */
  readonly read: (after: string) => Promise<readonly ListedEvent[]>;
  /** The time between two reads, in milliseconds. One that is behind reads sooner. */
  readonly pace: (isBehind: boolean) => number;
}

function createReader(
  { waits, read, pace }: Reading,
  { teamId, after }: { readonly teamId: string; readonly after: string },
  over: AbortSignal,
) {
  let cursor = after;
  let notBefore = 0;
  return async (): Promise<readonly ListedEvent[] | undefined> => {
    const early = notBefore - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const events = await waits.until({
      topic: teamId,
      credentialId: undefined,
      seconds: HEARTBEAT_SECONDS,
      signal: over,
      read: () => read(cursor),
      settled: ({ length }) => length > 0,
    });
    if (over.aborted) return undefined;
    cursor = events.at(-1)?.id ?? cursor;
    // After a full page, more events are ready.
    notBefore = nextTick(pace(events.length === MAX_PAGE_SIZE));
    return events;
  };
}

/** When to read again: all streams at once, so that one read does for all. */
function nextTick(paceMs: number): number {
  return (Math.floor(performance.now() / paceMs) + 1) * paceMs;
}

/** Ends the streams of revoked credentials, with one check for all streams of a credential. */
function createCredentialWatch(deps: EventStreamDeps) {
  const streams = new Map<string, { readonly caller: Caller; readonly ends: Set<() => void> }>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const check = async () => {
    for (const { caller, ends } of streams.values()) {
      if (!(await mayHave(deps, caller))) for (const end of ends) end();
    }
    timer = streams.size > 0 ? setTimeout(() => void check(), CHECK_INTERVAL_MS) : undefined;
  };

  return {
    /** Calls `end` when the credential of `caller` isn't valid any more. The returned function stops watching. */
    add(caller: Caller, end: () => void): () => void {
      const { credentialId } = caller;
      const known = streams.get(credentialId) ?? { caller, ends: new Set() };
      streams.set(credentialId, known);
      known.ends.add(end);
      timer ??= setTimeout(() => void check(), CHECK_INTERVAL_MS);
      return () => {
        known.ends.delete(end);
        if (known.ends.size === 0 && streams.get(credentialId) === known) streams.delete(credentialId);
      };
    },
  };
}

async function mayHave(deps: EventStreamDeps, caller: Caller): Promise<boolean> {
  try {
    await reauthenticate(deps, caller, OPERATIONS.listEvents, undefined);
    return true;
  } catch (error) {
    // A failure of the storage says nothing about the credential; the reader of the stream gets it.
    return !(error instanceof Refusal && ERRORS[error.code].status < 500);
  }
}

function noPlaceLeft(): Refusal {
  return new Refusal("rate_limited", {
    detail: "This credential has as many streams and waiting calls as it may have. End one of them first.",
    retryAfterSeconds: RETRY_SECONDS,
  });
}
