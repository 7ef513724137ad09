import { expect, test } from "bun:test";
import { startTestServer } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";

const body = (ciphertext = "fake-local-test-only") => ({ envelope: { version: 1, ciphertext } });

/** A server, a key with all scopes, and calls with it. */
async function setUp(policy: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(policy);
  const { token } = await server.backend.mint();
  const create = async (query = "", ciphertext?: string, headers: Record<string, string> = {}) => {
    const answer = await server.call("POST", `/api/v1/secrets${query}`, { token, body: body(ciphertext), headers });
    expect(answer.status).toBe(201);
    return answer.json;
  };
  const claim = (id: string, headers: Record<string, string> = {}, credential = token) =>
    server.call("POST", `/api/v1/secrets/${id}/claim`, { token: credential, headers });
  const see = async (id: string) => (await server.call("GET", `/api/v1/secrets/${id}`, { token })).json;
  return { server, token, create, claim, see };
}

const keyed = (key: string) => ({ "Idempotency-Key": key });

/** The total length of all stored ciphertexts in bytes. */
async function heldBytes({ backend }: TestServer): Promise<number> {
  const { ciphertexts } = await backend.storage.look();
  return [...ciphertexts.values()].reduce((sum, bytes) => sum + bytes, 0);
}

test("a secret can be claimed once, by the first caller", async () => {
  const { server, create, claim, see } = await setUp();
  await using _ = server;
  const { id } = await create();
  const answers = await Promise.all(Array.from({ length: 50 }, () => claim(id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ json }) => json.code === "secret_claimed")).toHaveLength(49);
  expect(await see(id)).toMatchObject({ state: "claimed", claims: 1 });
  expect(await heldBytes(server)).toBe(0);
});

test("a secret with several claims is handed out that often and then ends", async () => {
  const { server, create, claim, see } = await setUp();
  await using _ = server;
  const { id } = await create("?max_claims=3");
  const answers = await Promise.all(Array.from({ length: 10 }, () => claim(id)));
  const given = answers.filter(({ status }) => status === 200);
  expect(given.map(({ json }): string => String(json.secret.claims)).toSorted()).toEqual(["1", "2", "3"]);
  expect(given.map(({ json }): string => json.secret.state).toSorted()).toEqual(["available", "available", "claimed"]);
  expect(await see(id)).toMatchObject({ state: "claimed", claims: 3, max_claims: 3 });
});

test("where claims cannot be repeated, no answer says that they can", async () => {
  const { server, create, claim } = await setUp({ policy: { replayWindowSeconds: 0 } });
  await using _ = server;
  const { id } = await create();
  const claimed = await claim(id, keyed("k"));
  expect(claimed).toMatchObject({ status: 200, json: { replay_until: null } });
  expect((await claim(id, keyed("k"))).json.code).toBe("secret_claimed");
});

test("without an idempotency key a claimed ciphertext is gone at once", async () => {
  const { server, create, claim } = await setUp();
  await using _ = server;
  const { id } = await create("", "gone-at-once-marker");
  expect((await claim(id)).json).toMatchObject({ replay_until: null, envelope: body("gone-at-once-marker").envelope });
  await server.backend.reopen();
  expect(await server.backend.storage.holds("gone-at-once-marker")).toBe(false);
});

test("with an idempotency key a claim can be repeated until its window ends, and then never again", async () => {
  const { server, create, claim } = await setUp();
  await using _ = server;
  const { id } = await create();
  const first = await claim(id, keyed("k1"));
  expect(first.status).toBe(200);
  server.backend.clock.advance(299_000);
  expect((await claim(id, keyed("k1"))).json).toEqual(first.json);
  expect((await claim(id, keyed("k2"))).json).toMatchObject({ code: "secret_claimed" });
  server.backend.clock.advance(1000);
  expect((await claim(id, keyed("k1"))).json).toMatchObject({ status: 410, code: "secret_claimed" });
  await server.backend.service.store.sweep(100);
  expect(await heldBytes(server)).toBe(0);
});

test("an acknowledged claim is erased and cannot be repeated; acknowledging again changes nothing", async () => {
  const { server, token, create, claim } = await setUp();
  await using _ = server;
  const { id } = await create("", "acknowledged-marker");
  await claim(id, keyed("k"));
  const acknowledge = (key: Record<string, string>) =>
    server.call("POST", `/api/v1/secrets/${id}/acknowledgement`, { token, headers: key });
  expect(await heldBytes(server)).toBe(19);
  expect((await acknowledge({})).json).toMatchObject({ status: 400, code: "invalid_header" });
  expect((await acknowledge(keyed("other"))).json).toMatchObject({ status: 404 });
  expect((await acknowledge(keyed("k"))).status).toBe(204);
  expect((await acknowledge(keyed("k"))).status).toBe(204);
  expect(await heldBytes(server)).toBe(0);
  expect((await claim(id, keyed("k"))).json).toMatchObject({ code: "secret_claimed" });
  await server.backend.reopen();
  expect(await server.backend.storage.holds("acknowledged-marker")).toBe(false);
});

