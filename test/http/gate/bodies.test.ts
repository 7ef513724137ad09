import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { until } from "../../support/polls.ts";
import { connectRaw } from "../../support/raw-connections.ts";
import type { RawConnection } from "../../support/raw-connections.ts";
import { startTestServer } from "../../support/server.ts";
import type { TestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const MIB = 1024 * 1024;
const ENVELOPE = { version: 1, ciphertext: "fake-local-test-only" };

const startSmall = (bodyPace = { graceMs: 60_000, bytesPerSecond: 1 }) =>
  startTestServer({ policy: { maxCiphertextBytes: MIB }, http: { bodyMemoryBytes: 8 * MIB, bodyPace } });

/** Begins a creation with a body of `bytes`, or of undeclared length when that is undefined. */
async function beginUpload(server: TestServer, token: string, bytes: number | undefined): Promise<RawConnection> {
  const connection = await connectRaw(server.url);
  const length = bytes === undefined ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes}`;
  connection.send(
    `POST /api/v1/secrets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
  );
  return connection;
}

const create = (server: TestServer, token: string, ciphertext = ENVELOPE.ciphertext) =>
  server.call("POST", "/api/v1/secrets", { token, body: { envelope: { version: 1, ciphertext } } });

/** Resolves once a body of `token` that takes its whole share is admitted. */
async function untilRoom(server: TestServer, token: string): Promise<void> {
  await until(async () => (await create(server, token, "a".repeat(MIB))).status !== 503);
}

test("a credential has a share of the memory for bodies, and a body beyond it is refused unread", async () => {
  await using server = await startSmall();
  const [greedy, honest] = [await server.backend.mint(), await server.backend.mint()];
  // A quarter is 2 MiB. None of the callers sends a byte of its body.
  const uploads = [await beginUpload(server, greedy.token, MIB), await beginUpload(server, greedy.token, MIB - 4096)];
  const third = await beginUpload(server, greedy.token, MIB / 2);
  const refusal = await third.until(/\r\n\r\n.*\}$/s);
  expect(refusal).toStartWith("HTTP/1.1 503 ");
  expect(refusal).toMatch(/retry-after: [1-9]/i);
  expect(refusal).toContain('"code":"server_busy"');
  expect((await create(server, honest.token, "a".repeat(MIB))).status).toBe(201);
  expect((await create(server, greedy.token)).status).toBe(201);
  for (const upload of uploads) upload.end();
  await untilRoom(server, greedy.token);
  third.end();
});

test("all credentials together stay within the memory for bodies", async () => {
  await using server = await startSmall();
  const uploads = [];
  // Of two teams: one alone leaves room for others.
  for (let i = 0; i < 8; i++) {
    uploads.push(await beginUpload(server, (await server.backend.mint({ team: `team${i % 2}` })).token, MIB - 1));
  }
  const { token } = await server.backend.mint();
  const refused = await create(server, token);
  expect(refused.json).toMatchObject({ status: 503, code: "server_busy" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // A call without a body needs no room.
  expect((await server.call("GET", "/api/v1/credential", { token })).status).toBe(200);
  uploads[0]?.end();
  await until(async () => (await create(server, token)).status !== 503);
  for (const upload of uploads) upload.end();
});

test("the bodies of a team leave room for one of others, with several credentials too", async () => {
  await using server = await startSmall();
  const tokenOf = async (team: string) => (await server.backend.mint({ team })).token;
  const uploads = [];
  for (let i = 0; i < 6; i++) uploads.push(await beginUpload(server, await tokenOf("greedy"), MIB));
  expect((await create(server, await tokenOf("greedy"), "a".repeat(MIB))).json).toMatchObject({ code: "server_busy" });
  expect((await create(server, await tokenOf("honest"), "a".repeat(MIB))).status).toBe(201);
  for (const upload of uploads) upload.end();
  await untilRoom(server, await tokenOf("greedy"));
});

test("a body of undeclared length takes room as it arrives", async () => {
  await using server = await startSmall();
  const { token } = await server.backend.mint();
  const chunk = `100000\r\n${"a".repeat(MIB)}\r\n`;
  const [first, second, third] = [
    await beginUpload(server, token, undefined),
    await beginUpload(server, token, MIB),
    await beginUpload(server, token, undefined),
  ];
  first.send(`80000\r\n${"a".repeat(MIB / 2)}\r\n`);
  third.send(chunk);
  expect(await third.until(/\}$/)).toContain('"code":"server_busy"');
  for (const each of [first, second, third]) each.end();
  await untilRoom(server, token);
});

test("a body that arrives too slowly is ended, and releases its room", async () => {
  await using server = await startSmall({ graceMs: 50, bytesPerSecond: 1_000_000_000 });
  const { token } = await server.backend.mint();
  for (const bytes of [100, MIB, undefined]) {
    const upload = await beginUpload(server, token, bytes);
    // It drips, so that the connection is never idle.
    const drip = setInterval(() => upload.send(bytes === undefined ? "1\r\na\r\n" : "a"), 5);
    const answer = await upload.closed;
    clearInterval(drip);
    expect(answer).toStartWith("HTTP/1.1 408 ");
    expect(answer).toContain('"code":"body_too_slow"');
  }
  await untilRoom(server, token);
});

test("a body that arrives in pieces is put together", async () => {
  await using server = await startSmall();
  const { token } = await server.backend.mint();
  const body = JSON.stringify({ envelope: { version: 1, ciphertext: "ab".repeat(100_000) } });
  for (const isChunked of [false, true]) {
    const upload = await beginUpload(server, token, isChunked ? undefined : body.length);
    for (let at = 0; at < body.length; at += 50_000) {
      const piece = body.slice(at, at + 50_000);
      upload.send(isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece);
      await Bun.sleep(1);
    }
    if (isChunked) upload.send("0\r\n\r\n");
    expect(await upload.until(/\}$/)).toStartWith("HTTP/1.1 201 ");
    upload.end();
  }
});

