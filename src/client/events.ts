import { MAX_PAGE_SIZE } from "../contract/limits.ts";
import { unexpected } from "./answers.ts";
import { ClientError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { listOf, membersOf, orNull, parseIdOf } from "./members.ts";
import { interrupted } from "./network-errors.ts";
import { pause } from "./pauses.ts";
import { parseEvent } from "./shapes.ts";
import type { SeenEvent } from "./shapes.ts";
import { isPassing, pauseAfter } from "./waits.ts";

/** Events of a team, and where to go on. */
export interface EventsSince {
  readonly events: readonly SeenEvent[];
  /** The `after` of the next call; undefined when nothing has ever happened. */
  readonly next: string | undefined;
}

/** Asks what has happened after an event, or `now`; waits for it for so many seconds at most. Throws ClientError. */
export async function listEvents(client: HttpClient, after?: string, waitSeconds?: number): Promise<EventsSince> {
  const wait = waitSeconds === undefined ? {} : { waitSeconds };
  const page = membersOf(await client.call("listEvents", { query: { after, limit: MAX_PAGE_SIZE }, ...wait }));
  const next = orNull(page["next_cursor"], (value) => parseIdOf("event", value));
  return { events: listOf(page["data"], parseEvent), next: next ?? undefined };
}

/**
 * The events of a secret, oldest first, as far as they are kept; null where the server, of an earlier version, does not
 * say. Throws ClientError.
 */
export async function listSecretEvents(client: HttpClient, id: string): Promise<SeenEvent[] | null> {
  try {
    return listOf(membersOf(await client.call("listSecretEvents", { id }))["data"], parseEvent);
  } catch (error) {
    if (error instanceof ClientError && error.kind === "gone") return null;
    throw error;
  }
}

/** The time that one call waits where there are no streams: below the minute after which proxies hang up. */
const WAIT_SECONDS = 50;
/** A call that could not wait is not made again at once. */
const MIN_STEP_MS = 5000;
/** The time after which a stream that could not be had is asked for again. */
const STREAM_AGAIN_MS = 5 * 60_000;
/** A stream that ends sooner, with nothing in it, is cut off by something between. */
const MIN_STREAM_MS = 5000;
/** As many of those in a row, and calls that wait take over. */
const MAX_CUT_STREAMS = 3;
const FIRST_PAUSE_MS = 250;
/** As many as a call that was never answered is tried. */
const MAX_FIRST_ATTEMPTS = 5;

/** The way in which events are followed. */
export interface FollowOptions {
  /** The event after which it begins, or `now`; at the oldest one without it. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
  /** Hears that it has begun, or has come back: whatever happens from then on is told, and what has happened meanwhile. */
  readonly onBegin?: () => void;
  /** Hears of every attempt that failed, and which it was since the last that did not. */
  readonly onLost?: ((error: ClientError, attempt: number) => void) | undefined;
  /** As `pause`; in tests at once. */
  readonly sleep?: typeof pause;
}

/**
 * The events of a team as they happen, each once and in order. It comes back by itself after a lost connection, and waits with
 * one call after the other where a stream can't be had. It never ends by itself. Throws ClientError: `interrupted` by the
 * signal, and for what will not be over in a while, such as a credential that counts no more.
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
      if (signal.aborted || !isPassing(error)) throw error;
      place.failures += 1;
      place.isAway = true;
      if (!place.hasBegun && place.failures >= MAX_FIRST_ATTEMPTS) throw error;
      onLost?.(error, place.failures);
      await sleep(pauseAfter(place.failures), signal);
    }
    if (signal.aborted) throw interrupted();
  }
}

/** The point that it has come to with the events, and with the server. */
interface Place {
  after: string | undefined;
  /** The event that was told last: none that isn't later is told after it, whatever a server repeats. */
  told: string | undefined;
  hasBegun: boolean;
  /** True until the server answers, and again once the connection is lost. */
  isAway: boolean;
  /** Attempts in a row that nothing came of. */
  failures: number;
  /** Streams in a row that were cut off at once. */
  cutStreams: number;
  /** The time from which on a stream is asked for, by `performance.now()`. */
  streamAt: number;
}

function begin(place: Place, { onBegin }: FollowOptions): void {
  place.failures = 0;
  place.hasBegun = true;
  if (!place.isAway) return;
  place.isAway = false;
  onBegin?.();
}

/** True for an event that comes after all that were told; it is then the last of them. */
function isNext(place: Place, { id }: SeenEvent): boolean {
  if (place.told !== undefined && id <= place.told) return false;
  place.told = id;
  return true;
}

/** The events of one stream, until it ends. Where none can be had, calls that wait take over for a while. */
async function* streamOnce(client: HttpClient, place: Place, options: FollowOptions): AsyncGenerator<SeenEvent, void> {
  const waitInstead = () => void (place.streamAt = performance.now() + STREAM_AGAIN_MS);
  const { told } = place;
  const startedAt = performance.now();
  let isOpen = false;
  let isStream = false;
  try {
    const parts = await client.stream(place.after);
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
    // All places are taken; or something between keeps back what comes, to send it in one piece.
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

/** The events that one call has waited for. */
async function* callOnce(client: HttpClient, place: Place, options: FollowOptions): AsyncGenerator<SeenEvent, void> {
  const { signal, sleep = pause } = options;
  if (place.after === "now") {
    // Where nothing has happened yet, now is the beginning.
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
  // It was answered at once where all places are taken.
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
