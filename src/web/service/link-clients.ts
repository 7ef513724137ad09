import type { ClientError } from "../../client/errors.ts";
import { createHttpClient } from "../../client/http-client.ts";
import type { Fetch, HttpClient } from "../../client/http-client.ts";
import { noteCall } from "../frame/answering.ts";
import { announceRetry } from "../frame/retries.ts";

/** Options of a client: cancellation, and callbacks for attempts and retries. */
export interface Transmission {
  readonly signal?: AbortSignal;
  /** The browser's own, unless an upload is to be watched. */
  readonly fetch?: Fetch;
  /** Called before each attempt. */
  readonly onAttempt?: () => void;
  /** Called after each failed attempt that is retried, with true when one so far may have been carried out. */
  readonly onSetback?: (isInDoubt: boolean) => void;
}

/** Creates a client with the token of a link. The page shows its retries. */
export function createLinkClient(baseUrl: string, credential: string, options: Transmission = {}): HttpClient {
  return createHttpClient({ baseUrl, credential, ...telling(options) });
}

/** The options of a client whose retries and pending calls the page shows. */
export function telling({ signal, fetch: send, onAttempt, onSetback }: Transmission) {
  const fetch = noting(send ?? ((url, init) => globalThis.fetch(url, init)));
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
export function noting(fetch: Fetch): Fetch {
  return async (url, init) => {
    // The server may hold these answers back until something happens.
    if (new URL(url).searchParams.has("wait")) return fetch(url, init);
    return whileWaiting(fetch(url, init), ({ status }) => status < 500);
  };
}

/** Records a pending call until `answer` settles. `isAnswer` decides whether its value counts as an answer. */
export async function whileWaiting<T>(answer: Promise<T>, isAnswer: (value: T) => boolean): Promise<T> {
  const end = noteCall();
  try {
    const value = await answer;
    end(isAnswer(value));
    return value;
  } finally {
    end(false);
  }
}
