import { expect, test } from "bun:test";
import { ClientError } from "../../src/client/errors.ts";
import { followEvents } from "../../src/client/events.ts";
import type { FollowOptions } from "../../src/client/events.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import { createPartReader } from "../../src/client/streams.ts";
import { Event } from "../../src/contract/events.ts";
import { errorOf, exampleOf } from "../support/clients.ts";

const idOf = (number: number) => `evt_${String(number).padStart(26, "0")}`;
const eventOf = (number: number) => exampleOf(Event, { id: idOf(number) });
const partOf = (number: number) =>
  `id: ${idOf(number)}\nevent: secret.created\ndata: ${JSON.stringify(eventOf(number))}\n\n`;
const beginning = (after: string | null) => `retry: 1000\nid: ${after ?? idOf(0)}\n\n`;

test("a part is read the same wherever the text is split and with any line end; comments and unknown fields are ignored", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = [
      ": hello",
      "",
      "id: 1",
      "event: secret.created",
      "data: a",
      "data:b",
      "",
      ":",
      "",
      "id: 2",
      "",
      "",
    ].join(end);
    for (let size = 1; size <= text.length; size++) {
      const reader = createPartReader();
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      const parts = [...pieces, " "].flatMap((piece) => reader.read(piece));
      expect(parts).toEqual([
        { id: undefined, data: undefined },
        { id: "1", data: "a\nb" },
        { id: undefined, data: undefined },
        { id: "2", data: undefined },
      ]);
    }
  }
});

test("a part that is too long is given up", () => {
  const reader = createPartReader();
  const read = () => {
    for (let sent = 0; sent < 1024 * 1024; sent += 1000) reader.read("x".repeat(1000));
  };
  expect(read).toThrow("isn't a handoff server");
});

type Answer = (after: string | null, call: number) => Response;

/** A server with given answers for streams and pages. */
function serve(stream: Answer, page: Answer = () => new Response(null, { status: 500 })) {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const isStream = request.headers.get("accept")?.startsWith("text/event-stream");
      const { searchParams } = new URL(request.url);
      asked.push(`${isStream ? "stream" : "page"} ${searchParams.get("after")}`);
      const calls = asked.filter((each) => each.startsWith(isStream ? "stream" : "page")).length;
      return (isStream ? stream : page)(searchParams.get("after"), calls);
    },
  });
  return { url: server.url.origin, asked, [Symbol.dispose]: () => void server.stop(true) };
}

/** A stream of these pieces, which then ends or stays silent. */
function streamOf(pieces: readonly string[], end: "end" | "stay"): Response {
  const encoder = new TextEncoder();
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = left.shift();
      if (piece !== undefined) return controller.enqueue(encoder.encode(piece));
      if (end === "stay") return new Promise(() => undefined);
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** Follows the events of the server at `url` until `count` have come. */
async function take(url: string, count: number, options: Partial<FollowOptions> = {}, patience?: number) {
  const away = new AbortController();
  const client = createHttpClient({
    baseUrl: url,
    credential: undefined,
    signal: away.signal,
    sleep: async () => undefined,
    ...(patience === undefined ? {} : { patience: { graceMs: patience, bytesPerMs: 16 } }),
  });
  const events = followEvents(client, { after: undefined, signal: away.signal, sleep: () => Bun.sleep(1), ...options });
  const taken: string[] = [];
  for await (const { id } of events) {
    taken.push(id);
    if (taken.length === count) break;
  }
  away.abort();
  return taken;
}

test("following resumes after the last event, wherever the stream was cut off", async () => {
  using server = serve((after, call) => {
    const next = Number((after ?? idOf(0)).slice(4)) + 1;
    const whole = beginning(after) + partOf(next) + ":\n\n";
    // The stream is cut off inside the next part.
    return streamOf([whole, partOf(next + 1).slice(0, call * 20)], "end");
  });
  expect(await take(server.url, 6)).toEqual([1, 2, 3, 4, 5, 6].map(idOf));
  expect(server.asked).toEqual(["stream null", ...[1, 2, 3, 4, 5].map((number) => `stream ${idOf(number)}`)]);
});

test("following resumes after a broken connection", async () => {
  let calls = 0;
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        const part = partOf(++calls);
        socket.write(`${head}${part.length.toString(16)}\r\n${part}\r\n`);
        setTimeout(() => socket.terminate(), 20);
      },
    },
  });
  const attempts: number[] = [];
  const onLost = (_: unknown, attempt: number) => void attempts.push(attempt);
  expect(await take(`http://127.0.0.1:${listener.port}`, 3, { onLost })).toEqual([1, 2, 3].map(idOf));
  expect(attempts).toEqual([1, 1]);
  listener.stop(true);
});

