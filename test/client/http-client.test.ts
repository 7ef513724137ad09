import { expect, test } from "bun:test";
import { parseBaseUrl } from "../../src/client/base-urls.ts";
import { ClientError } from "../../src/client/errors.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { until } from "../support/polls.ts";

const SECRET = exampleId("secret");
const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } } as const;
const REQUEST_ID = "019aa4f2-9d5e-7000-8a3b-0123456789ab";

/** A server that gives `answers` in order, and its client, whose pauses take no time. */
function openPair(...answers: readonly (() => Response | Promise<Response>)[]) {
  const requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: Headers;
    readonly body: string;
  }[] = [];
  const pauses: number[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { method, headers, url } = request;
      requests.push({ method, headers, path: url.slice(url.indexOf("/", 8)), body: await request.text() });
      return (answers[requests.length - 1] ?? ok)();
    },
  });
  const client = createHttpClient({
    baseUrl: server.url.origin,
    credential: "hak_test",
    sleep: async (milliseconds) => void pauses.push(milliseconds),
  });
  return { client, requests, pauses, server, [Symbol.dispose]: () => void server.stop(true) };
}

const ok = () => Response.json({ id: "sec_1" });
const problem =
  (code: string, status: number, headers: Record<string, string> = {}, members: object = {}) =>
  () =>
    Response.json({ code, status, detail: "\u001b[31mdeceit", ...members }, { status, headers });

/** The error of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<ClientError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ClientError) return error;
  throw new Error(`not a ClientError: ${String(error)}`);
}

test("reading an endless answer stops at the size limit", async () => {
  let sent = 0;
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536).fill(0x20));
        },
      }),
    );
  using pair = openPair(endless);
  expect((await errorOf(pair.client.call("getCredential"))).code).toBe("unexpected_answer");
  expect(sent).toBeLessThan(16 * 1024 * 1024);
});

test("an answer that drips or stalls is given up, whatever length it declares; one at the least speed isn't", async () => {
  const patience = { graceMs: 2_500, bytesPerMs: 1 };
  const json = JSON.stringify({ id: "x".repeat(5_000) });
  /** An answer in `pieces` with pauses between them, which declares `length` bytes. */
  const answer = (pieces: readonly string[], pauseMs: number, length: number) => () => {
    let next = 0;
    const body = new ReadableStream({
      async pull(controller) {
        const piece = pieces[next++];
        if (piece === undefined) return controller.close();
        if (next > 1) await Bun.sleep(pauseMs);
        controller.enqueue(new TextEncoder().encode(piece));
      },
    });
    return new Response(body, { headers: { "content-length": String(length) } });
  };
  const halves = [json.slice(0, 2_000), json.slice(2_000)];
  const tooSlow: [what: string, answers: () => Response][] = [
    [
      "drips",
      answer(
        Array.from({ length: 400 }, () => " "),
        10,
        100_000_000,
      ),
    ],
    ["stops after much has come", answer([json, " "], 6_000, json.length + 1)],
  ];
  for (const [what, answers] of tooSlow) {
    using pair = openPair(answers);
    const options = { baseUrl: pair.server.url.origin, credential: undefined, patience };
    const error = await errorOf(createHttpClient(options).call("createSecret", { body: BODY }));
    expect({ what, code: error.code }).toEqual({ what, code: "timed_out" });
  }
  using pair = openPair(answer(halves, 150, json.length));
  const options = { baseUrl: pair.server.url.origin, credential: undefined, patience };
  expect(await createHttpClient(options).call("createSecret", { body: BODY })).toEqual(JSON.parse(json));
});

test("a read from a server that never answers is given up after one attempt", async () => {
  const silent = () => new Promise<Response>(() => undefined);
  using pair = openPair(...Array.from({ length: 6 }, () => silent));
  const patience = { graceMs: 50, bytesPerMs: 16 };
  // Counted here: on a busy machine, an attempt may be given up before it has arrived there.
  let attempts = 0;
  const client = createHttpClient({
    baseUrl: pair.server.url.origin,
    credential: undefined,
    patience,
    sleep: async () => {},
    fetch: (...args) => {
      attempts += 1;
      return fetch(...args);
    },
  });
  expect((await errorOf(client.call("getCredential"))).code).toBe("timed_out");
  expect(attempts).toBe(1);
  expect((await errorOf(client.call("claimSecret", { id: SECRET, idempotencyKey: "key" }))).code).toBe("timed_out");
  expect(attempts).toBe(6);
});

