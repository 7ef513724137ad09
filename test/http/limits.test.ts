import { expect, test } from "bun:test";
import { addressGroup, clientAddress, parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import { createTokenBuckets } from "../../src/http/gate/token-buckets.ts";
import { startTestServer } from "../support/server.ts";

test("a credential with too many calls has to wait, and others do not", async () => {
  await using server = await startTestServer({ policy: { callsPerSecond: 2, callBurst: 4 } });
  const [first, second] = [await server.backend.mint(), await server.backend.mint()];
  const call = (token: string) => server.call("GET", "/api/v1/credential", { token });
  const answers = [];
  for (let i = 0; i < 5; i++) answers.push(await call(first.token));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  // The header counts the burst, too.
  expect(answers.map(({ headers }) => headers.get("ratelimit"))).toEqual([
    '"calls";r=3;t=1',
    '"calls";r=2;t=1',
    '"calls";r=1;t=2',
    '"calls";r=0;t=2',
    '"calls";r=0;t=2',
  ]);
  expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"calls";q=4;w=2');
  expect(answers[4]?.json.code).toBe("rate_limited");
  expect(answers[4]?.headers.get("retry-after")).toBe("1");
  expect((await call(second.token)).status).toBe(200);
  server.backend.clock.advance(500);
  expect([(await call(first.token)).status, (await call(first.token)).status]).toEqual([200, 429]);
  server.backend.clock.advance(60_000);
  expect((await call(first.token)).headers.get("ratelimit")).toBe('"calls";r=3;t=1');
});

test("the limits of a credential have the lifetimes that the admin offers, and null without any", async () => {
  for (const expiresChoices of [null, [3600, 604_800]]) {
    await using server = await startTestServer({ policy: { expiresChoices } });
    const { token } = await server.backend.mint();
    const { json } = await server.call("GET", "/api/v1/credential", { token });
    expect(json.limits.expires_choices).toEqual(expiresChoices);
  }
});

test("every answer to a valid credential says how many calls are left", async () => {
  await using server = await startTestServer({ policy: { callsPerSecond: 10, callBurst: 20 } });
  const { token } = await server.backend.mint({ scopes: ["secrets:create", "secrets:read"] });
  const body = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
  const calls = [
    ["POST", "/api/v1/secrets", body, 201],
    ["POST", "/api/v1/secrets", { envelope: 1 }, 422],
    ["POST", "/api/v1/secrets", "{", 400],
    ["POST", "/api/v1/requests", body, 403],
    ["GET", "/api/v1/secrets/sec_069q6gv7k1rqf8a0c2m4e6g8io", undefined, 404],
    ["GET", "/api/v1/secrets?limit=1", undefined, 200],
    ["HEAD", "/api/v1/credential", undefined, 200],
  ] as const;
  for (const [index, [method, path, sent, status]] of calls.entries()) {
    const answer = await server.call(method, path, { token, ...(sent === undefined ? {} : { body: sent }) });
    expect([path, answer.status, answer.headers.get("ratelimit")]).toEqual([
      path,
      status,
      expect.stringMatching(new RegExp(`^"calls";r=${19 - index};t=[12]$`)),
    ]);
    expect(answer.headers.get("ratelimit-policy")).toBe('"calls";q=20;w=2');
  }
});

test("an address with too many failures has to wait, but a valid credential never does", async () => {
  await using server = await startTestServer({ policy: { failedAuthenticationsPerMinute: 3 } });
  const { token } = await server.backend.mint();
  const fail = async () => (await server.call("GET", "/api/v1/credential", { token: "wrong" })).json.code;
  expect([await fail(), await fail(), await fail()]).toEqual(Array(3).fill("credential_invalid"));
  const limited = await server.call("GET", "/api/v1/credential", { token: "wrong" });
  expect(limited.json).toMatchObject({ status: 429, code: "rate_limited" });
  expect(limited.headers.get("retry-after")).toBe("20");
  expect(limited.headers.get("ratelimit")).toBe('"failures";r=0;t=60');
  expect((await server.call("GET", "/api/v1/credential", { token })).status).toBe(200);
  server.backend.clock.advance(20_000);
  expect([await fail(), await fail()]).toEqual(["credential_invalid", "rate_limited"]);
  server.backend.clock.advance(60_000);
  expect([await fail(), await fail(), await fail()]).toEqual(Array(3).fill("credential_invalid"));
});

test("pre-authentication failures count against the client address", async () => {
  for (const [method, path, code] of [
    ["GET", "/api/v1/nowhere", "not_found"],
    ["PUT", "/api/v1/credential", "method_not_allowed"],
    ["GET", "/api/v1/secrets?key=x", "credential_in_query"],
    ["GET", "/app/nowhere", "not_found"],
    ["PUT", "/app/session", "method_not_allowed"],
  ] as const) {
    await using server = await startTestServer({ policy: { failedAuthenticationsPerMinute: 2 } });
    const { token } = await server.backend.mint();
    const headers = { "sec-fetch-site": "same-origin" };
    const ask = async () => (await server.call(method, path, { headers })).json.code;
    expect([path, await ask(), await ask(), await ask()]).toEqual([path, code, code, "rate_limited"]);
    expect((await server.call("GET", "/api/v1/credential", { token })).status).toBe(200);
    // Unknown pages are no guesses.
    expect((await server.call("GET", "/nowhere")).status).toBe(404);
  }
});

test("many addresses cannot exhaust the memory of the limits", () => {
  let time = 0;
  const buckets = createTokenBuckets({ capacity: 2, perSecond: 1 / 30, maxHolders: 1000, now: () => time });
  for (let i = 0; i < 200_000; i++) {
    buckets.spend(`2001:db8:${i}::/64`);
    time += 0.05;
  }
  expect(buckets.holders()).toBe(1000);
  // A recent failure is remembered, and an old one is not.
  expect(buckets.spend("2001:db8:199999::/64")).toMatchObject({ isAllowed: true, left: 0 });
  expect(buckets.spend("2001:db8:199999::/64")).toMatchObject({ isAllowed: false });
  time += 61_000;
  buckets.spend("192.0.2.1");
  expect(buckets.holders()).toBe(1);
});

test("X-Forwarded-For moves failures to another address only when a trusted proxy sends it", async () => {
  for (const [proxies, codes] of [
    [[], ["credential_invalid", "rate_limited"]],
    [["127.0.0.1"], ["credential_invalid", "credential_invalid"]],
  ] as const) {
    await using server = await startTestServer({
      policy: { failedAuthenticationsPerMinute: 1 },
      http: { trustedProxies: parseTrustedProxies(proxies) },
    });
    const fail = async (address: string) =>
      (await server.call("GET", "/api/v1/credential", { token: "wrong", headers: { "x-forwarded-for": address } })).json
        .code;
    expect([await fail("192.0.2.1"), await fail("192.0.2.2")]).toEqual([...codes]);
  }
});

test("the client's address is the last one that no trusted proxy has", () => {
  const trusted = parseTrustedProxies(["10.0.0.0/8", "2001:db8::/32"]);
  expect(clientAddress("192.0.2.9", "192.0.2.1", trusted)).toBe("192.0.2.9");
  expect(clientAddress("10.0.0.1", "192.0.2.1", trusted)).toBe("192.0.2.1");
  expect(clientAddress("10.0.0.1", "192.0.2.1, 192.0.2.2", trusted)).toBe("192.0.2.2");
  expect(clientAddress("10.0.0.1", "192.0.2.1, 10.1.1.1", trusted)).toBe("192.0.2.1");
  expect(clientAddress("2001:db8::1", "192.0.2.1", trusted)).toBe("192.0.2.1");
  expect(clientAddress("10.0.0.1", null, trusted)).toBe("10.0.0.1");
  expect(clientAddress("10.0.0.1", "nonsense", trusted)).toBe("10.0.0.1");
  expect(clientAddress(null, "192.0.2.1", trusted)).toBe("unix");
  expect(clientAddress(null, "192.0.2.1", parseTrustedProxies(["unix"]))).toBe("192.0.2.1");
  expect(clientAddress("::ffff:10.0.0.1", "::ffff:192.0.2.1", trusted)).toBe("192.0.2.1");
  expect(clientAddress("10.0.0.1", "fe80::1%a", trusted)).toBe("fe80::1");
  expect(clientAddress("fe80::1%eth0", "192.0.2.1", parseTrustedProxies(["fe80::1%eth0"]))).toBe("192.0.2.1");
  expect(clientAddress("10.0.0.1", "192.0.2.1", parseTrustedProxies(["::ffff:10.0.0.1"]))).toBe("192.0.2.1");
  for (const wrong of ["proxy", "10.0.0.0/33", "10.0.0.0/", "::/129", "10.0.0/8"]) {
    expect(() => parseTrustedProxies([wrong])).toThrow(`'${wrong}' is no IP address`);
  }
});

test("the addresses of one IPv6 customer count as one", () => {
  expect(addressGroup("192.0.2.1")).toBe("192.0.2.1");
  expect(addressGroup("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(addressGroup("2001:db8:1:2::ffff")).toBe("2001:db8:1:2::/64");
  expect(addressGroup("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(addressGroup("::1")).toBe("0:0:0:0::/64");
  expect(addressGroup("unix")).toBe("unix");
  expect(addressGroup("fe80::1%a")).toBe("fe80:0:0:0::/64");
});

test("an IPv4 address counts as one, however it is written", () => {
  for (const [address, group] of [
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:192.0.2.2", "192.0.2.2"],
    ["::ffff:c000:203", "192.0.2.3"],
    ["0:0:0:0:0:ffff:192.0.2.4", "192.0.2.4"],
    ["::ffff:0.0.0.0", "0.0.0.0"],
    ["::ffff:192.0.2.5%a", "192.0.2.5"],
    ["::ffff:0:192.0.2.1", "0:0:0:0::/64"],
  ] as const) {
    expect([address, addressGroup(address)]).toEqual([address, group]);
  }
});

test("an address with a zone behind a trusted proxy fails like any other", async () => {
  await using server = await startTestServer({
    policy: { failedAuthenticationsPerMinute: 1 },
    http: { trustedProxies: parseTrustedProxies(["127.0.0.1"]) },
  });
  const fail = async (address: string) =>
    (await server.call("GET", "/api/v1/credential", { token: "wrong", headers: { "x-forwarded-for": address } })).json
      .code;
  expect([await fail("fe80::1%a"), await fail("fe80::2%b"), await fail("::ffff:192.0.2.1")]).toEqual([
    "credential_invalid",
    "rate_limited",
    "credential_invalid",
  ]);
});

test("the log has client addresses only when a setting asks for them", async () => {
  for (const logAddresses of [false, true]) {
    await using server = await startTestServer({ http: { logAddresses } });
    const { headers } = await server.call("GET", "/api/v1/credential");
    const line = JSON.parse(await server.lineOf(headers.get("x-request-id") ?? ""));
    expect(line.address).toBe(logAddresses ? "127.0.0.1" : undefined);
  }
});

test("of the tokens in a query the first few are looked up once each, and an exposed key recorded once", async () => {
  await using server = await startTestServer();
  const { store } = server.backend.service;
  const minted = [];
  for (let i = 0; i < 5; i++) minted.push(await server.backend.mint());
  const looked: string[] = [];
  const { markKeyExposed } = store;
  store.markKeyExposed = async (hash) => {
    looked.push(Buffer.from(hash).toString("hex"));
    await markKeyExposed.call(store, hash);
  };
  const [first] = minted;
  const path = `/api/v1/secrets?${minted.map(({ token }) => `a=${token}&${token}=${token}`).join("&")}`;
  expect((await server.call("GET", path)).json.code).toBe("credential_in_query");
  expect(new Set(looked).size).toBe(4);
  expect(looked).toHaveLength(4);
  const exposedAt = async () => (await store.listKeys(undefined)).find(({ id }) => id === first?.key.id)?.exposedAt;
  const at = await exposedAt();
  expect(at).toBeNumber();
  // The database is locked: recording the key again would block.
  const lock = await server.backend.storage.lockWrites();
  expect((await server.call("GET", `/api/v1/secrets?a=${first?.token}`)).json.code).toBe("credential_in_query");
  expect((await server.call("GET", "/health/ready")).status).toBe(200);
  await lock[Symbol.asyncDispose]();
  expect(await exposedAt()).toBe(at);
});