test("a sign-in has a share too, and a time limit", async () => {
  await using server = await startTestServer({ http: { bodyPace: { graceMs: 50, bytesPerSecond: 1_000_000 } } });
  const connection = await connectRaw(server.url);
  connection.send(
    `POST /app/session HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nOrigin: ${server.url}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  expect(await connection.closed).toContain('"code":"body_too_slow"');
});

const placeOf = (server: TestServer) => ({ port: Number(new URL(server.url).port), host: "127.0.0.1" });

/** Claims a secret, and reads no more than the beginning of the answer. */
async function claimUnread(place: { path: string } | { port: number; host: string }, id: string, token: string) {
  const connection = connect(place);
  connection.pause();
  connection.write(
    `POST /api/v1/secrets/${id}/claim HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 0\r\n\r\n`,
  );
  await once(connection, "readable");
  return connection;
}

test("unread large answers to all callers leave room for a body", async () => {
  // The system's socket buffers do not count. Two answers would fit.
  await using server = await startTestServer({
    policy: { maxCiphertextBytes: 16 * MIB },
    http: { bodyMemoryBytes: 2 * 48 * MIB + 8 * MIB },
  });
  const mint = async () => (await server.backend.mint()).token;
  const ciphertext = "a".repeat(16 * MIB);
  const { json: large } = await server.call("POST", "/api/v1/secrets?max_claims=2", {
    token: await mint(),
    body: { envelope: { version: 1, ciphertext } },
  });
  const unread = await claimUnread(placeOf(server), large.id, await mint());
  const refused = await server.call("POST", `/api/v1/secrets/${large.id}/claim`, { token: await mint() });
  expect(refused.json).toMatchObject({ status: 503, code: "server_busy" });
  expect((await create(server, await mint(), ciphertext)).status).toBe(201);
  unread.destroy();
}, 60_000);

for (const kind of ["tcp", "unix"] as const) {
  test(`an unread large answer over ${kind} keeps its room, and a claim without room uses nothing up`, async () => {
    using folder = temporaryFolder();
    // The system's socket buffers do not count.
    const maxCiphertextBytes = 16 * MIB;
    const path = join(folder.path, "socket");
    await using server = await startTestServer({
      policy: { maxCiphertextBytes },
      http: { bodyMemoryBytes: 80 * MIB },
      ...(kind === "unix" ? { listen: { target: { kind, path } } } : {}),
    });
    const way = kind === "unix" ? { unix: path } : {};
    const [first, other] = [await server.backend.mint(), await server.backend.mint()];
    const call = async (token: string, method: string, rest: string, body?: string) => {
      const headers = { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) };
      const answer = await fetch(`${server.url}/api/v1/secrets${rest}`, {
        method,
        headers,
        body: body ?? null,
        ...way,
      });
      // oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
      return { status: answer.status, headers: answer.headers, json: (await answer.json()) as any };
    };
    const envelope = (bytes: number) => JSON.stringify({ envelope: { version: 1, ciphertext: "a".repeat(bytes) } });
    const { json: large } = await call(first.token, "POST", "?max_claims=9", envelope(maxCiphertextBytes));
    const claim = (token: string) => call(token, "POST", `/${large.id}/claim`);
    const unread = await claimUnread(kind === "unix" ? { path } : placeOf(server), large.id, first.token);
    expect(String(unread.read())).toStartWith("HTTP/1.1 200 ");
    // There is room for one, whether the same caller, another one, or the holder of the link asks.
    for (const token of [first.token, other.token, large.claim_token]) {
      const refused = await claim(token);
      expect(refused.json).toMatchObject({ status: 503, code: "server_busy" });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await call(first.token, "GET", `/${large.id}`)).json).toMatchObject({ state: "available", claims: 1 });
    // Small answers are still sent, to that caller too.
    const { json: small } = await call(first.token, "POST", "", envelope(60_000));
    expect((await call(first.token, "POST", `/${small.id}/claim`)).status).toBe(200);
    // Disconnecting releases the room, and so does reading the answer.
    unread.destroy();
    for (const token of [other.token, large.claim_token]) {
      let answer = await claim(token);
      for (; answer.status === 503; answer = await claim(token)) await Bun.sleep(5);
      expect(answer.headers.get("content-type")).toStartWith("application/json");
      expect(answer.headers.get("x-request-id")).toBeString();
      expect(answer.json.envelope.ciphertext).toBe("a".repeat(maxCiphertextBytes));
    }
    expect((await call(first.token, "GET", `/${large.id}`)).json).toMatchObject({ state: "available", claims: 3 });
  }, 60_000);
}
