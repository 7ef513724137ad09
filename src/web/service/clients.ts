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
import { PAGE } from "../texts/page.ts";
import { noting, telling, whileWaiting } from "./link-clients.ts";
import type { Transmission } from "./link-clients.ts";

/** A signed-in person. */
export interface Person {
  readonly client: HttpClient;
  readonly credential: Credential;
  /** The ID of their identity. */
  readonly id: string;
  /** The ways to sign in that the server has. */
  readonly ways: readonly SignInWay[];
  /** True when they can ask for mails. */
  readonly sendsMails: boolean;
}

/** A browser's visitor: the signed-in person, if there is one, and the ways to sign in that the server has. */
export interface Visitor {
  readonly person: Person | undefined;
  readonly ways: readonly SignInWay[];
}

/** Creates a client with this browser's session, which may be over. */
export function createSessionClient({
  onUpload,
  ...options
}: Omit<Transmission, "fetch"> & { readonly onUpload?: UploadProgress } = {}): HttpClient {
  const told = telling({ ...options, ...(onUpload && { fetch: createUploadFetch(onUpload) }) });
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

/** Returns the visitor of this browser. Throws ClientError. */
export async function findVisitor(): Promise<Visitor> {
  const client = createSessionClient();
  try {
    const found = await whileWaiting(findSession(client.baseUrl, marksOfCall()), (session) => session !== undefined);
    const ways = found?.ways ?? [];
    if (found?.credential === null) return { person: undefined, ways };
    // A failure shows, and is retried, with the next call that needs the session.
    const credential = found?.credential ?? (await getCredential(client));
    const sendsMails = found?.sendsMails ?? false;
    return { person: { client, credential, id: credential.identity?.id ?? "", ways, sendsMails }, ways };
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
