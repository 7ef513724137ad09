import { ERRORS } from "../contract/errors.ts";
import { MAX_PAGE_SIZE } from "../contract/limits.ts";
import { OPERATIONS } from "../contract/operations.ts";
import type { Caller } from "./callers.ts";
import { Refusal } from "./errors.ts";
import { firstIdAt } from "./ids.ts";
import type { CredentialStore } from "./ports/credentials.ts";
import type { EventStore, ListedEvent } from "./ports/events.ts";
import type { PersonStore } from "./ports/persons.ts";
import type { Clock } from "./ports/sources.ts";
import { reauthenticate } from "./reauthentication.ts";
import type { Waits } from "./waits.ts";

/** So often there is a part at least, so that neither proxies nor readers take a quiet stream for a dead one. */
const HEARTBEAT_SECONDS = 15;
/** While much happens, the log is read so often, and not for each event. */
const PACE_MS = 50;
/** Half of the second within which a credential that counts no more ends its streams. */
const CHECK_INTERVAL_MS = 500;
const RETRY_SECONDS = 5;

/** The events of a team as they happen, each once. */
export interface EventStream {
  /** The id after which it begins. */
  readonly after: string;
  /**
   * The next events, oldest first; none after 15 seconds without any. Undefined at its end: the caller is gone, may not have
   * it any more, or nobody is served any more. To be called again once it has resolved: what nobody takes is not read.
   * Rejects as the store does.
   */
  next(): Promise<readonly ListedEvent[] | undefined>;
  /** Ends it. May be called more than once. */
  end(): void;
  /** Aborted at its end. */
  readonly over: AbortSignal;
}

export interface EventStreams {
  /**
   * Begins a stream after an event, with `now`, or with the oldest event; it ends with `signal`. Throws a Refusal
   * `rate_limited` when all places of the credential among the waiting calls are taken: a stream can't be answered at once.
   */
  open(caller: Caller, after: string | undefined, signal: AbortSignal): Promise<EventStream>;
}

interface EventStreamDeps {
  readonly store: EventStore & CredentialStore & PersonStore;
  readonly clock: Clock;
  readonly waits: Waits;
}

export function createEventStreams(deps: EventStreamDeps): EventStreams {
  const { store, waits } = deps;
  const watch = createCredentialWatch(deps);

  return {
    async open(caller, after, signal) {
      // Where nothing has happened yet, now is the beginning.
      const latest = after === "now" ? await store.lastEventId(caller.teamId) : after;
      const over = new AbortController();
      const end = () => over.abort();
      const leave = waits.enter(caller.credentialId, end);
      if (!leave) throw noPlaceLeft();
      const unwatch = watch.add(caller, end);
      const onEnd = () => (leave(), unwatch());
      if (over.signal.aborted) onEnd();
      else over.signal.addEventListener("abort", onEnd, { once: true });
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
      const start = latest ?? firstIdAt("event", 0);
      return { after: start, next: createReader(deps, caller, start, over.signal), end, over: over.signal };
    },
  };
}

function createReader({ store, waits }: EventStreamDeps, { teamId }: Caller, after: string, over: AbortSignal) {
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
      read: () => store.listEvents(teamId, cursor, MAX_PAGE_SIZE),
      settled: ({ length }) => length > 0,
    });
    if (over.aborted) return undefined;
    cursor = events.at(-1)?.id ?? cursor;
    // A full page is followed by more that waits already.
    if (events.length < MAX_PAGE_SIZE) notBefore = performance.now() + PACE_MS;
    return events;
  };
}

/** Ends the streams of credentials that count no more, with one look for all streams of a credential. */
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
    /** Has `end` called once the credential of `caller` counts no more, until what is returned is called. */
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
    // Of the storage's troubles whoever reads hears; they say nothing about the credential.
    return !(error instanceof Refusal && ERRORS[error.code].status < 500);
  }
}

function noPlaceLeft(): Refusal {
  return new Refusal("rate_limited", {
    detail: "This credential has as many streams and waiting calls as it may have. End one of them first.",
    retryAfterSeconds: RETRY_SECONDS,
  });
}
