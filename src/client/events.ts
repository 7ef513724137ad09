import { MAX_PAGE_SIZE } from "../contract/limits.ts";
import { unexpected } from "./answers.ts";
import { pause } from "./deadlines.ts";
import { ClientError } from "./errors.ts";
import { streamCallOf } from "./http-client.ts";
import type { HttpClient } from "./http-client.ts";
import { interrupted } from "./network-errors.ts";
import { listOf, membersOf, orNull, parseEvent, parseIdOf } from "./shapes.ts";
import type { SeenEvent } from "./shapes.ts";
import { openStream } from "./streams.ts";
import { isTransient, pauseAfter } from "./waits.ts";

/** Events of a team, and the place after the last of them. */
export interface EventsSince {
  readonly events: readonly SeenEvent[];
  /** The `after` of the next call; undefined when nothing has ever happened. */
  readonly next: string | undefined;
}

/** Lists events after `after`, or from `now` on. Waits up to `waitSeconds` for the first. Throws ClientError. */
export async function listEvents(client: HttpClient, after?: string, waitSeconds?: number): Promise<EventsSince> {
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  const page = membersOf(await client.call("listEvents", { query: { after, limit: MAX_PAGE_SIZE }, ...wait }));
  const next = orNull(page["next_cursor"], (value) => parseIdOf("event", value));
  return { events: listOf(page["data"], parseEvent), next: next ?? undefined };
}

/** Yields the events after `after` that have happened so far, each once and in order. Throws ClientError. */
export async function* pastEvents(client: HttpClient, after?: string): AsyncGenerator<SeenEvent, void> {
  let last = after === "now" ? undefined : after;
  for (let from = after; ;) {
    const { events, next } = await listEvents(client, from);
    // Even if a server repeats events, none comes twice, and the listing ends.
    const fresh = events.filter(({ id }) => last === undefined || id > last);
    if (fresh.length === 0) return;
    yield* fresh;
    last = fresh.at(-1)?.id;
    from = next;
  }
}

/** A secret's remaining events, oldest first; null from a server that is too old. Throws ClientError. */
export async function listSecretEvents(client: HttpClient, id: string): Promise<SeenEvent[] | null> {
  try {
    return listOf(membersOf(await client.call("listSecretEvents", { id }))["data"], parseEvent);
  } catch (error) {
    if (error instanceof ClientError && error.kind === "gone") return null;
    throw error;
  }
}

/** How long one call waits when streams aren't available: less than the minute after which proxies hang up. */
const WAIT_SECONDS = 50;
/** The least time between two calls, for a server that answers without waiting. */
const MIN_STEP_MS = 5000;
/** The time until the client asks for a stream again after it couldn't get one. */
const STREAM_AGAIN_MS = 5 * 60_000;
/** A proxy has cut off an empty stream that ends sooner. */
const MIN_STREAM_MS = 5000;
/** After this many such streams in a row, the client makes waiting calls instead. */
const MAX_CUT_STREAMS = 3;
const FIRST_PAUSE_MS = 250;
/** As many attempts as a call without an answer gets. */
const MAX_FIRST_ATTEMPTS = 5;

/** Options of `followEvents`. */
export interface FollowOptions {
  /** The event after which to begin, or `now`. Without it, the oldest event comes first. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  /** Called when the stream begins, and when it is back after a loss. No event after `after` is missed. */
  readonly onBegin?: () => void;
  /** Called with the error of every failed attempt, and its number since the last success. */
  readonly onLost?: ((error: ClientError, attempt: number) => void) | undefined;
  /** `pause`; tests replace it. */
  readonly sleep?: typeof pause;
}

/**
 * Yields the events of a team as they happen, each once and in order, without end. It reconnects after a lost
 * connection, and makes waiting calls where no stream is available. Throws ClientError: `interrupted` when the signal
 * is aborted, and errors that don't pass, such as a revoked credential.
 */
