import { expect, test } from "bun:test";
import { startTestServer } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };

async function setUp(policy = {}) {
  const server = await startTestServer({ policy });
  const { token } = await server.backend.mint();
  const { json } = await server.call("POST", "/api/v1/secrets?expires_in=60", { token, body: BODY });
  return { server, token, id: String(json.id), claimToken: String(json.claim_token) };
}

/** Resolves once so many calls wait at the server. */
async function untilWaiting(server: TestServer, calls: number): Promise<void> {
  while (server.backend.service.waits.waiting() < calls) await new Promise(setImmediate);
}

test("who waits for a secret hears of its claim as it happens", async () => {
  const { server, token, id, claimToken } = await setUp();
  await using _ = server;
  const waiting = server.call("GET", `/api/v1/secrets/${id}?wait=60`, { token });
  await untilWaiting(server, 1);
  await server.call("POST", `/api/v1/secrets/${id}/claim`, { token: claimToken });
  expect((await waiting).json).toMatchObject({ state: "claimed" });
  expect((await server.call("GET", `/api/v1/secrets/${id}?wait=60`, { token })).json).toMatchObject({
    state: "claimed",
  });
});

test("who waits hears of the expiry, and of nothing when the time is over", async () => {
  const { server, token, id } = await setUp();
  await using _ = server;
  const wait = (seconds: number) => server.call("GET", `/api/v1/secrets/${id}?wait=${seconds}`, { token });
  expect((await wait(1)).json).toMatchObject({ state: "available" });
  const waiting = wait(60);
  await untilWaiting(server, 1);
  server.backend.clock.advance(60_000);
  await server.backend.service.store.sweep(10);
  expect((await waiting).json).toMatchObject({ state: "expired" });
});

test("who waits for events gets the next one, and goes on from it", async () => {
  const { server, token, id } = await setUp();
  await using _ = server;
  const events = (query: string) => server.call("GET", `/api/v1/events?${query}`, { token });
  const { json: first } = await events("wait=60");
  expect(first.data).toMatchObject([{ type: "secret.created", secret_id: id }]);
  const waiting = events(`after=${first.next_cursor}&wait=60`);
  await untilWaiting(server, 1);
  await server.call("DELETE", `/api/v1/secrets/${id}`, { token });
  expect((await waiting).json.data).toMatchObject([{ type: "secret.revoked", secret_id: id }]);
  const { json: none } = await events(`after=${(await waiting).json.next_cursor}`);
  expect(none).toEqual({ data: [], next_cursor: (await waiting).json.next_cursor });
});

test("who has too many calls waiting is answered at once", async () => {
  const { server, token, id } = await setUp({ waitingCalls: 2 });
  await using _ = server;
  const wait = () => server.call("GET", `/api/v1/secrets/${id}?wait=60`, { token });
  const waiting = [wait(), wait()];
  await untilWaiting(server, 2);
  expect((await wait()).json).toMatchObject({ state: "available" });
  server.backend.service.waits.release();
  for (const answer of waiting) expect((await answer).json).toMatchObject({ state: "available" });
});

test("who goes away does not wait on", async () => {
  const { server, token, id } = await setUp();
  await using _ = server;
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const waiting = fetch(`${server.url}/api/v1/secrets/${id}?wait=60`, { headers, signal: controller.signal });
  await untilWaiting(server, 1);
  controller.abort();
  expect(await waiting.catch(() => "gone")).toBe("gone");
  while (server.backend.service.waits.waiting() > 0) await new Promise(setImmediate);
});
