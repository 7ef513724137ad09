import { expect, test } from "bun:test";
import type { RulesChange } from "../../../src/domain/ports/teams.ts";
import { setTeamRules } from "../../../src/domain/teams.ts";
import { startTestServer } from "../../support/server.ts";

const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const ENVELOPE = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const HOUR = 3600;
const DAY = 24 * HOUR;

async function setUp() {
  const server = await startTestServer({ policy: { sendsMails: true } });
  const { service } = server.backend;
  const { token } = await server.backend.mint();
  const call = async (method: string, path: string, body?: unknown, more = {}) =>
    server.call(method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }), ...more });
  return {
    server,
    call,
    rule: async (change: RulesChange) => void (await setTeamRules(service, "team", change)),
    send: async (query = "", headers = {}) => call("POST", `/secrets${query}`, ENVELOPE, { headers }),
    ask: async (query = "") => call("POST", `/requests${query}`, { recipient: RECIPIENT }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** How long what was created lives, in seconds. */
const lifeOf = (made: { created_at: string; expires_at: string }) =>
  (Date.parse(made.expires_at) - Date.parse(made.created_at)) / 1000;

test("a secret or request that breaks a rule is refused with its name, from the next call on", async () => {
  await using place = await setUp();
  const { rule, send, ask } = place;
  const expectRefused = async (name: string, query = "", requestQuery = query) => {
    for (const answer of [await send(query), await ask(requestQuery)]) {
      expect(answer).toMatchObject({ status: 403, json: { code: "team_rule", rule: name } });
    }
  };
  const expectTaken = async (query = "", requestQuery = query) => {
    expect([(await send(query)).status, (await ask(requestQuery)).status]).toEqual([201, 201]);
  };
  await expectTaken(`?expires_in=${DAY + 1}`);
  await rule({ maxTtlSeconds: DAY });
  await expectRefused("max_expires", `?expires_in=${DAY + 1}`);
  await expectTaken(`?expires_in=${DAY}`);
  await rule({ maxTtlSeconds: null, maxClaims: 2 });
  await expectTaken(`?expires_in=${DAY + 1}`);
  await expectRefused("max_claims", "?max_claims=3", "?max_submissions=3");
  await expectTaken("?max_claims=2", "?max_submissions=2");
  await rule({ requireReference: true });
  await expectRefused("require_reference");
  await expectTaken("?reference=OPS-1");
  await rule({ requireReference: null, requireFor: true });
  await expectRefused("require_for", "?reference=OPS-1");
  await expectTaken("?for=ann@example.com");
  await rule({ requireFor: null, forDomains: ["example.com"] });
  await expectRefused("for_domain", "?for=ann@example.com,*@example.org");
  await expectTaken("?for=ANN@EXAMPLE.com,*@example.com");
  await expectTaken();
});

test("rules bind every key of their team, and no other team", async () => {
  await using place = await setUp();
  const { server, rule } = place;
  await rule({ requireReference: true });
  const create = async (token: string) =>
    (await server.call("POST", "/api/v1/secrets", { token, body: ENVELOPE })).status;
  const second = await server.backend.mint();
  const others = await server.backend.mint({ team: "others" });
  expect([await create(second.token), await create(others.token)]).toEqual([403, 201]);
});

test("a default of the server above a rule becomes what the rule allows", async () => {
  await using place = await setUp();
  const [before, asked] = [await place.send(), await place.ask()];
  await place.rule({ maxTtlSeconds: HOUR, maxClaims: 1 });
  const [after, request] = [await place.send(), await place.ask()];
  expect([before, asked, after, request].map(({ json }) => lifeOf(json))).toEqual([7 * DAY, 7 * DAY, HOUR, HOUR]);
});

test("what the server's own limits forbid is no matter of rules, and a repeated creation isn't either", async () => {
  await using place = await setUp();
  await place.rule({ maxTtlSeconds: HOUR });
  const { json } = await place.send(`?expires_in=${90 * DAY + 1}`);
  expect(json.code).toBe("schema_mismatch");
  await place.rule({ maxTtlSeconds: null });
  const again = { "idempotency-key": "key" };
  const first = await place.send(`?expires_in=${DAY}`, again);
  await place.rule({ maxTtlSeconds: HOUR });
  expect((await place.send(`?expires_in=${DAY}`, again)).json).toEqual(first.json);
  expect((await place.send(`?expires_in=${DAY}`)).json.rule).toBe("max_expires");
});

test("new terms of a secret have to keep to the rules, those that stay don't", async () => {
  await using place = await setUp();
  const { json: secret } = await place.send(`?expires_in=${2 * DAY}&max_claims=9`);
  await place.rule({ maxTtlSeconds: DAY, maxClaims: 3, requireReference: true });
  const patch = async (body: object) => (await place.call("PATCH", `/secrets/${secret.id}`, body)).json;
  expect(await patch({ expires_in: DAY + 1 })).toMatchObject({ code: "team_rule", rule: "max_expires" });
  expect(await patch({ max_claims: 4 })).toMatchObject({ code: "team_rule", rule: "max_claims" });
  expect(await patch({ expires_in: DAY })).toMatchObject({ state: "available", max_claims: 9 });
  expect(await patch({ max_claims: 3 })).toMatchObject({ state: "available", max_claims: 3 });
});

test("what is handed in has the terms of the server, whatever the team's rules are", async () => {
  await using place = await setUp();
  const { json: request } = await place.ask();
  await place.rule({ maxTtlSeconds: HOUR, requireReference: true, requireFor: true });
  const submitter = { token: request.submit_token };
  const { json, status } = await place.call("POST", `/requests/${request.id}/submissions`, ENVELOPE, submitter);
  expect(status).toBe(201);
  expect(lifeOf((await place.call("GET", `/secrets/${json.secret_id}`)).json)).toBe(7 * DAY);
});

test("a credential names the rules of its team, and its limits are within them", async () => {
  await using place = await setUp();
  const seen = async (more = {}) => (await place.call("GET", "/credential", undefined, more)).json;
  const before = await seen();
  expect(before.rules).toBeNull();
  await place.rule({ maxTtlSeconds: HOUR, maxClaims: 2, maxSecretBytes: 1000, forDomains: ["example.com"] });
  const after = await seen();
  expect(after.rules).toEqual({
    max_expires: HOUR,
    max_claims: 2,
    max_secret: 1000,
    require_reference: false,
    require_for: false,
    for_domain: ["example.com"],
    approval: null,
  });
  // PostgreSQL without an object store has no large secrets.
  const largest = before.limits.max_secret_bytes === null ? null : 1000;
  const narrowed = { max_expires_in: HOUR, default_expires_in: HOUR, max_claims: 2, max_secret_bytes: largest };
  expect(after.limits).toEqual({ ...before.limits, ...narrowed });
  const { json: secret } = await place.send();
  const { rules, limits } = await seen({ token: secret.claim_token });
  expect([rules, limits.max_claims]).toEqual([null, before.limits.max_claims]);
});