export async function* followEvents(client: HttpClient, options: FollowOptions): AsyncGenerator<SeenEvent, never> {
  const { signal, onLost, sleep = pause } = options;
  const place: Place = {
    after: options.after,
    told: options.after === "now" ? undefined : options.after,
    hasBegun: false,
    isAway: true,
    failures: 0,
    cutStreams: 0,
    streamAt: -Infinity,
  };
  for (;;) {
    try {
      place.isAway ||= performance.now() >= place.streamAt;
      if (performance.now() >= place.streamAt) yield* streamOnce(client, place, options);
      else yield* callOnce(client, place, options);
      if (!signal.aborted) await sleep(FIRST_PAUSE_MS, signal);
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      place.failures += 1;
      place.isAway = true;
      if (!place.hasBegun && place.failures >= MAX_FIRST_ATTEMPTS) throw error;
      onLost?.(error, place.failures);
      await sleep(pauseAfter(place.failures), signal);
    }
    if (signal.aborted) throw interrupted();
  }
}

/** The position in the log, and the state of the connection. */
interface Place {
  after: string | undefined;
  /** The last event that was yielded. Only later ones follow, whatever a server repeats. */
  told: string | undefined;
  hasBegun: boolean;
  /** True before the first answer, and while the connection is lost. */
  isAway: boolean;
  /** Failed attempts in a row. */
  failures: number;
  /** Streams in a row that were cut off at once, without an event. */
  cutStreams: number;
  /** The time of the next attempt to open a stream, by `performance.now()`. */
  streamAt: number;
}

function begin(place: Place, { onBegin }: FollowOptions): void {
  place.failures = 0;
  place.hasBegun = true;
  if (!place.isAway) return;
  place.isAway = false;
  onBegin?.();
}

/** True for an event later than all before; it is then recorded as the last. */
function isNext(place: Place, { id }: SeenEvent): boolean {
  if (place.told !== undefined && id <= place.told) return false;
  place.told = id;
  return true;
}

/** Yields the events of one stream until it ends. When no stream is available, waiting calls take over for a while. */
async function* streamOnce(client: HttpClient, place: Place, options: FollowOptions): AsyncGenerator<SeenEvent, void> {
  const waitInstead = () => void (place.streamAt = performance.now() + STREAM_AGAIN_MS);
  const { told } = place;
  const startedAt = performance.now();
  let isOpen = false;
  let isStream = false;
  try {
    const parts = await openStream(streamCallOf(client, place.after));
    if (!parts) return waitInstead();
    isOpen = true;
    for await (const { id, data } of parts) {
      isStream = true;
      if (id !== undefined) place.after = parseIdOf("event", id);
      begin(place, options);
      const event = data === undefined ? undefined : parseEvent(parseJson(data));
      if (event && isNext(place, event)) yield event;
    }
  } catch (error) {
    // The server has no free waiting slot, or a proxy buffers the stream.
    const isNone = error instanceof ClientError && (error.code === "rate_limited" || error.code === "timed_out");
    if (isStream || !isNone) throw error;
    waitInstead();
  } finally {
    const isCut = isOpen && place.told === told && performance.now() - startedAt < MIN_STREAM_MS;
    if (isOpen) place.cutStreams = isCut ? place.cutStreams + 1 : 0;
    if (place.cutStreams >= MAX_CUT_STREAMS) {
      place.cutStreams = 0;
      waitInstead();
    }
  }
}

/** Yields the events of one waiting call. */
async function* callOnce(client: HttpClient, place: Place, options: FollowOptions): AsyncGenerator<SeenEvent, void> {
  const { signal, sleep = pause } = options;
  if (place.after === "now") {
    // In an empty log, `now` is the beginning.
    place.after = (await listEvents(client, "now")).next;
    return begin(place, options);
  }
  const startedAt = performance.now();
  const { events } = await listEvents(client, place.after, WAIT_SECONDS);
  begin(place, options);
  const { told } = place;
  for (const event of events) {
    place.after = event.id;
    if (isNext(place, event)) yield event;
  }
  // A server without a free waiting slot answers at once.
  const early = place.told === told ? startedAt + MIN_STEP_MS - performance.now() : 0;
  if (early > 0 && !signal.aborted) await sleep(early, signal);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected();
  }
}
