import { expect, test } from "bun:test";
import { createServer } from "node:net";
import type { Socket } from "node:net";
import { networkInterfaces } from "node:os";
import type { CallTarget, ToldEvent } from "../../src/domain/ports/webhooks.ts";
import { createCaller } from "../../src/webhooks/calls.ts";
import { openReceiver } from "../support/receivers.ts";

const NOW = Date.parse("2026-11-21T09:30:00Z");
const EVENT: ToldEvent = {
  id: "evt_1",
  type: "secret.claimed",
  created_at: "2026-11-21T09:30:00.000Z",
  secret_id: "sec_1",
  request_id: null,
  identity: null,
  actor: { kind: "link", id: null, address: null },
  reference: null,
  ask: null,
};

function targetOf(url: string, change: Partial<CallTarget> = {}): CallTarget {
  return {
    url,
    format: "chat",
    allowHttp: false,
    secret: null,
    formerSecret: null,
    formerSecretUntil: null,
    ...change,
  };
}

/** A caller whose names resolve to the next of these answers with every call, and then to the last. */
function callerTo(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    const found = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { asked, ...createCaller({ version: "1", resolve, timeoutMs: 2000 }) };
}

test("an answer has its status and Retry-After", async () => {
  await using receiver = openReceiver(() => new Response("later", { status: 429, headers: { "Retry-After": "7" } }));
  const { answer, body } = await createCaller({ version: "1" }).callFully(targetOf(receiver.url), EVENT, NOW);
  expect({ answer, body }).toEqual({ answer: { status: 429, retryAfter: "7" }, body: "later" });
  const [call] = receiver.calls;
  expect(call).toMatchObject({ method: "POST", path: "/hook?token=t" });
  expect(call?.headers.get("user-agent")).toBe("handoff/1");
});

test("reading an endless answer stops after 64 KiB, and its status counts", async () => {
  let sent = 0;
  const body = () => new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array((sent += 16_384) && 16_384)) });
  await using receiver = openReceiver(() => new Response(body()));
  const { answer } = await createCaller({ version: "1" }).callFully(targetOf(receiver.url), EVENT, NOW);
  expect(answer).toEqual({ status: 200, retryAfter: null });
  expect(sent).toBeLessThan(8_000_000);
});