test("a repeated claim of a secret with several claims uses up none", async () => {
  const { server, create, claim, see } = await setUp();
  await using _ = server;
  const { id } = await create("?max_claims=2");
  const first = await claim(id, keyed("k"));
  expect((await claim(id, keyed("k"))).json).toEqual(first.json);
  server.backend.clock.advance(600_000);
  expect((await claim(id, keyed("k"))).json).toMatchObject({ code: "secret_claimed" });
  expect(await see(id)).toMatchObject({ state: "available", claims: 1 });
});

test("a secret is expired at the instant of its expiry, without the sweeper", async () => {
  const { server, token, create, claim, see } = await setUp();
  await using _ = server;
  const { id, expires_at: expiresAt } = await create("?expires_in=60");
  server.backend.clock.advance(59_999);
  expect(await see(id)).toMatchObject({ state: "available" });
  server.backend.clock.advance(1);
  const list = async (state: string) =>
    (await server.call("GET", `/api/v1/secrets?state=${state}`, { token })).json.data.length;
  expect([await list("available"), await list("expired")]).toEqual([0, 1]);
  expect((await claim(id)).json).toMatchObject({ status: 410, code: "secret_expired" });
  expect(await see(id)).toMatchObject({ state: "expired", ended_at: expiresAt, claims: 0 });
  // Neither a clock that jumps back nor a restart revives it.
  server.backend.clock.advance(-3_600_000);
  expect((await claim(id)).json).toMatchObject({ code: "secret_expired" });
});

test("a revoked secret is gone, and revoking it again changes nothing", async () => {
  const { server, token, create, claim } = await setUp();
  await using _ = server;
  const { id } = await create("", "revoked-marker");
  const revoke = () => server.call("DELETE", `/api/v1/secrets/${id}`, { token });
  const first = await revoke();
  expect(first.json).toMatchObject({ state: "revoked", ended_at: expect.any(String) });
  server.backend.clock.advance(5000);
  expect((await revoke()).json).toEqual(first.json);
  expect((await claim(id)).json).toMatchObject({ code: "secret_revoked" });
  await server.backend.reopen();
  expect(await server.backend.storage.holds("revoked-marker")).toBe(false);
});

test("a late revocation fails, and its error distinguishes a claim from an expiry", async () => {
  const { server, token, create, claim } = await setUp();
  await using _ = server;
  const revoke = (id: string) => server.call("DELETE", `/api/v1/secrets/${id}`, { token });
  const [claimed, replayable, expired] = [await create(), await create(), await create("?expires_in=60")];
  const twice = await create("?max_claims=2");
  await claim(claimed.id);
  const first = await claim(replayable.id, keyed("k"));
  await claim(twice.id);
  server.backend.clock.advance(60_000);
  expect((await revoke(claimed.id)).json).toMatchObject({ status: 410, code: "secret_claimed" });
  expect((await revoke(expired.id)).json).toMatchObject({ status: 410, code: "secret_expired" });
  expect((await revoke(replayable.id)).json).toMatchObject({ status: 410, code: "secret_claimed" });
  expect((await claim(replayable.id, keyed("k"))).json).toEqual(first.json);
  expect(await revoke(twice.id)).toMatchObject({ status: 200, json: { state: "revoked", claims: 1 } });
  expect((await revoke(twice.id)).status).toBe(200);
});

test("a claim token opens its own secret and nothing else, and does not show who created it", async () => {
  const { server, create, claim } = await setUp();
  await using _ = server;
  const [mine, other] = [await create(), await create()];
  const token = mine.claim_token;
  const seen = await server.call("GET", `/api/v1/secrets/${mine.id}`, { token });
  expect(seen.json).toMatchObject({ state: "available", created_by: null, request_id: null });
  expect((await server.call("GET", `/api/v1/secrets/${other.id}`, { token })).json).toMatchObject({
    code: "not_found",
  });
  expect((await claim(other.id, {}, token)).json).toMatchObject({ code: "not_found" });
  expect((await server.call("GET", "/api/v1/secrets", { token })).json).toMatchObject({ code: "insufficient_scope" });
  expect((await server.call("DELETE", `/api/v1/secrets/${mine.id}`, { token })).json).toMatchObject({ status: 403 });
  expect((await claim(mine.id, {}, token)).json.secret).toMatchObject({ state: "claimed", created_by: null });
  expect((await server.call("GET", "/api/v1/credential", { token })).json).toMatchObject({ kind: "claim_token" });
});

