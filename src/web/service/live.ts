import { useEffect, useRef, useState } from "preact/hooks";
import { pause } from "../../client/deadlines.ts";
import { ClientError } from "../../client/errors.ts";
import { listEvents } from "../../client/events.ts";
import { onSignIn } from "../browser/session-news.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { STRINGS } from "../strings.ts";
import { createSessionClient, requirePerson } from "./clients.ts";
import type { Person } from "./clients.ts";
import { listenToTeam } from "./team-news.ts";

/** In a busy team something happens all the time, and nobody reads faster. */
const PAUSE_MS = 1000;
const FAILURE_PAUSE_MS = 5000;
/** A connection that is back sooner was worth no word. */
const LOSS_MS = 1500;
/** Browsers let a page in the background do something once a minute, and nobody is waiting. */
const BACKGROUND_PAUSE_MS = 60_000;

/** Something of the team's that is shown as it is now. */
export interface Live<T> {
  /** The value; undefined before it was read for the first time. */
  readonly value: T | undefined;
  /** Reads again now. */
  readonly refresh: () => Promise<void>;
  /** The reason why nothing more is read, as after signing out; empty while it is. */
  readonly problem: string;
  /** That the value may be out of date, as the server is not heard of, and is tried again; empty while it is. */
  readonly stale: string;
  /** Begins again after that. */
  readonly restart: () => void;
}

/**
 * Reads what is of `person` with `load`, again whenever something has happened in the team, and whenever `key` changes;
 * nothing while somebody else is signed in. While the page cannot be seen, it is read once a minute if that is `isNews`, and
 * not at all otherwise.
 */
export function useLive<T>(
  person: Person,
  load: () => Promise<T>,
  { key, isNews = false }: { readonly key?: unknown; readonly isNews?: boolean } = {},
): Live<T> {
  const [value, setValue] = useState<T | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const [stale, setStale] = useState("");
  const [attempt, setAttempt] = useState(0);
  const readings = useRef(0);
  const refresh = async () => {
    // Of two readings under way the later one is right, whichever answer comes first.
    const reading = ++readings.current;
    const fresh = await readAs(person, load);
    if (reading !== readings.current) return;
    setValue(() => fresh);
    setProblem("");
    setStale("");
  };
  const onLost = (error: unknown) => setStale(describeStale(error));
  useEffect(
    () =>
      whenever(isNews, (signal, isHidden) =>
        follow({ refresh, onLost }, signal, isHidden).catch((error: unknown) => setProblem(describe(error))),
      ),
    [key, attempt, isNews],
  );
  useEffect(() => onSignIn(() => setAttempt((count) => count + 1)), []);
  return { value, refresh, problem, stale, restart: () => setAttempt((count) => count + 1) };
}

/** Loads a value, unless another person than `person` has signed in meanwhile. Throws ClientError. */
async function readAs<T>(person: Person, load: () => Promise<T>): Promise<T> {
  await requirePerson(person);
  const [read] = await Promise.allSettled([load()]);
  // They may have signed in meanwhile.
  await requirePerson(person);
  if (read.status === "rejected") throw read.reason;
  return read.value;
}

/** Runs `work` while the page is visible, and also hidden if `inBackground`. Returns a function that ends it. */
function whenever(inBackground: boolean, work: (signal: AbortSignal, isHidden: boolean) => Promise<void>): () => void {
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

function describe(error: unknown): string {
  const isOver = error instanceof ClientError && error.kind === "credential" && error.code !== "other_person";
  return isOver ? STRINGS.activity.signedOut : describeSessionFailure(error).text;
}

function describeStale(error: unknown): string {
  return `${describeSessionFailure(error).bare ?? STRINGS.failed.bare} ${STRINGS.activity.stale}`;
}

/** The side that reads, and is told when the server is not heard of. */
interface Reader {
  readonly refresh: () => Promise<void>;
  readonly onLost: (error: unknown) => void;
}

/** Reads again after each event, or once a minute while hidden. Rejects when signed out, and with lasting failures. */
async function follow(reader: Reader, signal: AbortSignal, isHidden: boolean): Promise<void> {
  const ear = isHidden ? createMinutes(signal) : listen(signal, reader.onLost);
  try {
    await readWhenHeard(ear, reader, signal);
  } finally {
    ear.end();
  }
}

async function readWhenHeard(ear: Ear, { refresh, onLost }: Reader, signal: AbortSignal): Promise<void> {
  let lastRead = -PAUSE_MS;
  while (!signal.aborted) {
    try {
      await ear.heard();
      await pause(Math.max(0, lastRead + PAUSE_MS - performance.now()), signal);
      if (signal.aborted) return;
      ear.forget();
      await refresh();
      lastRead = performance.now();
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ClientError && error.kind === "network")) throw error;
      onLost(error);
      // The server is away for a moment: what happened meanwhile is read as soon as it is back.
      await pause(FAILURE_PAUSE_MS, signal);
      ear.again();
    }
  }
}

/** Something that says when to read again. */
interface Ear {
  /** Resolves once something has happened since this was called last, or nobody listens any more. */
  heard(): Promise<void>;
  /** Has what was told so far count as heard. */
  forget(): void;
  /** Has the next call find something. */
  again(): void;
  /** Listens no more. */
  end(): void;
}

function listen(signal: AbortSignal, onLost: (error: unknown) => void): Ear {
  let isNews = false;
  let wake: () => void = () => undefined;
  let failure: { readonly error: unknown } | undefined;
  let lost: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    clearTimeout(lost);
    lost = undefined;
    isNews = true;
    wake();
  };
  const end = listenToTeam({
    onNews: tell,
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
    async heard() {
      while (!isNews && !failure && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      if (failure) throw failure.error;
      isNews = false;
    },
    forget: () => void (isNews = false),
    again: tell,
    end,
  };
}

/** An ear for a page that nobody sees: it asks now and then, and holds no connection, of which a browser has few for a server. */
function createMinutes(signal: AbortSignal): Ear {
  const client = createSessionClient({ signal });
  let after: string | undefined = "now";
  return {
    async heard() {
      for (;;) {
        await pause(BACKGROUND_PAUSE_MS, signal);
        if (signal.aborted) return;
        const { events, next } = await listEvents(client, after);
        const isFirst = after === "now";
        after = next;
        if (isFirst || events.length > 0) return;
      }
    },
    forget: () => undefined,
    again: () => void (after = "now"),
    end: () => undefined,
  };
}
