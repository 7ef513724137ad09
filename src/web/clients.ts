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
}

/** A client with the token of a link; what it tries again, the page says. */
export function createLinkClient(baseUrl: string, credential: string): HttpClient {
  return createHttpClient({ baseUrl, credential, onRetry: announceRetry });
}

/** Who is signed in in this browser; undefined when nobody is. Throws ClientError. */
export async function getPerson(): Promise<Person | undefined> {
  const client = createHttpClient({
    baseUrl: topUrl(),
    prefix: "/app",
    credential: undefined,
    onRetry: announceRetry,
  });
  try {
    return { client, credential: await getCredential(client) };
  } catch (error) {
    if (error instanceof ClientError && error.kind === "credential") return undefined;
    throw error;
  }
}
