import { isId } from "../../contract/ids.ts";
import type { EventStream } from "../../domain/event-streams.ts";
import { toEvent } from "../../domain/events.ts";
import type { ListedEvent } from "../../domain/ports/events.ts";
import type { Clock } from "../../domain/ports/sources.ts";
import { isMadeYet } from "../../domain/values/cursors.ts";
import { Refusal } from "../../domain/values/errors.ts";
import { visitOf } from "../gate/visits.ts";
import type { ResponseHeaders } from "../options.ts";

// Events as a stream (WHATWG HTML, server-sent events).

const MEDIA_TYPE = "text/event-stream";
/** Browsers reconnect after this time. */
const RETRY_MS = 1000;
/** A comment, for proxies and readers that take silence for a lost connection. */
const HEARTBEAT = ":\n\n";

/** True when `accept` prefers a stream to JSON. A client that takes both equally gets a page. */
export function wantsStream(accept: string | null): boolean {
  const wanted = new Map<string, number>();
  for (const range of accept?.toLowerCase().split(",") ?? []) {
    const [type = "", ...parameters] = range.split(";").map((each) => each.trim());
    const quality = parameters.find((each) => each.startsWith("q="))?.slice(2) ?? "1";
    wanted.set(type, Number(quality));
  }
  return (wanted.get(MEDIA_TYPE) ?? 0) > (wanted.get("application/json") ?? 0);
}

/**
 * The ID of the last event that a returning reader has seen; undefined without the header. Throws a Refusal
 * `invalid_header` for anything else than an ID, and for one from the future.
 */
export function lastEventId(clock: Clock, headers: Headers): string | undefined {
  const last = headers.get("last-event-id");
  if (last === null) return undefined;
  if (isId(last, "event") && isMadeYet(clock, "event", last)) return last;
  throw new Refusal("invalid_header", { detail: "Last-Event-ID is not the ID of an event." });
}

/** The answer to HEAD where the one to GET is a stream. */
export function answerWithoutStream(headers: ResponseHeaders): Response {
  return new Response(null, { headers: streamHeaders(headers) });
}

/** Answers `request` with a stream. Its visit ends with the stream. */
export function answerWithStream(request: Request, stream: EventStream, headers: ResponseHeaders): Response {
  const visit = visitOf(request);
  const end = Promise.withResolvers<void>();
  visit.over = end.promise;
  let isFirst = true;
  const next = async () => {
    if (!isFirst) return partOf(await stream.next());
    isFirst = false;
    return encoder.encode(beginning(stream));
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const close = () => {
          // A reader that disconnected has closed it already.
          if (!request.signal.aborted) controller.close();
          end.resolve();
        };
        if (stream.over.aborted) close();
        else stream.over.addEventListener("abort", close, { once: true });
      },
      // Called when the part before was sent, which is the backpressure. The idle timeout ends a reader that does not
      // read.
      async pull(controller) {
        try {
          const part = await next();
          if (part && !stream.over.aborted) controller.enqueue(part);
        } catch (error) {
          visit.refusal = error instanceof Refusal ? error : new Refusal("internal", { cause: error });
          stream.end();
        }
      },
      cancel: () => stream.end(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: streamHeaders(headers) });
}

/** A reader that is cut off before the first event resumes from this ID. */
function beginning({ after }: EventStream): string {
  return `retry: ${RETRY_MS}\nid: ${after}\n\n`;
}

const encoder = new TextEncoder();
/** The parts that streams were given, and that others at the same place get too. */
const parts = new WeakMap<readonly ListedEvent[], Uint8Array>();

function partOf(events: readonly ListedEvent[] | undefined): Uint8Array | undefined {
  if (events === undefined) return undefined;
  if (events.length === 0) return encoder.encode(HEARTBEAT);
  const known = parts.get(events);
  if (known) return known;
  const part = encoder.encode(events.map(lineOf).join(""));
  parts.set(events, part);
  return part;
}

function lineOf(event: ListedEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(toEvent(event))}\n\n`;
}

// Without the second header nginx would hold events back until its buffer is full.
function streamHeaders(headers: ResponseHeaders): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(own), "content-type": MEDIA_TYPE, "x-accel-buffering": "no" };
}