test("a client that sends the hash of its token gets no token back", async () => {
  const { server, create, claim } = await setUp();
  await using _ = server;
  const token = (await create()).claim_token;
  const hash = new Bun.CryptoHasher("sha256").update(token).digest("base64url");
  const mine = await create(`?claim_token_hash=${hash}`);
  expect(mine).not.toHaveProperty("claim_token");
  expect((await claim(mine.id, {}, token)).status).toBe(200);
});

test("another team's secret does not exist", async () => {
  const { server, create } = await setUp();
  await using _ = server;
  const { id } = await create();
  const { token } = await server.backend.mint({ team: "other" });
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/claim"],
    ["DELETE", ""],
  ] as const) {
    expect((await server.call(method, `/api/v1/secrets/${id}${path}`, { token })).json).toMatchObject({ status: 404 });
  }
  expect((await server.call("GET", "/api/v1/secrets", { token })).json).toEqual({ data: [], next_cursor: null });
  expect((await server.call("GET", "/api/v1/events", { token })).json).toEqual({ data: [], next_cursor: null });
});

test("a repeated creation gets the same answer, token included, and stores nothing new", async () => {
  const { server, token, create, claim } = await setUp();
  await using _ = server;
  const first = await create("?expires_in=100", undefined, keyed("k"));
  await claim(first.id);
  expect(await create("?expires_in=100", undefined, keyed("k"))).toEqual(first);
  const conflict = async (query: string, ciphertext?: string) =>
    (await server.call("POST", `/api/v1/secrets${query}`, { token, body: body(ciphertext), headers: keyed("k") })).json;
  expect(await conflict("?expires_in=101")).toMatchObject({ status: 409, code: "idempotency_conflict" });
  expect(await conflict("?expires_in=100", "another")).toMatchObject({ code: "idempotency_conflict" });
  const { token: second } = await server.backend.mint();
  const independent = await server.call("POST", "/api/v1/secrets", {
    token: second,
    body: body(),
    headers: keyed("k"),
  });
  expect(independent.json.id).not.toBe(first.id);
  expect(await server.backend.storage.holds(first.claim_token)).toBe(false);
  server.backend.clock.advance(24 * 3_600_000);
  expect((await create("", undefined, keyed("k"))).id).not.toBe(first.id);
});

test("a repeated creation gets its first answer, whatever the server accepts by now", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const headers = keyed("same");
  const create = (path = "/api/v1/secrets") => server.call("POST", path, { token, headers, body: body() });
  const first = await create();
  Object.assign(server.backend.service.policy, { requireEncrypted: true, maxCiphertextBytes: 1 });
  expect((await create()).text).toBe(first.text);
  expect((await create("/api/v1/secrets?max_claims=2")).json.code).toBe("idempotency_conflict");
});

test("a team with a full quota gets storage back as its secrets end", async () => {
  const { server, token, create, claim } = await setUp({ policy: { teamQuotaBytes: 50_000 } });
  await using _ = server;
  const big = "a".repeat(30_000);
  const { id } = await create("", big);
  const refused = await server.call("POST", "/api/v1/secrets", { token, body: body(big) });
  expect(refused.json).toMatchObject({ status: 403, code: "team_quota_exceeded" });
  await claim(id);
  await create("", big);
});

test("a credential of a team sees its usage and limits; the token of a link does not", async () => {
  const { server, token, create, claim } = await setUp({ policy: { teamQuotaBytes: 123_456 } });
  await using _ = server;
  const told = async (credential: string) => {
    const { json } = await server.call("GET", "/api/v1/credential", { token: credential });
    return { stored: json.team_stored_bytes, quota: json.limits.team_quota_bytes };
  };
  expect(await told(token)).toEqual({ stored: 0, quota: 123_456 });
  const { id, claim_token: claimToken } = await create("", "x".repeat(10_000));
  const { stored } = await told(token);
  expect(stored).toBeGreaterThan(10_000);
  expect(stored).toBe(await server.backend.service.store.listTeams().then(([team]) => team?.storedBytes));
  expect(await told(claimToken)).toEqual({ stored: null, quota: 123_456 });
  await claim(id);
  expect((await told(token)).stored).toBeLessThan(2000);
});

test("with --require-encrypted, a server accepts only age files", async () => {
  const { server, token } = await setUp({ policy: { requireEncrypted: true } });
  await using _ = server;
  const refused = await server.call("POST", "/api/v1/secrets", { token, body: body() });
  expect(refused.json).toMatchObject({ status: 422, code: "ciphertext_unrecognized" });
});

