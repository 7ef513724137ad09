import { ClientError } from "../client/errors.ts";
import { createHttpClient, type HttpClient } from "../client/http-client.ts";
import { getCredential } from "../client/secrets.ts";
import type { Credential } from "../contract/credentials.ts";
import { topUrl } from "./places.ts";
import { announceRetry } from "./retries.ts";

/** Somebody who is signed in. */
export interface Person {
  readonly client: HttpClient;
  readonly credential: Credential;
  /** Of their identity. */
  readonly id: string;
}

/** A client with the token of a link; what it tries again, the page says. */
export function createLinkClient(baseUrl: string, credential: string): HttpClient {
  return createHttpClient({ baseUrl, credential, onRetry: announceRetry });
}

/** A client with the session of this browser, which may be over. */
export function createSessionClient(signal?: AbortSignal): HttpClient {
  return createHttpClient({
    baseUrl: topUrl(),
    prefix: "/app",
    credential: undefined,
    signal,
    onRetry: announceRetry,
  });
}

/** Who is signed in in this browser; undefined when nobody is. Throws ClientError. */
export async function getPerson(): Promise<Person | undefined> {
  const client = createSessionClient();
  try {
    const credential = await getCredential(client);
    return { client, credential, id: credential.identity?.id ?? "" };
  } catch (error) {
    if (error instanceof ClientError && error.kind === "credential") return undefined;
    throw error;
  }
}
