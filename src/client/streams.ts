import { parseAnswer, toSetback, unexpected } from "./answers.ts";
import { PATIENCE, startDeadline } from "./deadlines.ts";
import type { Deadline, Patience } from "./deadlines.ts";
import { ClientError } from "./errors.ts";
import { interrupted, timedOut, toNetworkError } from "./network-errors.ts";
import { createPartReader } from "./stream-parts.ts";
import type { StreamPart } from "./stream-parts.ts";
import { readBody } from "./transfers.ts";

/** A stream of events as it comes. Whoever takes its parts gets ClientError once the connection is lost. */
export type EventParts = AsyncGenerator<StreamPart, void>;

const MAX_ANSWER_BYTES = 1024 * 1024;

/** The call that a stream is asked for by. */
interface StreamCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  readonly patience?: Patience;
}

/**
 * Begins a stream, with one attempt: whoever follows it has to come back anyway. Resolves undefined when it is answered with
 * a page, as servers did of before there were streams. Throws ClientError.
 */
export async function openStream(call: StreamCall): Promise<EventParts | undefined> {
  const { url, baseUrl, signal, fetch = globalThis.fetch, patience = PATIENCE } = call;
  const asked = { baseUrl, operation: "listEvents", isOfLink: false } as const;
  const deadline = startDeadline(patience, { waitMs: 0, sentBytes: 0 }, signal);
  const explain = (error: unknown) => {
    if (error instanceof ClientError) return error;
    if (signal?.aborted) return interrupted();
    return deadline.signal.aborted ? timedOut() : toNetworkError(error, baseUrl);
  };
  try {
    const headers = { ...call.headers, accept: "text/event-stream, application/problem+json" };
    const response = await fetch(url, { headers, redirect: "manual", signal: deadline.signal });
    const { body, status } = response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    if (response.ok && isStream && body) return readParts(body, deadline, explain);
    const text = await readBody(response, MAX_ANSWER_BYTES, { onBytes: deadline.beginBody(), onProgress: undefined });
    deadline.stop();
    if (text === undefined) throw unexpected();
    const answer = { status, headers: response.headers, text };
    if (!response.ok) throw toSetback(answer, asked).error;
    parseAnswer(answer, asked);
    return undefined;
  } catch (error) {
    deadline.stop();
    throw explain(error);
  }
}

/** The parts of a stream until the server ends it. Throws what `explain` makes of an error. */
async function* readParts(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
  explain: (error: unknown) => ClientError,
): EventParts {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parts = createPartReader();
  try {
    for (;;) {
      // A server says something every 15 seconds.
      deadline.goOn();
      const { done, value } = await reader.read();
      if (done) return;
      // What is done with a part takes as long as it takes.
      deadline.stop();
      yield* parts.read(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    throw explain(error);
  } finally {
    deadline.stop();
    void reader.cancel().catch(() => undefined);
  }
}
