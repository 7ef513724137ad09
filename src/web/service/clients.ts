import { getCredential } from "../../client/credentials.ts";
import { ClientError } from "../../client/errors.ts";
import { createHttpClient } from "../../client/http-client.ts";
import type { Fetch, HttpClient } from "../../client/http-client.ts";
import { findSession } from "../../client/page/sessions.ts";
import type { Credential } from "../../contract/credentials.ts";
import { APP_PREFIX } from "../../contract/operations.ts";
import type { SignInWay } from "../../contract/states.ts";
import { topUrl } from "../browser/places.ts";
import { createUploadFetch } from "../browser/uploads.ts";
import type { UploadProgress } from "../browser/uploads.ts";
import { noteCall } from "../frame/answering.ts";
import { announceRetry } from "../frame/retries.ts";
import { PAGE } from "../texts/page.ts";

/** A signed-in person. */
export interface Person {
  readonly client: HttpClient;
  readonly credential: Credential;
  /** The ID of their identity. */
  readonly id: string;
  /** The ways to sign in that the server has. */
  readonly ways: readonly SignInWay[];
}

/** A browser's visitor: the signed-in person, if there is one, and the ways to sign in that the server has. */
export interface Visitor {
  readonly person: Person | undefined;
  readonly ways: readonly SignInWay[];
}

/** Options of a client: cancellation, and callbacks for progress and retries. */
export interface Transmission {
  readonly signal?: AbortSignal;
  readonly onUpload?: UploadProgress;
  /** Called before each attempt. */
  readonly onAttempt?: () => void;
  /** Called after each failed attempt that is retried, with true when one so far may have been carried out. */
  readonly onSetback?: (isInDoubt: boolean) => void;
}

/** Creates a client with the token of a link. The page shows its retries. */
export function createLinkClient(baseUrl: string, credential: string, options: Transmission = {}): HttpClient {
  return createHttpClient({ baseUrl, credential, ...telling(options) });
}

/** Creates a client with this browser's session, which may be over. */
export function createSessionClient(options: Transmission = {}): HttpClient {
  const told = telling(options);
  const fetch = noticingEnds(told.fetch);
  return createHttpClient({ baseUrl: topUrl(), prefix: APP_PREFIX, credential: undefined, ...told, fetch });
}

/** A fetch with this browser's session, which may be over. It notes its calls as those of a client are noted. */
export const sessionFetch: Fetch = (url, init) => noticingEnds(noting(globalThis.fetch))(url, init);

/** Wraps a fetch: marks calls that nobody caused, and tells when the server answers that the session is over. */
function noticingEnds(fetch: Fetch): Fetch {
  return async (url, init) => {
    // Those of our clients are records.
    const headers = { ...(init?.headers as Record<string, string> | undefined), ...marksOfCall() };
    const answer = await fetch(url, { ...init, headers });
    if (answer.status === 401) tellSessionOver();
    return answer;
  };
}

let marksOfCall = (): Record<string, string> => ({});

/** Has `marks` give further headers of every call with the session. */
export function markCalls(marks: typeof marksOfCall): void {
  marksOfCall = marks;
}

const sessionListeners = new Set<() => void>();

/** Calls `listener` when a call shows that the person's session is over. Returns a function that stops it. */
export function onSessionOver(listener: () => void): () => void {
  sessionListeners.add(listener);
  return () => void sessionListeners.delete(listener);
}

function tellSessionOver(): void {
  for (const listener of sessionListeners) listener();
}

function telling({ signal, onUpload, onAttempt, onSetback }: Transmission) {
  const fetch = noting(onUpload ? createUploadFetch(onUpload) : (url, init) => globalThis.fetch(url, init));
  return {
    signal,
    onRetry(error: ClientError, pauseMs: number, isInDoubt: boolean) {
      announceRetry(error, pauseMs);
      onSetback?.(isInDoubt);
    },
    fetch: ((url, init) => {
      onAttempt?.();
      return fetch(url, init);
    }) satisfies Fetch,
  };
}

/** Wraps a fetch, and records its pending calls. */
function noting(fetch: Fetch): Fetch {
  return async (url, init) => {
    // The server may hold these answers back until something happens.
    if (new URL(url).searchParams.has("wait")) return fetch(url, init);
    return whileWaiting(fetch(url, init), ({ status }) => status < 500);
  };
}

/** Records a pending call until `answer` settles. `isAnswer` decides whether its value counts as an answer. */
async function whileWaiting<T>(answer: Promise<T>, isAnswer: (value: T) => boolean): Promise<T> {
  const end = noteCall();
  try {
    const value = await answer;
    end(isAnswer(value));
    return value;
  } finally {
    end(false);
  }
}

/** Returns the visitor of this browser. Throws ClientError. */
export async function findVisitor(): Promise<Visitor> {
  const client = createSessionClient();
  try {
    const found = await whileWaiting(findSession(client.baseUrl, marksOfCall()), (session) => session !== undefined);
    const ways = found?.ways ?? [];
    if (found?.credential === null) return { person: undefined, ways };
    // A failure shows, and is retried, with the next call that needs the session.
    const credential = found?.credential ?? (await getCredential(client));
    return { person: { client, credential, id: credential.identity?.id ?? "", ways }, ways };
  } catch (error) {
    if (error instanceof ClientError && error.kind === "credential") return { person: undefined, ways: [] };
    throw error;
  }
}

/** Returns the person who is signed in in this browser; undefined when nobody is. Throws ClientError. */
export async function findPerson(): Promise<Person | undefined> {
  return (await findVisitor()).person;
}

/**
 * Checks that `person` is still signed in. Throws ClientError: `other_person` when another person has signed in, for
 * example in another tab, and `credential_missing` when nobody is signed in.
 */
export async function requirePerson({ id }: Person): Promise<void> {
  const now = await findPerson();
  if (now?.id === id) return;
  tellSessionOver();
  if (!now) throw new ClientError("credential_missing", "credential", PAGE.signedOut.text);
  throw new ClientError("other_person", "credential", PAGE.otherPerson(now.credential.identity?.name ?? ""));
}