/** Opens a receiver that writes `first`, then `rest` without end, if there is one. */
async function openRawReceiver(first: string, rest = "") {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const chunk = Buffer.from(rest);
    const go = () => {
      while (rest !== "" && socket.writable && socket.write(chunk));
    };
    socket.on("error", () => undefined).on("drain", go);
    socket.once("data", () => {
      socket.write(first);
      go();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test.each([
  ["answers before the answer", "", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(500), { failure: "unreachable" }],
  ["empty lines", "", "\r\n".repeat(5000), { failure: "unreachable" }],
  ["headers", "HTTP/1.1 200 OK\r\n", "X-A: aaaaaaaaaaaaaaaa\r\n".repeat(500), { failure: "unreachable" }],
  ["one header", "HTTP/1.1 200 OK\r\nX-A: ", "a".repeat(10_000), { failure: "unreachable" }],
  ["chunk extensions", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", "a".repeat(10_000), { status: 200 }],
  ["trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-A: a\r\n".repeat(500), { status: 200 }],
] as const)(
  "a receiver that sends %s without an end is left long before the time is over",
  async (_, first, rest, answer) => {
    using receiver = await openRawReceiver(first, rest);
    // Without the limit, this timeout would end the call.
    const caller = createCaller({ version: "1", timeoutMs: 50_000 });
    expect(await caller.call(targetOf(receiver.url), EVENT, NOW)).toMatchObject(answer);
  },
);

test("one informational answer is skipped, and a second one is an error", async () => {
  const early = "HTTP/1.1 103 Early Hints\r\n\r\n";
  const end = "HTTP/1.1 204 No Content\r\n\r\n";
  using once = await openRawReceiver(early + end);
  using twice = await openRawReceiver(early + early + end);
  const caller = createCaller({ version: "1" });
  expect(await caller.call(targetOf(once.url), EVENT, NOW)).toMatchObject({ status: 204 });
  expect(await caller.call(targetOf(twice.url), EVENT, NOW)).toEqual({ failure: "unreachable" });
});

test("a late answer counts as none, and one that stalls in its body by its status", async () => {
  const caller = createCaller({ version: "1", timeoutMs: 100 });
  const silence = Promise.withResolvers<Response>();
  await using slow = openReceiver(() => silence.promise);
  expect(await caller.call(targetOf(slow.url), EVENT, NOW)).toEqual({ failure: "timed_out" });
  silence.resolve(new Response());
  const stuck = () => new Response(new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(10)) }));
  await using receiver = openReceiver(stuck);
  expect(await caller.call(targetOf(receiver.url), EVENT, NOW)).toEqual({ status: 200, retryAfter: null });
});

test("redirects aren't followed", async () => {
  let followed = 0;
  await using other = openReceiver(() => new Response(String(followed++)));
  for (const location of [other.url, "http://169.254.169.254/latest/meta-data/"]) {
    await using receiver = openReceiver(() => new Response(null, { status: 307, headers: { location } }));
    expect(await createCaller({ version: "1" }).call(targetOf(receiver.url), EVENT, NOW)).toMatchObject({
      status: 307,
    });
  }
  expect(followed).toBe(0);
});

test("the addresses of a name are checked for every call", async () => {
  await using receiver = openReceiver(() => new Response());
  const url = receiver.url.replace("127.0.0.1", "hooks.localhost");
  const caller = callerTo(["127.0.0.1"], ["169.254.169.254"]);
  expect(await caller.call(targetOf(url), EVENT, NOW)).toMatchObject({ status: 200 });
  expect(await caller.call(targetOf(url), EVENT, NOW)).toEqual({ failure: "address_refused" });
  // One lookup for each call.
  expect(caller.asked).toEqual(["hooks.localhost", "hooks.localhost"]);
  expect(receiver.calls.map(({ headers }) => headers.get("host"))).toEqual([new URL(url).host]);
});

test("one forbidden address among several refuses the call, and an address that doesn't answer is skipped", async () => {
  await using receiver = openReceiver(() => new Response());
  const url = receiver.url.replace("127.0.0.1", "hooks.localhost");
  const refused = await callerTo(["127.0.0.1", "fe80::1"]).call(targetOf(url), EVENT, NOW);
  expect(refused).toEqual({ failure: "address_refused" });
  // The receiver listens only on the last.
  for (const silent of ["127.0.0.2", "::1"]) {
    expect(await callerTo([silent, "127.0.0.1"]).call(targetOf(url), EVENT, NOW)).toMatchObject({ status: 200 });
  }
});

test("without TLS a name leads neither to this machine nor, unless allowed, to another", async () => {
  await using receiver = openReceiver(() => new Response());
  const url = receiver.url.replace("127.0.0.1", "hooks.example");
  const loopback = await callerTo(["127.0.0.1"]).call(targetOf(url, { allowHttp: true }), EVENT, NOW);
  expect(loopback).toEqual({ failure: "address_refused" });
  expect(await callerTo(["192.0.2.1"]).call(targetOf(url), EVENT, NOW)).toEqual({ failure: "address_refused" });
  expect(receiver.calls).toEqual([]);
});

test("without TLS a name that leads to this machine's own address is refused", async () => {
  const target = targetOf("http://hooks.example:9/", { allowHttp: true });
  for (const { address } of Object.values(networkInterfaces()).flatMap((each) => each ?? [])) {
    const call = callerTo([address]).call(target, EVENT, NOW);
    expect({ address, ...(await call) }).toEqual({ address, failure: "address_refused" });
  }
});

test("an unreachable receiver and an unknown name are different failures", async () => {
  const url = "http://localhost:9/";
  expect(await callerTo(["127.0.0.1"]).call(targetOf(url), EVENT, NOW)).toEqual({ failure: "unreachable" });
  expect(await callerTo([]).call(targetOf(url), EVENT, NOW)).toEqual({ failure: "name_not_found" });
});

test("proxies of the environment aren't used", async () => {
  await using receiver = openReceiver(() => new Response());
  const before = { ...process.env };
  Object.assign(process.env, { http_proxy: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" });
  try {
    const answer = await createCaller({ version: "1" }).call(targetOf(receiver.url), EVENT, NOW);
    expect(answer).toMatchObject({ status: 200 });
  } finally {
    for (const name of ["http_proxy", "HTTP_PROXY"]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
});

test("an aborted call rejects", async () => {
  const silence = Promise.withResolvers<Response>();
  await using receiver = openReceiver(() => silence.promise);
  const giveUp = new AbortController();
  const call = createCaller({ version: "1" }).call(targetOf(receiver.url), EVENT, NOW, giveUp.signal);
  await receiver.nextCall();
  giveUp.abort();
  expect(
    await call.then(
      () => "answered",
      () => "given up",
    ),
  ).toBe("given up");
  silence.resolve(new Response());
});
