import { API_PREFIX } from "../../contract/operations.ts";
import { PATIENCE, pause } from "../deadlines.ts";
import type { Patience } from "../deadlines.ts";
import type { Fetch, HttpClient, HttpClientOptions } from "../http-client.ts";

/** What the calls of a client for pieces, which no operation describes, have in common. */
export interface Line extends Pick<HttpClientOptions, "baseUrl" | "signal" | "onRetry"> {
  /** The URL before the path of a call. */
  readonly top: string;
  readonly authorization: Readonly<Record<string, string>>;
  readonly isOfLink: boolean;
  readonly fetch: Fetch;
  readonly sleep: typeof pause;
  readonly patience: Patience;
  /** How long it goes on without progress. */
  readonly perseveranceMs: number;
}

const PERSEVERANCE_MS = 12 * 60_000;

export function lineOf({ options }: HttpClient): Line {
  const { baseUrl, prefix = API_PREFIX, credential, signal, onRetry, isOfLink = false } = options;
  const { fetch = globalThis.fetch, sleep = pause, patience = PATIENCE } = options;
  const { perseveranceMs = PERSEVERANCE_MS } = options;
  const authorization: Record<string, string> =
    credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  const top = baseUrl + prefix;
  return { baseUrl, top, authorization, isOfLink, signal, onRetry, fetch, sleep, patience, perseveranceMs };
}