test("a call carries its credential, query and idempotency key", async () => {
  using pair = openPair();
  const query = { expires_in: 60, max_claims: undefined };
  await pair.client.call("createSecret", { query, body: BODY, idempotencyKey: "key" });
  const [request] = pair.requests;
  expect(request).toMatchObject({ method: "POST", path: "/api/v1/secrets?expires_in=60", body: JSON.stringify(BODY) });
  expect(request?.headers.get("authorization")).toBe("Bearer hak_test");
  expect(request?.headers.get("idempotency-key")).toBe("key");
});

test("calls to a busy server are retried after its Retry-After, with the same key, unless that is too long", async () => {
  using pair = openPair(
    problem("rate_limited", 429, { "retry-after": "7" }),
    problem("storage_unavailable", 503),
    () => new Response("", { status: 502 }),
  );
  await pair.client.call("claimSecret", { id: SECRET, idempotencyKey: "key" });
  expect(pair.requests.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["key", "key", "key", "key"]);
  expect(pair.pauses).toEqual([7000, 500, 1000]);
  using patient = openPair(problem("rate_limited", 429, { "retry-after": "3600" }));
  expect(await errorOf(patient.client.call("listSecrets"))).toMatchObject({ code: "rate_limited", kind: "network" });
  using stubborn = openPair(...Array(9).fill(problem("storage_unavailable", 503)));
  expect(await errorOf(stubborn.client.call("listSecrets"))).toMatchObject({
    code: "storage_unavailable",
    kind: "network",
  });
  expect(stubborn.requests).toHaveLength(5);
});

test("only an ID becomes a part of a URL, and a wrong link token is reported as a wrong link", async () => {
  using pair = openPair(problem("credential_invalid", 401));
  const { baseUrl } = pair.client;
  const link = createHttpClient({ baseUrl, credential: "hct_test", isOfLink: true });
  expect(await errorOf(link.call("getSecret", { id: SECRET }))).toMatchObject({
    code: "credential_invalid",
    kind: "gone",
  });
  expect(await link.call("getSecret", { id: `${SECRET}#1.seed` }).catch((error: Error) => error.message)).toBe(
    "not an id",
  );
  expect(pair.requests).toHaveLength(1);
});

test("a call without an idempotency key that changes something is sent once", async () => {
  using pair = openPair(problem("storage_unavailable", 503));
  expect(await errorOf(pair.client.call("createSecret", { body: BODY }))).toMatchObject({
    code: "storage_unavailable",
  });
  expect(pair.requests).toHaveLength(1);
});

test("a dropped connection is retried; a server that can't be reached is reported at once", async () => {
  let connections = 0;
  using listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        connections++;
        if (connections < 3) return void socket.terminate();
        const body = '{"id":"sec_1"}';
        socket.end(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
      },
    },
  });
  const clientOf = (port: number) =>
    createHttpClient({ baseUrl: `http://127.0.0.1:${port}`, credential: undefined, sleep: async () => undefined });
  expect(await clientOf(listener.port).call("getSecret", { id: SECRET })).toEqual({ id: "sec_1" });
  expect(connections).toBe(3);
  expect(await errorOf(clientOf(1).call("getSecret", { id: SECRET }))).toMatchObject({
    code: "connection_failed",
    kind: "network",
  });
});

test("redirects aren't followed, so the credential goes to no other server", async () => {
  using other = openPair();
  using pair = openPair(() => Response.redirect(`${other.server.url.origin}/api/v1/secrets`, 307));
  expect(await errorOf(pair.client.call("listSecrets"))).toMatchObject({ code: "redirected" });
  expect(other.requests).toEqual([]);
});