test("following from now resumes at its start when it is cut off before the first event", async () => {
  using server = serve((_, call) => streamOf(call === 1 ? [beginning(idOf(7))] : [partOf(8)], "end"));
  let begun = 0;
  expect(await take(server.url, 1, { after: "now", onBegin: () => void begun++ })).toEqual([idOf(8)]);
  expect(server.asked).toEqual(["stream now", `stream ${idOf(7)}`]);
  expect(begun).toBe(2);
});

const page = (...numbers: number[]) =>
  Response.json({ data: numbers.map(eventOf), next_cursor: numbers.length > 0 ? idOf(numbers.at(-1) ?? 0) : null });

test("without a stream, waiting calls take its place", async () => {
  const refusals: Record<string, () => Response> = {
    "a server of before": () => page(1, 2),
    "all places are taken": () =>
      Response.json({ code: "rate_limited" }, { status: 429, headers: { "retry-after": "5" } }),
    "something keeps it back": () => streamOf([], "stay"),
  };
  for (const [why, refuse] of Object.entries(refusals)) {
    using server = serve(refuse, (after) => (after === null ? page(1, 2) : page(3)));
    expect({ why, taken: await take(server.url, 3, {}, 200) }).toEqual({ why, taken: [1, 2, 3].map(idOf) });
    expect(server.asked).toEqual(["stream null", "page null", `page ${idOf(2)}`]);
  }
});

test("waiting calls from now begin where a stream would, in an empty log too", async () => {
  using server = serve(
    () => page(),
    (after) => (after === "now" ? page() : page(1)),
  );
  expect(await take(server.url, 1, { after: "now" })).toEqual([idOf(1)]);
  expect(server.asked).toEqual(["stream now", "page now", "page null"]);
});

test("a call that was to wait and was answered at once is made again after five seconds", async () => {
  using server = serve(
    () => page(),
    (_, call) => (call === 1 ? page() : page(1)),
  );
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  expect(await take(server.url, 1, { sleep })).toEqual([idOf(1)]);
  expect(pauses.filter((ms) => ms > 4000 && ms <= 5000)).toHaveLength(1);
});

test("an unreachable server is retried without end once it has answered, and given up after five attempts before", async () => {
  const away = () => new Response(null, { status: 502 });
  using gone = serve(away);
  expect(await errorOf(take(gone.url, 1))).toMatchObject({ code: "gateway_unavailable" });
  expect(gone.asked).toHaveLength(5);
  using back = serve((_, call) => {
    if (call === 1) return streamOf([partOf(1)], "end");
    return call < 12 ? away() : streamOf([partOf(2)], "stay");
  });
  const attempts: number[] = [];
  expect(await take(back.url, 2, { onLost: (_, attempt) => void attempts.push(attempt) })).toEqual([1, 2].map(idOf));
  expect(attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test("a revoked credential and a foreign server end following", async () => {
  using revoked = serve((_, call) =>
    call === 1 ? streamOf([partOf(1)], "end") : Response.json({ code: "credential_invalid" }, { status: 401 }),
  );
  expect(await errorOf(take(revoked.url, 2))).toMatchObject({ code: "credential_invalid", kind: "credential" });
  using odd = serve(() => streamOf([beginning(null), "data: {}\n\n"], "stay"));
  expect(await errorOf(take(odd.url, 1))).toMatchObject({ code: "unexpected_answer" });
  using html = serve(() => new Response("<html>"));
  expect(await errorOf(take(html.url, 1))).toBeInstanceOf(ClientError);
});

test("a silent stream counts as lost", async () => {
  using server = serve((_, call) => streamOf([partOf(call)], "stay"));
  expect(await take(server.url, 2, {}, 1000)).toEqual([1, 2].map(idOf));
});

test("events that a server repeats or sends late come once and in order, in a stream and in pages", async () => {
  const mixed = [1, 2, 2, 1, 3, 2, 4].map(partOf).join("");
  using stream = serve((after) => streamOf([after === null ? mixed : mixed + partOf(5)], "end"));
  expect(await take(stream.url, 5)).toEqual([1, 2, 3, 4, 5].map(idOf));
  using pages = serve(
    () => page(),
    (_, call) => (call === 1 ? page(1, 2) : page(1, 2, 3)),
  );
  expect(await take(pages.url, 3)).toEqual([1, 2, 3].map(idOf));
});

test("where empty streams are cut off at once, waiting calls take their place", async () => {
  const cuts: Record<string, string[]> = { "before the first part": [], "after the first part": [beginning(idOf(2))] };
  for (const [why, pieces] of Object.entries(cuts)) {
    using server = serve(
      () => streamOf(pieces, "end"),
      () => page(3),
    );
    expect({ why, taken: await take(server.url, 1) }).toEqual({ why, taken: [idOf(3)] });
    expect(server.asked.filter((each) => each.startsWith("stream"))).toHaveLength(3);
  }
});
