import { expect, test } from "bun:test";
import { disableIdentity } from "../../src/domain/identities.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import { createToken } from "../../src/domain/values/tokens.ts";
import { parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import { openStream } from "../support/event-streams.ts";
import { startTestServer } from "../support/server.ts";
import type { Answer, TestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";

const MINUTE = 60_000;
const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };

/** A server behind a proxy of this machine. */
const start = (http: Parameters<typeof startTestServer>[0] = {}) =>
  startTestServer({ ...http, http: { trustedProxies: parseTrustedProxies(["127.0.0.1"]), ...http.http } });

const from = (address: string) => ({ "x-forwarded-for": address });

/** What a caller sees of an answer, but for what differs in every answer. */
function seenOf({ status, headers, json }: Answer) {
  const { "x-request-id": _id, date: _date, ...rest } = Object.fromEntries(headers);
  return { status, headers: rest, json: { ...json, request_id: "" } };
}

/** The events of the team that are about keys; a write behind them is in the log then. */
async function refusalsIn(server: TestServer, token: string) {
  await server.call("POST", "/api/v1/secrets", { token, body: BODY });
  const { json } = await server.call("GET", "/api/v1/events?limit=100", { token });
  return json.data.filter(({ type }: { readonly type: string }) => type === "key.refused");
}

test("a key works from its networks alone, and elsewhere it is refused like one that nobody knows", async () => {
  await using server = await start();
  const { key, token } = await server.backend.mint({ networks: ["10.0.0.0/8", "2001:db8::/32"] });
  const call = (address: string, as = token) =>
    server.call("GET", "/api/v1/credential", { token: as, headers: from(address) });
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::1"]) {
    expect([address, (await call(address)).status]).toEqual([address, 200]);
  }
  const unknown = createToken("apiKey", systemRandom);
  // Each address is new to the server, as its failures are counted.
  for (const [address, another] of [
    ["192.0.2.1", "192.0.2.2"],
    ["::ffff:192.0.2.3", "::ffff:192.0.2.4"],
    ["2001:db9::1", "2001:dba::1"],
  ] as const) {
    const refused = await call(address);
    expect(refused.json).toMatchObject({ status: 401, code: "credential_invalid" });
    expect(seenOf(refused)).toEqual(seenOf(await call(another, unknown)));
    const line = JSON.parse(await server.lineOf(refused.json.request_id));
    expect(line).toMatchObject({ key_id: key.id, reason: "The key was used outside its networks." });
    expect(JSON.stringify(line)).not.toContain(address);
  }
});

test("a refused key is no more known by its limits, its expiry or its revocation", async () => {
  await using server = await start({ policy: { failedAuthenticationsPerMinute: 2 } });
  const { token } = await server.backend.mint({ networks: ["10.0.0.0/8"] });
  const expired = await server.backend.mint({ networks: ["10.0.0.0/8"], expiresAt: server.backend.clock.now() });
  const codeFrom = async (address: string, as = token) =>
    (await server.call("GET", "/api/v1/credential", { token: as, headers: from(address) })).json.code;
  expect([await codeFrom("192.0.2.1"), await codeFrom("192.0.2.1"), await codeFrom("192.0.2.1")]).toEqual([
    "credential_invalid",
    "credential_invalid",
    "rate_limited",
  ]);
  expect(await codeFrom("192.0.2.2", expired.token)).toBe("credential_invalid");
  expect(await codeFrom("10.0.0.1", expired.token)).toBe("credential_expired");
});