test("errors are explained in our own words, whatever the server writes", async () => {
  using pair = openPair(
    problem("insufficient_scope", 403, {
      "www-authenticate": 'Bearer scope="secrets:read"',
      "x-request-id": REQUEST_ID,
    }),
  );
  const error = await errorOf(pair.client.call("listSecrets"));
  expect(error).toMatchObject({ kind: "credential", requestId: REQUEST_ID });
  expect(error.message).toContain("It lacks the scope secrets:read.");
  expect(error.message).not.toContain("deceit");
  using stranger = openPair(
    () => new Response("<html>", { status: 200 }),
    problem("made_up", 418),
    () => new Response("null"),
  );
  for (let n = 0; n < 3; n++)
    expect(await errorOf(stranger.client.call("listSecrets"))).toMatchObject({ code: "unexpected_answer" });
});

test("an aborted call ends at once", async () => {
  using pair = openPair(() => new Promise<Response>(() => undefined));
  const controller = new AbortController();
  const client = createHttpClient({
    baseUrl: pair.server.url.origin,
    credential: undefined,
    signal: controller.signal,
  });
  const call = errorOf(client.call("listSecrets"));
  await until(() => pair.requests.length > 0);
  controller.abort();
  expect(await call).toMatchObject({ code: "interrupted", unknownOutcomeOf: undefined });
});

test("of a change that is aborted once it was sent, nobody knows whether it was made", async () => {
  for (const [size, unknown] of [
    [10, "createSecret"],
    [20_000_000, undefined],
  ] as const) {
    const controller = new AbortController();
    const arrived = Promise.withResolvers<void>();
    const client = createHttpClient({
      baseUrl: "https://handoff.test",
      credential: undefined,
      signal: controller.signal,
      async fetch(_url, init) {
        const { body } = init ?? {};
        // The connection is stuck in the middle of the large one.
        if (body instanceof ReadableStream) await body.getReader().read();
        arrived.resolve();
        const { promise, reject } = Promise.withResolvers<never>();
        init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        return promise;
      },
    });
    const envelope = { version: 1, ciphertext: "x".repeat(size) } as const;
    const call = errorOf(client.call("createSecret", { body: { envelope }, onProgress: () => undefined }));
    await arrived.promise;
    controller.abort();
    expect(await call).toMatchObject({ code: "interrupted", unknownOutcomeOf: unknown });
  }
});

test("progress of a large transfer is reported up to its end", async () => {
  const large = "x".repeat(500_000);
  using pair = openPair(() => Response.json({ id: large }));
  const told: string[] = [];
  const body = { envelope: { version: 1, ciphertext: large } } as const;
  await pair.client.call("createSecret", {
    body,
    onProgress: (direction, bytes, total) => void told.push(`${direction} ${bytes === total ? "all" : "some"}`),
  });
  expect(pair.requests[0]?.body).toBe(JSON.stringify(body));
  // The answer may arrive in one piece; `transfers.test.ts` covers several.
  expect(new Set(told)).toContain("up some");
  expect(told.at(-1)).toBe("down all");
});

test("a server URL is https, or this machine", () => {
  const codeOf = (url: string, allowHttp = false) => {
    try {
      return parseBaseUrl(url, allowHttp);
    } catch (error) {
      return error instanceof ClientError ? error.code : String(error);
    }
  };
  expect(codeOf(" https://handoff.example/ ")).toBe("https://handoff.example");
  expect(codeOf("https://example.com/tools/handoff/")).toBe("https://example.com/tools/handoff");
  for (const local of ["http://localhost:80", "http://127.1.2.3:8080", "http://[::1]:8080"])
    expect(codeOf(local)).toStartWith("http://");
  for (const remote of [
    "http://handoff.example",
    "http://127.0.0.1.example",
    "http://localhost.example",
    "http://10.0.0.1",
  ]) {
    expect(codeOf(remote)).toBe("insecure_url");
    expect(codeOf(remote, true)).toBe(remote);
  }
  for (const wrong of [
    "",
    "handoff.example",
    "ftp://x",
    "https://u:p@handoff.example",
    "https://h/?q",
    "https://h/#f",
  ]) {
    expect(codeOf(wrong)).toBe("invalid_url");
  }
});

