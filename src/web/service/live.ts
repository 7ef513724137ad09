import { useEffect, useRef, useState } from "preact/hooks";
import { pause } from "../../client/deadlines.ts";
import { ClientError } from "../../client/errors.ts";
import { listEvents } from "../../client/events.ts";
import { BACKGROUND_HEADER } from "../../contract/operations.ts";
import { isUnattended } from "../browser/attention.ts";
import { onSignIn } from "../browser/session-news.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { PAGE } from "../texts/page.ts";
import { createSessionClient, markCalls, requirePerson } from "./clients.ts";
import type { Person } from "./clients.ts";
import { may } from "./scopes.ts";
import { listenToTeam } from "./team-news.ts";

/** A busy team has events all the time, and people read no faster than this. */
const PAUSE_MS = 1000;
const FAILURE_PAUSE_MS = 5000;
/** A shorter loss of the connection is not shown. */
const LOSS_MS = 1500;
/** Browsers run timers of hidden pages once a minute. */
const BACKGROUND_PAUSE_MS = 60_000;
/** People who may not see the team's events see changes this late. */
const BLIND_PAUSE_MS = 60_000;

// A page that nobody uses must not keep its session alive.
markCalls(() => (isUnattended() ? { [BACKGROUND_HEADER]: "1" } : {}));

/** A value of the team that is kept up to date. */
export interface Live<T> {
  /** The value; undefined until first read. */
  readonly value: T | undefined;
  /** Reads the value again now. Resolves once it is set, also when a later reading sets it. */
  readonly refresh: () => Promise<void>;
  /** The reason why updates have stopped, such as signing out; empty while they go on. */
  readonly problem: string;
  /** Says that the value may be out of date, because the server does not answer; empty while it answers. */
  readonly stale: string;
  /** Starts the updates again after a problem. */
  readonly restart: () => void;
}

/**
 * Reads a value of `person` with `load`, and again after each event of the team and each change of `key`. Stops while
 * another person is signed in. While the page is hidden, it checks for events once a minute if the value `isNews`, and
 * not at all otherwise. For a person who may not see events it reads once a minute. With `isOff` it reads nothing.
 */
export function useLive<T>(
  person: Person,
  load: () => Promise<T>,
  {
    key,
    isNews = false,
    isOff = false,
  }: { readonly key?: unknown; readonly isNews?: boolean; readonly isOff?: boolean } = {},
): Live<T> {
  const [value, setValue] = useState<T | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [stale, setStale] = useState("");
  const [attempt, setAttempt] = useState(0);
  const latest = useRef<Promise<void> | undefined>(undefined);
  const refresh = (): Promise<void> => {
    if (isOff) return Promise.resolve();
    const reading: Promise<void> = readAs(person, load).then((fresh) => {
      // The later of two readings wins, whichever answer comes first, and nobody goes on with an older value.
      if (reading !== latest.current) return latest.current;
      setValue(() => fresh);
      setProblem("");
      setStale("");
      return undefined;
    });
    latest.current = reading;
    return reading;
  };
  const onLost = (error: unknown) => setStale(describeStale(error));
  useEffect(() => {
    if (isOff) return undefined;
    return runWhileVisible(isNews, (signal, isHidden) =>
      readOnChange(listen(person, { signal, isHidden, onLost }), { refresh, onLost }, signal).catch((error: unknown) =>
        setProblem(describe(error)),
      ),
    );
  }, [key, attempt, isNews, isOff]);
  useEffect(() => onSignIn(() => setAttempt((count) => count + 1)), []);
  return { value, refresh, problem, stale, restart: () => setAttempt((count) => count + 1) };
}

/**
 * Returns the value that `load` reads for `person`. Throws ClientError, also when another person is signed in: their
 * session cannot see everything, and missing items would look deleted.
 */
async function readAs<T>(person: Person, load: () => Promise<T>): Promise<T> {
  await requirePerson(person);
  const [read] = await Promise.allSettled([load()]);
  // Another person may have signed in meanwhile.
  await requirePerson(person);
  if (read.status === "rejected") throw read.reason;
  return read.value;
}

/**
 * Runs `work` while the page is visible, and while it is hidden if `inBackground`. Starts it anew on each change.
 * Returns a function that stops it.
 */
function runWhileVisible(
  inBackground: boolean,
  work: (signal: AbortSignal, isHidden: boolean) => Promise<void>,
): () => void {
  let controller = new AbortController();
  const update = () => {
    controller.abort();
    controller = new AbortController();
    if (inBackground || !document.hidden) void work(controller.signal, document.hidden);
  };
  document.addEventListener("visibilitychange", update);
  update();
  return () => {
    document.removeEventListener("visibilitychange", update);
    controller.abort();
  };
}

