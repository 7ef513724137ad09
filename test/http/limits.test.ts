import { afterEach, expect, setSystemTime, test } from "bun:test";
import { addressGroup, clientAddress, parseTrustedProxies } from "../../src/http/addresses.ts";
import { startTestServer } from "../support/server.ts";

// The limiter reads the time of the machine.
afterEach(() => setSystemTime());

test("a credential that calls too often is told to wait, and others are not", async () => {
  await using server = await startTestServer({ policy: { callsPerSecond: 2, callBurst: 4 } });
  const start = Date.now();
  setSystemTime(start);
  const [first, second] = [await server.backend.mint(), await server.backend.mint()];
  const call = (token: string) => server.call("GET", "/api/v1/credential", { token });
  const answers = [];
  for (let i = 0; i < 5; i++) answers.push(await call(first.token));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"calls";q=2;w=1');
  expect(answers[0]?.headers.get("ratelimit")).toBe('"calls";r=1;t=1');
  expect(answers[4]?.headers.get("ratelimit")).toBe('"calls";r=0;t=1');
  expect(answers[4]?.json.code).toBe("rate_limited");
  expect(Number(answers[4]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await call(second.token)).status).toBe(200);
  setSystemTime(start + 1100);
  expect((await call(first.token)).status).toBe(200);
});

test("an address that fails too often is told to wait, but a valid credential never", async () => {
  await using server = await startTestServer({ policy: { failedAuthenticationsPerMinute: 3 } });
  const start = Date.now();
  setSystemTime(start);
  const { token } = await server.backend.mint();
  const fail = async () => (await server.call("GET", "/api/v1/credential", { token: "wrong" })).json.code;
  expect([await fail(), await fail(), await fail()]).toEqual(Array(3).fill("credential_invalid"));
  const limited = await server.call("GET", "/api/v1/credential", { token: "wrong" });
  expect(limited.json).toMatchObject({ status: 429, code: "rate_limited" });
  expect(limited.headers.get("retry-after")).toBe("60");
  expect((await server.call("GET", "/api/v1/credential", { token })).status).toBe(200);
  setSystemTime(start + 61_000);
  expect(await fail()).toBe("credential_invalid");
});

test("X-Forwarded-For moves failures to another address only when a trusted proxy says so", async () => {
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

test("the address of a client is the last one that nobody trusted vouches for", () => {
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
  for (const wrong of ["proxy", "10.0.0.0/33", "10.0.0.0/", "::/129", "10.0.0/8"]) {
    expect(() => parseTrustedProxies([wrong])).toThrow(`'${wrong}' is no IP address`);
  }
});

test("an IPv6 network of one customer counts as one address", () => {
  expect(addressGroup("192.0.2.1")).toBe("192.0.2.1");
  expect(addressGroup("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(addressGroup("2001:db8:1:2::ffff")).toBe("2001:db8:1:2::/64");
  expect(addressGroup("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(addressGroup("::1")).toBe("0:0:0:0::/64");
  expect(addressGroup("unix")).toBe("unix");
});

test("the log has the address of a client only when a setting asks for it", async () => {
  for (const logAddresses of [false, true]) {
    await using server = await startTestServer({ http: { logAddresses } });
    const { headers } = await server.call("GET", "/api/v1/credential");
    const line = JSON.parse(await server.lineOf(headers.get("x-request-id") ?? ""));
    expect(line.address).toBe(logAddresses ? "127.0.0.1" : undefined);
  }
});