test("the type of a call has exactly the options that its operation takes", async () => {
  using pair = openPair(...Array.from({ length: 5 }, () => ok));
  const { client } = pair;
  // @ts-expect-error: a secret is created from a body.
  await client.call("createSecret");
  // @ts-expect-error: which one?
  await client.call("getSecret");
  // @ts-expect-error: a claim has no body.
  await client.call("claimSecret", { id: SECRET, body: BODY });
  // @ts-expect-error: the list has no such parameter.
  await client.call("listSecrets", { query: { wait: 1 } });
  await client.call("listSecrets");
  expect(pair.requests).toHaveLength(5);
});

const unknown = (code = "storage_unavailable", status = 503) => problem(code, status, {}, { outcome: "unknown" });
const lost = () => new Response("", { status: 502 });

test("a call with an unknown outcome stays unknown through retries until the server answers definitively", async () => {
  const away = problem("storage_unavailable", 503);
  const cases: [
    what: string,
    answers: (() => Response)[],
    outcome: "unknown" | undefined,
    code: ClientError["code"],
  ][] = [
    ["nothing was done", Array(5).fill(away), undefined, "storage_unavailable"],
    ["nobody knows", Array(5).fill(unknown()), "unknown", "storage_unavailable"],
    ["nobody knows of the first", [unknown(), ...Array(4).fill(away)], "unknown", "storage_unavailable"],
    ["a proxy lost the first", [lost, ...Array(4).fill(away)], "unknown", "storage_unavailable"],
    [
      "a proxy found it too much",
      Array(5).fill(() => new Response("", { status: 429 })),
      undefined,
      "gateway_unavailable",
    ],
    ["unforeseen", [unknown("internal", 500)], "unknown", "internal"],
    ["the key was revoked then", [unknown(), problem("credential_invalid", 401)], "unknown", "credential_invalid"],
    ["something else answers then", [lost, () => new Response("hello")], "unknown", "unexpected_answer"],
    ["it has been decided", [unknown(), problem("secret_claimed", 410)], undefined, "secret_claimed"],
    ["it never came so far", [unknown(), problem("idempotency_conflict", 409)], undefined, "idempotency_conflict"],
  ];
  for (const [what, answers, outcome, code] of cases) {
    using pair = openPair(...answers);
    const error = await errorOf(pair.client.call("claimSecret", { id: SECRET, idempotencyKey: "key" }));
    const unknownOutcomeOf = outcome && "claimSecret";
    expect({ what, code: error.code, of: error.unknownOutcomeOf }).toEqual({ what, code, of: unknownOutcomeOf });
    expect({ what, says: error.message.includes("It's not known whether the secret was handed out.") }).toEqual({
      what,
      says: outcome === "unknown",
    });
    if (outcome) expect(error.message).not.toContain("Try again");
    expect(pair.requests).toHaveLength(answers.length);
  }
  using asked = openPair(...Array(5).fill(lost));
  expect(await errorOf(asked.client.call("listSecrets"))).toMatchObject({ unknownOutcomeOf: undefined });
  using mended = openPair(unknown(), lost);
  expect(await mended.client.call("revokeSecret", { id: SECRET })).toEqual({ id: "sec_1" });
});

test("after a call with an unknown outcome, an unreachable server is retried, and then the outcome is reported as unknown", async () => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch() {
      void server.stop(true);
      return new Promise<Response>(() => undefined);
    },
  });
  let pauses = 0;
  const client = createHttpClient({
    baseUrl: server.url.origin,
    credential: undefined,
    sleep: async () => void pauses++,
  });
  const error = await errorOf(client.call("createSecret", { body: BODY, idempotencyKey: "key" }));
  expect(error).toMatchObject({ code: "connection_failed", kind: "network", unknownOutcomeOf: "createSecret" });
  expect(error.message).toEndWith("It's not known whether the secret was stored.");
  expect(pauses).toBe(4);
});
