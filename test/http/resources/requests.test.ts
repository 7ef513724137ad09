import { expect, test } from "bun:test";
import { encodeToken } from "../../../src/contract/tokens.ts";
import { createAgeIdentity } from "../../../src/crypto/age-identities.ts";
import { until } from "../../support/polls.ts";
import { startTestServer } from "../../support/server.ts";

const DAY = 86_400_000;
const ENVELOPE = { version: 1, ciphertext: "fake-local-test-only" };
const { recipient: RECIPIENT } = await createAgeIdentity("x25519");
const REQUESTS = "/api/v1/requests";
const TOKEN = encodeToken("submit", new Uint8Array(24).fill(7));

async function setUp(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  const { token } = await server.backend.mint();
  const post = (path: string, body: unknown, more: { token?: string; headers?: Record<string, string> } = {}) =>
    server.call("POST", path, { token, body, ...more });
  return {
    server,
    token,
    post,
    /** Creates a request; `json` has its submit token. */
    ask: async (query = "", body: object = { recipient: RECIPIENT }, headers = {}) =>
      (await post(`${REQUESTS}${query}`, body, { headers })).json,
    submit: (request: { id: string; submit_token: string }, ciphertext = ENVELOPE.ciphertext, headers = {}) =>
      post(
        `${REQUESTS}/${request.id}/submissions`,
        { envelope: { ...ENVELOPE, ciphertext } },
        { token: request.submit_token, headers },
      ),
    invitation: (request: { id: string; submit_token: string }) =>
      server.call("GET", `${REQUESTS}/${request.id}/invitation`, { token: request.submit_token }),
    get: async (id: string, query = "") => (await server.call("GET", `${REQUESTS}/${id}${query}`, { token })).json,
    patch: (id: string, state: string) => server.call("PATCH", `${REQUESTS}/${id}`, { token, body: { state } }),
    revoke: (id: string) => server.call("DELETE", `${REQUESTS}/${id}`, { token }),
    claim: (id: string) => server.call("POST", `/api/v1/secrets/${id}/claim`, { token }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a submission is claimed by its team once, and names its request", async () => {
  await using place = await setUp();
  const request = await place.ask("?expires_in=3600", {
    recipient: RECIPIENT,
    note: { version: 1, ciphertext: "sealed-note" },
  });
  expect(request).toMatchObject({
    state: "open",
    recipient: RECIPIENT,
    max_submissions: 1,
    submission_count: 0,
    submissions: [],
    ended_at: null,
  });
  expect(request.created_by).toMatch(/^idn_/);
  expect(request.url).toEndWith(`/r/${request.id}`);
  const invited = await place.invitation(request);
  expect(invited.json).toEqual({
    asked_by: null,
    recipient: RECIPIENT,
    note: { version: 1, ciphertext: "sealed-note" },
    expires_at: request.expires_at,
    submissions_left: 1,
    for: null,
  });
  const receipt = await place.submit(request);
  expect(receipt).toMatchObject({ status: 201, json: { state: "available" } });
  expect(Object.keys(receipt.json)).toEqual(["secret_id", "state"]);
  const { secret_id: id } = receipt.json;
  expect(await place.get(request.id)).toMatchObject({
    state: "fulfilled",
    submissions: [{ secret_id: id, state: "available" }],
  });
  const claimed = await place.claim(id);
  expect(claimed.json).toMatchObject({
    envelope: ENVELOPE,
    secret: { request_id: request.id, created_by: null, max_claims: 1 },
  });
  expect(await place.claim(id)).toMatchObject({ status: 410, json: { code: "secret_claimed" } });
  expect(await place.get(request.id)).toMatchObject({ submissions: [{ secret_id: id, state: "claimed" }] });
  expect((await place.invitation(request)).json.code).toBe("request_fulfilled");
  expect((await place.submit(request)).json.code).toBe("request_fulfilled");
  const events = (await place.server.call("GET", "/api/v1/events", { token: place.token })).json.data;
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    "request.created",
    "secret.created",
    "request.fulfilled",
    "secret.claimed",
  ]);
  expect(events.every((event: { request_id: string }) => event.request_id === request.id)).toBe(true);
});