test("a refusal is no use of the key, and one event an hour for its team, with its identity", async () => {
  await using server = await start();
  const { backend } = server;
  const { key, token } = await backend.mint({ networks: ["10.0.0.0/8"] });
  const { token: reader } = await backend.mint();
  const { token: stranger } = await backend.mint({ team: "others" });
  const refuse = async () => {
    for (let n = 0; n < 20; n++) {
      expect((await server.call("GET", "/api/v1/secrets", { token, headers: from("192.0.2.1") })).status).toBe(401);
    }
  };
  await refuse();
  const [event, ...others] = await refusalsIn(server, reader);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    secret_id: null,
    request_id: null,
    reference: null,
    identity: key.identity.id,
    actor: { kind: "api_key", id: key.identity.id, address: null },
  });
  expect((await backend.service.store.findKey(key.id))?.lastUsedAt).toBeNull();
  expect(await refusalsIn(server, stranger)).toEqual([]);
  backend.clock.advance(60 * MINUTE);
  await refuse();
  expect(await refusalsIn(server, reader)).toHaveLength(2);
  // A key that works nowhere is nothing to look into.
  backend.clock.advance(60 * MINUTE);
  await disableIdentity(backend.service, { nameOrId: key.identity.id, team: undefined });
  await refuse();
  expect(await refusalsIn(server, reader)).toHaveLength(2);
});

test("without a trusted proxy the address is that of the connection, whatever the caller says", async () => {
  await using server = await startTestServer({ http: { logAddresses: true } });
  const here = await server.backend.mint({ networks: ["127.0.0.0/8"] });
  const elsewhere = await server.backend.mint({ networks: ["10.0.0.0/8"] });
  const call = (token: string) => server.call("GET", "/api/v1/credential", { token, headers: from("10.0.0.1") });
  expect((await call(here.token)).status).toBe(200);
  const refused = await call(elsewhere.token);
  expect(refused.status).toBe(401);
  // The setting for addresses counts here too.
  expect(JSON.parse(await server.lineOf(refused.json.request_id)).address).toBe("127.0.0.1");
});

test("over a Unix socket a key with networks works only behind a trusted proxy", async () => {
  using folder = temporaryFolder();
  for (const [name, proxies, statuses] of [
    ["direct", [], [401, 401]],
    ["proxied", ["unix"], [200, 401]],
  ] as const) {
    const path = `${folder.path}/${name}`;
    await using server = await startTestServer({
      http: { baseUrl: () => "http://localhost", trustedProxies: parseTrustedProxies(proxies) },
      listen: { target: { kind: "unix", path } },
    });
    const { token } = await server.backend.mint({ networks: ["10.0.0.0/8"] });
    const call = async (headers: Readonly<Record<string, string>>) =>
      (
        await fetch("http://localhost/api/v1/credential", {
          unix: path,
          headers: { authorization: `Bearer ${token}`, ...headers },
        })
      ).status;
    expect([name, await call(from("10.0.0.1")), await call({})]).toEqual([name, ...statuses]);
  }
});

test("a waiting call and a stream go on with the address that they began with", async () => {
  await using server = await start();
  const { backend } = server;
  const { token } = await backend.mint({ networks: ["10.0.0.0/8"] });
  const { token: sender } = await backend.mint();
  const { json } = await server.call("POST", "/api/v1/secrets", { token: sender, body: BODY });
  const waiting = server.call("GET", `/api/v1/secrets/${json.id}?wait=60`, { token, headers: from("10.0.0.1") });
  const headers = { authorization: `Bearer ${token}`, ...from("10.0.0.1") };
  const stream = await openStream(`${server.url}/api/v1/events?after=now`, headers);
  while (backend.service.waits.waiting() < 2) await new Promise(setImmediate);
  await server.call("DELETE", `/api/v1/secrets/${json.id}`, { token: sender });
  expect((await waiting).json).toMatchObject({ state: "revoked" });
  expect(await stream.event()).toMatchObject({ type: "secret.revoked" });
  const elsewhere = { authorization: `Bearer ${token}`, ...from("192.0.2.1") };
  const refused = await openStream(`${server.url}/api/v1/events?after=now`, elsewhere);
  expect(refused.response.status).toBe(401);
  refused.leave();
  stream.leave();
});
