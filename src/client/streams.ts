import { parseAnswer, toRetryableFailure, unexpected } from "./answers.ts";
import { PATIENCE, startDeadline } from "./deadlines.ts";
import type { Deadline, Patience } from "./deadlines.ts";
import { ClientError } from "./errors.ts";
import { interrupted, timedOut, toNetworkError } from "./network-errors.ts";
import { readBody } from "./transfers.ts";

/** The parts of an open stream. Iterating it throws ClientError when the connection is lost. */
export type EventParts = AsyncGenerator<StreamPart, void>;

const MAX_ANSWER_BYTES = 1024 * 1024;

/** The call that opens a stream. */
export interface StreamCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  readonly patience?: Patience;
}

/** Opens a stream, with one attempt. Undefined from a server without streams. Throws ClientError. */
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
    if (!response.ok) throw toRetryableFailure(answer, asked).error;
    parseAnswer(answer, asked);
    return undefined;
  } catch (error) {
    deadline.stop();
    throw explain(error);
  }
}

/** Yields the parts of a stream until the server ends it. Throws the error that `explain` returns. */
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
      // A server sends at least a comment every 15 seconds.
      deadline.goOn();
      const { done, value } = await reader.read();
      if (done) return;
      // The time that the caller takes with a part doesn't count.
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

/** A part of a stream of server-sent events: an event with its data, an id alone, or a comment without either. */
interface StreamPart {
  /** The id from which a reader resumes after this part. */
  readonly id: string | undefined;
  readonly data: string | undefined;
}

/** A limit above any part that a handoff server sends: the server may be hostile, or something else. */
const MAX_PART_LENGTH = 64 * 1024;

/** Reads server-sent events as handoff servers write them (WHATWG HTML, section 9.2). */
export interface PartReader {
  /** Takes a piece of text and returns the parts that it completes. Throws ClientError for a part that is too long. */
  read(text: string): StreamPart[];
}

export function createPartReader(): PartReader {
  let rest = "";
  let lines: string[] = [];

  /** The part before an empty line; undefined when there are no lines. */
  const finish = (): StreamPart | undefined => {
    const part = lines.length === 0 ? undefined : toPart(lines);
    lines = [];
    return part;
  };

  return {
    read(text) {
      const pieces = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = pieces.pop() ?? "";
      const length = rest.length + lines.reduce((sum, line) => sum + line.length, 0);
      if (length > MAX_PART_LENGTH) throw unexpected();
      return pieces.flatMap((line) => {
        if (line !== "") return (lines.push(line), []);
        return finish() ?? [];
      });
    },
  };
}

function toPart(lines: readonly string[]): StreamPart {
  const fields = lines.map((line) => {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    return { name, value };
  });
  const valuesOf = (wanted: string) => fields.filter(({ name }) => name === wanted).map(({ value }) => value);
  const data = valuesOf("data");
  return { id: valuesOf("id").at(-1), data: data.length === 0 ? undefined : data.join("\n") };
}
