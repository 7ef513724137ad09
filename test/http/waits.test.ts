import { expect, test } from "bun:test";
import type { KeyRecord } from "../../src/domain/ports/identities.ts";
import type { Service } from "../../src/domain/service.ts";
import { signIn } from "../../src/domain/sessions.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { RECIPIENT } from "../support/requests.ts";
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

test("a call that waits for a secret is answered when it is claimed", async () => {
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

test("a waiting call is answered on expiry, and without a change when its time is over", async () => {
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

test("a call that waits for events gets the next one, and the following call resumes after it", async () => {
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

test("a caller with too many waiting calls is answered at once", async () => {
  const { server, token, id } = await setUp({ waitingCalls: 2 });
  await using _ = server;
  const wait = () => server.call("GET", `/api/v1/secrets/${id}?wait=60`, { token });
  const waiting = [wait(), wait()];
  await untilWaiting(server, 2);
  expect((await wait()).json).toMatchObject({ state: "available" });
  server.backend.service.waits.release();
  for (const answer of waiting) expect((await answer).json).toMatchObject({ state: "available" });
});

test("a disconnected caller waits no longer", async () => {
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

/** The operations that can wait, as the holder of `token`. */
const WAITS: Record<string, (server: TestServer, token: string) => Promise<string>> = {
  async "a secret"(server, token) {
    const { json } = await server.call("POST", "/api/v1/secrets", { token, body: BODY });
    return `/secrets/${json.id}?wait=60`;
  },
  async "a request"(server, token) {
    const { json } = await server.call("POST", "/api/v1/requests", { token, body: { recipient: RECIPIENT } });
    return `/requests/${json.id}?wait=60`;
  },
  "an event": async () => "/events?after=now&wait=60",
};

/** The ways to lose access during a wait, and the errors they lead to. */
const LOSSES: Record<string, (service: Service, key: KeyRecord) => Promise<string>> = {
  async "the key is revoked"({ store }, { id }) {
    await store.revokeKey(id);
    return "credential_invalid";
  },
  async "the identity is disabled"({ store }, { identity }) {
    await store.disableIdentity(identity.id);
    return "credential_invalid";
  },
  async "the identity loses the scope"({ store }, { identity }) {
    await store.setScopes(identity.id, ["secrets:create"]);
    return "insufficient_scope";
  },
};

for (const [what, make] of Object.entries(WAITS)) {
  for (const [loss, lose] of Object.entries(LOSSES)) {
    test(`a call that waits for ${what} gets no answer once ${loss}`, async () => {
      await using server = await startTestServer();
      const { service } = server.backend;
      const { key, token } = await server.backend.mint();
      const path = await make(server, token);
      const waiting = server.call("GET", `/api/v1${path}`, { token });
      await untilWaiting(server, 1);
      const code = await lose(service, key);
      service.waits.release();
      expect((await waiting).json.code).toBe(code);
    });
  }

  test(`a person's wait for ${what} gets no answer once they are removed`, async () => {
    await using server = await startTestServer();
    const { service } = server.backend;
    const { token } = await server.backend.mint();
    const { person, token: link } = await invitePerson(service, { team: "team", address: "ann" });
    const session = await signIn(service, {
      signInToken: link,
      idempotencyKey: undefined,
      former: undefined,
      browser: null,
      system: null,
    });
    const headers = { cookie: `__Host-handoff=${session.token}`, "sec-fetch-site": "same-origin" };
    const path = await make(server, token);
    const waiting = server.call("GET", `/app${path}`, { headers });
    await untilWaiting(server, 1);
    await service.store.disableIdentity(person.id);
    service.waits.release();
    expect((await waiting).json.code).toBe("credential_invalid");
  });
}

test("a call about something that has ended is answered at once, whatever its wait", async () => {
  const { server, token, id } = await setUp();
  await using _ = server;
  const ends: ((path: string) => Promise<unknown>)[] = [
    (path) => server.call("DELETE", path, { token }),
    async () => server.backend.clock.advance(3_600_000),
  ];
  for (const end of ends) {
    const { json: request } = await server.call("POST", "/api/v1/requests?expires_in=3600", {
      token,
      body: { recipient: RECIPIENT },
    });
    const paths = [`/api/v1/requests/${request.id}`, `/api/v1/secrets/${id}`];
    for (const path of paths) await end(path);
    for (const path of paths) {
      const { json } = await server.call("GET", `${path}?wait=60`, { token });
      expect(json.state).toMatch(/^(revoked|expired)$/);
    }
  }
}, 15_000);