test("of concurrent submissions exactly as many succeed as there is room for", async () => {
  await using place = await setUp();
  const request = await place.ask("?max_submissions=7");
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => place.submit(request, `text-${n}`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
  expect(new Set(answers.filter(({ status }) => status !== 201).map(({ json }) => json.code))).toEqual(
    new Set(["request_fulfilled"]),
  );
  const { state, submissions } = await place.get(request.id);
  expect({ state, count: submissions.length }).toEqual({ state: "fulfilled", count: 7 });
});

test("a repeated submission stores nothing twice, even once the request is fulfilled", async () => {
  await using place = await setUp();
  const request = await place.ask();
  const headers = { "idempotency-key": "same" };
  const first = await place.submit(request, "text", headers);
  expect((await place.submit(request, "text", headers)).text).toBe(first.text);
  expect((await place.submit(request, "other", headers)).json.code).toBe("idempotency_conflict");
  expect((await place.get(request.id)).submissions).toHaveLength(1);
  const asked = await place.ask("", { recipient: RECIPIENT }, { "idempotency-key": "ask" });
  expect(await place.ask("", { recipient: RECIPIENT }, { "idempotency-key": "ask" })).toEqual(asked);
  expect((await place.ask("?max_submissions=2", { recipient: RECIPIENT }, { "idempotency-key": "ask" })).code).toBe(
    "idempotency_conflict",
  );
  expect(await place.server.backend.storage.holds(asked.submit_token)).toBe(false);
});

test("a submission lives and is claimed as often as it was to be when it was handed in", async () => {
  await using place = await setUp();
  const { secret_id: id } = (await place.submit(await place.ask())).json;
  for (const body of [{ expires_in: 3600 }, { max_claims: 2 }]) {
    const refused = await place.server.call("PATCH", `/api/v1/secrets/${id}`, { token: place.token, body });
    expect(refused.json).toMatchObject({
      status: 422,
      code: "schema_mismatch",
      detail: expect.stringContaining("keeps"),
    });
  }
});

test("a request is paused, resumed and revoked, and its submissions stay", async () => {
  await using place = await setUp();
  const request = await place.ask("?max_submissions=3");
  const { secret_id: id } = (await place.submit(request)).json;
  expect((await place.patch(request.id, "paused")).json).toMatchObject({ state: "paused" });
  expect((await place.patch(request.id, "paused")).json).toMatchObject({ state: "paused" });
  expect(await place.submit(request)).toMatchObject({ status: 409, json: { code: "request_paused" } });
  expect(await place.invitation(request)).toMatchObject({ status: 409, json: { code: "request_paused" } });
  expect((await place.patch(request.id, "open")).json).toMatchObject({ state: "open" });
  expect((await place.invitation(request)).json).toMatchObject({ submissions_left: 2 });
  for (const state of ["fulfilled", "revoked", "closed"])
    expect((await place.patch(request.id, state)).json.code).toBe("schema_mismatch");
  const revoked = await place.revoke(request.id);
  expect(revoked).toMatchObject({ status: 200, json: { state: "revoked" } });
  expect((await place.revoke(request.id)).text).toBe(revoked.text);
  expect(await place.patch(request.id, "open")).toMatchObject({ status: 410, json: { code: "request_revoked" } });
  expect(await place.submit(request)).toMatchObject({ status: 410, json: { code: "request_revoked" } });
  expect((await place.claim(id)).status).toBe(200);
});

test("a request expires at the instant of its expiry, paused or not, and its submissions outlive it", async () => {
  await using place = await setUp();
  const request = await place.ask("?expires_in=60&max_submissions=2");
  const paused = await place.ask("?expires_in=60");
  await place.patch(paused.id, "paused");
  const { secret_id: id } = (await place.submit(request)).json;
  place.server.backend.clock.advance(60_000);
  for (const each of [request, paused]) {
    expect(await place.submit(each)).toMatchObject({ status: 410, json: { code: "request_expired" } });
    expect(await place.get(each.id)).toMatchObject({ state: "expired", ended_at: each.expires_at });
  }
  expect((await place.patch(paused.id, "open")).json.code).toBe("request_expired");
  expect((await place.claim(id)).json.envelope).toEqual(ENVELOPE);
  place.server.backend.clock.advance(-DAY);
  expect((await place.submit(request)).json.code).toBe("request_expired");
});

test("a note is erased when its request ends, and the request with its tombstone", async () => {
  await using place = await setUp();
  const { service, storage } = place.server.backend;
  for (const end of ["fulfilled", "revoked", "expired"]) {
    const marker = `note-of-${end}-${crypto.randomUUID()}`;
    const request = await place.ask("?expires_in=60", {
      recipient: RECIPIENT,
      note: { version: 1, ciphertext: marker },
    });
    expect(await storage.holds(marker)).toBe(true);
    if (end === "fulfilled") await place.submit(request);
    if (end === "revoked") await place.revoke(request.id);
    if (end === "expired") place.server.backend.clock.advance(60_000);
    while (await service.store.sweep(100));
    expect(await place.get(request.id)).toMatchObject({ state: end });
    expect({ end, isHeld: await storage.holds(marker) }).toEqual({ end, isHeld: false });
  }
});

test("a request stays while one of its submissions waits", async () => {
  await using place = await setUp({ policy: { tombstoneSeconds: DAY / 1000 } });
  const { store } = place.server.backend.service;
  const request = await place.ask();
  await place.submit(request);
  place.server.backend.clock.advance(3 * DAY);
  while (await store.sweep(100));
  expect(await place.get(request.id)).toMatchObject({ state: "fulfilled", submissions: [{ state: "available" }] });
  place.server.backend.clock.advance(6 * DAY);
  while (await store.sweep(100));
  expect((await place.get(request.id)).code).toBe("not_found");
});

test("a submit token opens its own request and nothing else, and does not show who asks", async () => {
  await using place = await setUp();
  const [request, other] = [await place.ask(), await place.ask()];
  const { secret_id: id } = (await place.submit(other)).json;
  const { submit_token: token } = request;
  const call = (method: string, path: string, body?: unknown) => place.server.call(method, path, { token, body });
  expect(await call("GET", `${REQUESTS}/${other.id}/invitation`)).toMatchObject({ status: 404 });
  expect(await call("POST", `${REQUESTS}/${other.id}/submissions`, { envelope: ENVELOPE })).toMatchObject({
    status: 404,
  });
  for (const [method, path, body] of [
    ["GET", `${REQUESTS}/${request.id}`],
    ["GET", REQUESTS],
    ["DELETE", `${REQUESTS}/${request.id}`],
    ["PATCH", `${REQUESTS}/${request.id}`, { state: "paused" }],
    ["GET", `/api/v1/secrets/${id}`],
    ["POST", `/api/v1/secrets/${id}/claim`],
    ["POST", REQUESTS, { recipient: RECIPIENT }],
  ] as const) {
    expect({ method, path, ...(await call(method, path, body)).json }).toMatchObject({
      method,
      path,
      code: "insufficient_scope",
    });
  }
  const answers = [
    await place.invitation(request),
    await place.submit(request),
    await call("GET", "/api/v1/credential"),
  ];
  for (const { text } of answers) expect(text).not.toMatch(/idn_|tea_|key_0|"name"/);
  expect(answers[2]?.json).toMatchObject({ kind: "submit_token", identity: null, team: null, scopes: [] });
  const wrong = `hst_${"0".repeat(32)}`;
  expect(
    (await place.server.call("GET", `${REQUESTS}/${request.id}/invitation`, { token: `${wrong}000000` })).json.code,
  ).toBe("credential_invalid");
});

test("another team's request does not exist", async () => {
  await using place = await setUp();
  const request = await place.ask();
  const { secret_id: id } = (await place.submit(request)).json;
  const { token } = await place.server.backend.mint({ team: "other" });
  for (const [method, path, body] of [
    ["GET", `${REQUESTS}/${request.id}`],
    ["DELETE", `${REQUESTS}/${request.id}`],
    ["PATCH", `${REQUESTS}/${request.id}`, { state: "paused" }],
    ["POST", `/api/v1/secrets/${id}/claim`],
  ] as const) {
    expect(await place.server.call(method, path, { token, body })).toMatchObject({
      status: 404,
      json: { code: "not_found" },
    });
  }
  expect((await place.server.call("GET", REQUESTS, { token })).json.data).toEqual([]);
});

test("invalid recipients and envelopes, and values beyond a limit, are refused", async () => {
  await using place = await setUp({
    policy: {
      maxCiphertextBytes: 8000,
      maxTtlSeconds: 1000,
      defaultTtlSeconds: 1000,
      maxClaims: 5,
      teamQuotaBytes: 17_000,
    },
  });
  const refusal = async (query: string, body: unknown) => (await place.post(`${REQUESTS}${query}`, body)).json.code;
  const good = { recipient: RECIPIENT };
  expect(await refusal("", { recipient: RECIPIENT.replace(/.$/, (last) => (last === "q" ? "p" : "q")) })).toBe(
    "schema_mismatch",
  );
  expect(await refusal("", { recipient: "age1tag1xyz" })).toBe("schema_mismatch");
  expect(await refusal("", {})).toBe("schema_mismatch");
  expect(await refusal("", { ...good, note: "plain words" })).toBe("plaintext_rejected");
  expect(await refusal("", { ...good, password: "x" })).toBe("plaintext_rejected");
  expect(await refusal("", { ...good, note: { version: 2, ciphertext: "x" } })).toBe("schema_mismatch");
  expect(await refusal("?expires_in=1001", good)).toBe("schema_mismatch");
  expect(await refusal("?max_submissions=6", good)).toBe("schema_mismatch");
  const request = await place.ask("?max_submissions=3&expires_in=900");
  expect((await place.submit(request, "x".repeat(8001))).json.code).toBe("payload_too_large");
  expect((await place.submit(request, "x".repeat(8000))).status).toBe(201);
  expect((await place.submit(request, "x".repeat(8000))).json.code).toBe("team_quota_exceeded");
  expect((await place.get(request.id)).submissions).toHaveLength(1);
});

test("a call that waits for a request is answered on a submission, a pause and its end", async () => {
  await using place = await setUp();
  const { waits } = place.server.backend.service;
  const request = await place.ask("?max_submissions=2&expires_in=600");
  const waiting = async () => {
    const answer = place.get(request.id, "?wait=60");
    await until(() => waits.waiting() > 0);
    return { answer };
  };
  const first = await waiting();
  const { secret_id: id } = (await place.submit(request)).json;
  expect((await first.answer).submissions).toMatchObject([{ secret_id: id, state: "available" }]);
  await place.claim(id);
  const second = await waiting();
  await place.patch(request.id, "paused");
  expect(await second.answer).toMatchObject({ state: "paused" });
  const third = await waiting();
  await place.revoke(request.id);
  expect(await third.answer).toMatchObject({ state: "revoked" });
});

test("requests are listed newest first, page by page, by state", async () => {
  await using place = await setUp();
  const asked = [await place.ask(), await place.ask(), await place.ask("?expires_in=60")];
  const [first, second, third] = asked.map(({ id }) => id);
  await place.submit(asked[0]);
  await place.revoke(second);
  place.server.backend.clock.advance(60_000);
  const list = async (query: string) =>
    (await place.server.call("GET", `${REQUESTS}${query}`, { token: place.token })).json;
  const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
  expect(ids(await list(""))).toEqual([third, second, first]);
  expect((await list("?state=fulfilled")).data).toMatchObject([{ id: first, submission_count: 1 }]);
  expect(ids(await list("?state=expired"))).toEqual([third]);
  expect(ids(await list("?state=open"))).toEqual([]);
  const page = await list("?limit=2");
  expect({ ids: ids(page), next: page.next_cursor }).toEqual({ ids: [third, second], next: second });
  expect(await list(`?limit=2&cursor=${second}`)).toMatchObject({ data: [{ id: first }], next_cursor: null });
});

test("a request revoked between invitation and submission accepts nothing", async () => {
  await using place = await setUp();
  const request = await place.ask();
  expect((await place.invitation(request)).status).toBe(200);
  await place.revoke(request.id);
  expect((await place.submit(request)).json.code).toBe("request_revoked");
  const secrets = (await place.server.call("GET", "/api/v1/secrets", { token: place.token })).json;
  expect(secrets.data).toEqual([]);
});

test("of two requests with one submit token the named one is answered, whichever is newer", async () => {
  await using place = await setUp();
  const hash = `submit_token_hash=${new Bun.CryptoHasher("sha256").update(TOKEN).digest("base64url")}`;
  const requests = [await place.ask(`?${hash}`), await place.ask(`?${hash}`)];
  for (const { id } of requests) {
    const own = { id, submit_token: TOKEN };
    expect(await place.invitation(own)).toMatchObject({ status: 200 });
    expect((await place.submit(own)).status).toBe(201);
    expect(await place.get(id)).toMatchObject({ state: "fulfilled", submission_count: 1 });
  }
});

test("a submission waits as long as any secret, however soon its request ends", async () => {
  await using place = await setUp();
  const request = await place.ask("?expires_in=60");
  const { secret_id: id } = (await place.submit(request)).json;
  place.server.backend.clock.advance(7 * DAY - 1);
  expect((await place.get(request.id)).submissions).toMatchObject([{ secret_id: id, state: "available" }]);
  expect((await place.claim(id)).status).toBe(200);
});