test("secrets are listed newest first, page by page, by state", async () => {
  const { server, token, create, claim } = await setUp();
  await using _ = server;
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await create()).id);
  await claim(ids[2] ?? "");
  const page = async (query: string) => (await server.call("GET", `/api/v1/secrets?${query}`, { token })).json;
  const idsOf = (list: { data: { id: string }[] }) => list.data.map(({ id }) => id);
  const first = await page("limit=2");
  const second = await page(`limit=2&cursor=${first.next_cursor}`);
  const third = await page(`limit=2&cursor=${second.next_cursor}`);
  expect([first, second, third].flatMap(idsOf)).toEqual(ids);
  expect(third.next_cursor).toBeNull();
  expect(idsOf(await page("state=claimed"))).toEqual([ids[2] ?? ""]);
  expect(idsOf(await page("state=available"))).toHaveLength(4);
});

test("the team sets how long and how often a secret can be claimed, while it is available", async () => {
  const { server, create, claim, see } = await setUp({ policy: { maxTtlSeconds: 86_400, maxClaims: 5 } });
  await using _ = server;
  const { token } = await server.backend.mint({ scopes: ["secrets:revoke"] });
  const patch = (id: string, terms: unknown, credential = token) =>
    server.call("PATCH", `/api/v1/secrets/${id}`, { token: credential, body: terms });
  const { id, claim_token: claimToken } = await create("?expires_in=60");
  const before = Date.parse((await see(id)).created_at);
  const longer = await patch(id, { expires_in: 86_400, max_claims: 2 });
  expect(longer).toMatchObject({ status: 200, json: { id, state: "available", max_claims: 2, claims: 0 } });
  expect(Date.parse(longer.json.expires_at) - before).toBeGreaterThanOrEqual(86_400_000);
  expect(await see(id)).toEqual(longer.json);
  // What isn't named stays.
  expect((await patch(id, { max_claims: 3 })).json).toMatchObject({
    expires_at: longer.json.expires_at,
    max_claims: 3,
  });
  expect(await patch(id, { expires_in: 60 })).toMatchObject({ status: 200, json: { max_claims: 3 } });
  expect((await claim(id)).status).toBe(200);
  for (const [terms, pointer] of [
    [{ expires_in: 86_401 }, "/expires_in"],
    [{ expires_in: 59 }, "/expires_in"],
    [{ max_claims: 6 }, "/max_claims"],
    [{ max_claims: 0 }, "/max_claims"],
    [{ max_claims: 1 }, "/max_claims"],
  ] as const) {
    const { status, json } = await patch(id, terms);
    expect({ terms, status, errors: json.errors }).toEqual({
      terms,
      status: 422,
      errors: [{ pointer, code: "range" }],
    });
  }
  expect((await patch(id, { max_claims: 1 })).json.detail).toContain("claimed that often already");
  for (const terms of [{}, { state: "available" }, { expires_in: "60" }, { expires_in: 600, max_submissions: 2 }]) {
    expect((await patch(id, terms)).json).toMatchObject({ status: 422, code: "schema_mismatch" });
  }
  // The holder of the link can't, and neither can a key without the scope, or another team.
  expect((await patch(id, { max_claims: 5 }, claimToken)).json).toMatchObject({ status: 403 });
  const reader = await server.backend.mint({ scopes: ["secrets:create", "secrets:read", "secrets:claim"] });
  expect((await patch(id, { max_claims: 5 }, reader.token)).json).toMatchObject({ code: "insufficient_scope" });
  const other = await server.backend.mint({ team: "other" });
  expect((await patch(id, { max_claims: 5 }, other.token)).json).toMatchObject({ code: "not_found" });
  expect(await see(id)).toMatchObject({ max_claims: 3, claims: 1 });
});

test("the terms of an ended secret can't be changed", async () => {
  const { server, token, create, claim } = await setUp();
  await using _ = server;
  const patch = (id: string) => server.call("PATCH", `/api/v1/secrets/${id}`, { token, body: { max_claims: 9 } });
  const [claimed, revoked, expired] = [await create(), await create(), await create("?expires_in=60")];
  await claim(claimed.id);
  await server.call("DELETE", `/api/v1/secrets/${revoked.id}`, { token });
  server.backend.clock.advance(60_000);
  expect((await patch(claimed.id)).json).toMatchObject({ status: 410, code: "secret_claimed" });
  expect((await patch(revoked.id)).json).toMatchObject({ status: 410, code: "secret_revoked" });
  expect((await patch(expired.id)).json).toMatchObject({ status: 410, code: "secret_expired" });
});