/** Errors of a person who is signed in all the same. */
const OF_LIVE_SESSIONS: ReadonlySet<ClientError["code"]> = new Set(["other_person", "insufficient_scope"]);

function describe(error: unknown): string {
  const isOver = error instanceof ClientError && error.kind === "credential" && !OF_LIVE_SESSIONS.has(error.code);
  return isOver ? ACTIVITY.activity.signedOut : describeSessionFailure(error).text;
}

function describeStale(error: unknown): string {
  return `${describeSessionFailure(error).bare ?? PAGE.failed.bare} ${ACTIVITY.activity.stale}`;
}

/** The callbacks of a reading: `onLost` is called when the server does not answer. */
interface Reader {
  readonly refresh: () => Promise<void>;
  readonly onLost: (error: unknown) => void;
}

/** Listens for events of the person's team as well as they may; on a hidden page it checks for them once a minute. */
function listen(
  person: Person,
  { signal, isHidden, onLost }: Pick<Reader, "onLost"> & { readonly signal: AbortSignal; readonly isHidden: boolean },
): ChangeSignal {
  if (!may(person, "events:read")) return createTimer(signal);
  return isHidden ? createPollSignal(signal) : createStreamSignal(signal, onLost);
}

/** Reads again after each change. Rejects when the session is over, and with other errors that no retry solves. */
async function readOnChange(changes: ChangeSignal, { refresh, onLost }: Reader, signal: AbortSignal): Promise<void> {
  try {
    await readUntilAborted(changes, { refresh, onLost }, signal);
  } finally {
    changes.end();
  }
}

async function readUntilAborted(
  changes: ChangeSignal,
  { refresh, onLost }: Reader,
  signal: AbortSignal,
): Promise<void> {
  let lastRead = -PAUSE_MS;
  while (!signal.aborted) {
    try {
      await changes.wait();
      await pause(Math.max(0, lastRead + PAUSE_MS - performance.now()), signal);
      if (signal.aborted) return;
      changes.reset();
      await refresh();
      lastRead = performance.now();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ClientError && error.kind === "network")) throw error;
      onLost(error);
      // Events during an outage must lead to a reading once the server is back.
      await pause(FAILURE_PAUSE_MS, signal);
      changes.trigger();
    }
  }
}

/** Signals that the value may have changed. */
interface ChangeSignal {
  /** Resolves after an event since the last call, and when the signal was aborted. */
  wait(): Promise<void>;
  /** Ignores the events so far. */
  reset(): void;
  /** Makes the next `wait` find an event. */
  trigger(): void;
  /** Stops listening. */
  end(): void;
}

function createStreamSignal(signal: AbortSignal, onLost: (error: unknown) => void): ChangeSignal {
  let isNews = false;
  let wake: () => void = () => undefined;
  let failure: { readonly error: unknown } | undefined;
  let lost: ReturnType<typeof setTimeout> | undefined;
  const trigger = () => {
    clearTimeout(lost);
    lost = undefined;
    isNews = true;
    wake();
  };
  const end = listenToTeam({
    onNews: trigger,
    onLost: (error) => void (lost ??= setTimeout(() => onLost(error), LOSS_MS)),
    onEnd(error) {
      failure = { error };
      wake();
    },
  });
  signal.addEventListener("abort", () => {
    clearTimeout(lost);
    wake();
  });
  return {
    async wait() {
      while (!isNews && !failure && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      if (failure) throw failure.error;
      isNews = false;
    },
    reset: () => void (isNews = false),
    trigger,
    end,
  };
}

/**
 * A signal for hidden pages. It polls and holds no connection, because a browser allows few connections to a server.
 */
function createPollSignal(signal: AbortSignal): ChangeSignal {
  const client = createSessionClient({ signal });
  let after: string | undefined = "now";
  return {
    async wait() {
      for (;;) {
        await pause(BACKGROUND_PAUSE_MS, signal);
        if (signal.aborted) return;
        const { events, next } = await listEvents(client, after);
        const isFirst = after === "now";
        after = next;
        if (isFirst || events.length > 0) return;
      }
    },
    reset: () => undefined,
    trigger: () => void (after = "now"),
    end: () => undefined,
  };
}

/** A signal for people who may not see events: at once, and then once a minute. */
function createTimer(signal: AbortSignal): ChangeSignal {
  let isDue = true;
  return {
    async wait() {
      if (!isDue) await pause(BLIND_PAUSE_MS, signal);
      isDue = false;
    },
    reset: () => undefined,
    trigger: () => void (isDue = true),
    end: () => undefined,
  };
}
