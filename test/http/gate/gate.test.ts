import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ERRORS } from "../../../src/contract/errors.ts";
import { MARKER, SCENARIOS } from "../../support/gate-scenarios.ts";
import type { Scenario } from "../../support/gate-scenarios.ts";
import { createTestPage } from "../../support/page-sources.ts";
import { startTestServer } from "../../support/server.ts";
import type { Answer, TestServer } from "../../support/server.ts";

const start = () => startTestServer({ policy: { maxCiphertextBytes: 65_536 } });

function send(server: TestServer, scenario: Scenario, goodToken: string): Promise<Answer> {
  const { method = "GET", path = "/", headers = {}, body, token } = scenario;
  const credential = token === undefined && !("authorization" in headers) ? { token: goodToken } : {};
  return server.call(method, path, { headers, body, ...credential });
}

/** The members of every refusal. */
function expectProblem(answer: Answer, status: number, code: string, url: string) {
  const known = ERRORS[code as keyof typeof ERRORS];
  expect(answer.json).toMatchObject({ status, code, title: known.title, type: `${url}/problems/${code}` });
  expect(answer.status).toBe(status);
  expect(answer.json.detail).toBeString();
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.has("www-authenticate")).toBe(status === 401 || code === "insufficient_scope");
  expect(answer.headers.has("allow")).toBe(status === 405);
  expect(answer.headers.has("access-control-allow-origin")).toBe(false);
}

describe("refused", () => {
  // One server for all of them: a refusal changes nothing.
  let server: TestServer;
  let token = "";
  beforeAll(async () => {
    server = await start();
    ({ token } = await server.backend.mint());
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test.each(SCENARIOS.map((scenario) => [scenario.what, scenario] as const))("%s", async (_what, scenario) => {
    server.logs.length = 0;
    const answer = await send(server, scenario, token);
    expectProblem(answer, scenario.status, scenario.code, server.url);
    if (scenario.path?.startsWith("/api/v1")) {
      expect(answer.headers.get("x-request-id")).toBe(answer.json.request_id);
    }
    if (scenario.errors) expect(answer.json.errors).toEqual(scenario.errors);
    await server.lineOf(answer.json.request_id);
    const seen = [answer.text, JSON.stringify([...answer.headers]), ...server.logs].join("\n");
    expect(seen).not.toContain(MARKER);
    expect(seen).not.toContain(token);
    expect(await server.backend.service.store.listTeams()).toMatchObject([{ storedBytes: 0 }]);
  });
});

test("unusual but well-formed calls are accepted", async () => {
  await using server = await start();
  const { token } = await server.backend.mint();
  const bodies = [
    '{"envelope":{"version":1,"ciphertext":"abc"}}',
    ' {\n "envelope" : { "ciphertext":"a\\u0062c" , "version" : 1.0 } }\n',
    JSON.stringify({ envelope: { version: 1, ciphertext: "a".repeat(65_536) } }),
  ];
  for (const body of bodies) {
    const answer = await server.call("POST", "/api/v1/secrets", {
      token,
      body,
      headers: { "content-type": 'Application/JSON; Charset="UTF-8"', authorization: `bearer   ${token} ` },
    });
    expect(answer.status).toBe(201);
  }
});

test("invalid UTF-8 is no JSON", async () => {
  await using server = await start();
  const { token } = await server.backend.mint();
  const bytes = Buffer.from('{"envelope":{"version":1,"ciphertext":"aXb"}}');
  bytes[bytes.indexOf("X")] = 0xff;
  const response = await fetch(`${server.url}/api/v1/secrets`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: bytes,
  });
  expect(await response.json()).toMatchObject({ status: 400, code: "malformed_json" });
});

test("keys that have ended are refused, each with its reason", async () => {
  await using server = await start();
  const { service, clock } = server.backend;
  const get = (token: string) => server.call("GET", "/api/v1/credential", { token });
  const [revoked, disabled] = [await server.backend.mint(), await server.backend.mint()];
  const expiring = await server.backend.mint({ expiresAt: clock.now() + 1000 });
  for (const { token } of [revoked, disabled, expiring]) expect((await get(token)).status).toBe(200);
  await service.store.revokeKey(revoked.key.id);
  await service.store.disableIdentity(disabled.key.identity.id);
  clock.advance(1000);
  expectProblem(await get(revoked.token), 401, "credential_invalid", server.url);
  expectProblem(await get(disabled.token), 401, "credential_invalid", server.url);
  expectProblem(await get(expiring.token), 401, "credential_expired", server.url);
});

test("a key in a query string is marked as exposed, even when the call is refused for another reason", async () => {
  await using server = await start();
  const good = await server.backend.mint();
  for (const path of ["/api/v1/secrets?state=", "/api/v1/nowhere?x=", "/docs?key="]) {
    const { key, token } = await server.backend.mint();
    const answer = await server.call("GET", path + token, { token: good.token });
    expect(answer.text).not.toContain(token);
    const keys = await server.backend.service.store.listKeys(undefined);
    expect(keys.find(({ id }) => id === key.id)?.exposedAt).not.toBeNull();
    expect(keys.find(({ id }) => id === good.key.id)?.exposedAt).toBeNull();
  }
});

test("a missing scope is refused before the body is checked", async () => {
  await using server = await start();
  const { token } = await server.backend.mint({ scopes: ["secrets:read"] });
  const answer = await server.call("POST", "/api/v1/secrets", {
    token,
    body: MARKER,
    headers: { "content-type": "text/plain" },
  });
  expectProblem(answer, 403, "insufficient_scope", server.url);
  expect(answer.headers.get("www-authenticate")).toBe(
    'Bearer realm="handoff", error="insufficient_scope", scope="secrets:create"',
  );
});

/** Sends `head` and `chunks` unchanged, and resolves with the answer to the incomplete body. */
function sendRaw(url: string, head: string, chunks: readonly string[] = []): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    void Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open(socket) {
          socket.write(head.replaceAll("\n", "\r\n"));
          for (const chunk of chunks) socket.write(chunk);
        },
        data(socket, data) {
          resolve(data.toString());
          socket.end();
        },
        error: (_, error) => reject(error),
        close: () => reject(new Error("closed without an answer")),
      },
    }).catch(reject);
  });
}

test("a body is refused by its headers, without being read", async () => {
  await using server = await start();
  const { token } = await server.backend.mint();
  const head =
    "POST /api/v1/secrets HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 999999999\n";
  expect(await sendRaw(server.url, `${head}\n`)).toContain('"code":"credential_missing"');
  expect(await sendRaw(server.url, `${head}Authorization: Bearer ${token}\n\n`)).toContain(
    '"code":"payload_too_large"',
  );
});

test("a body of undeclared length is refused once it is too long", async () => {
  await using server = await start();
  const { token } = await server.backend.mint();
  const head = `POST /api/v1/secrets HTTP/1.1\nHost: localhost\nContent-Type: application/json\nTransfer-Encoding: chunked\nAuthorization: Bearer ${token}\n\n`;
  const chunk = `1000\r\n${"a".repeat(4096)}\r\n`;
  // The last chunk never arrives: a server that waited for it would not answer.
  expect(await sendRaw(server.url, head, Array(20).fill(chunk))).toContain('"code":"payload_too_large"');
});

test("a request whose host hides its path is refused before its body is read", async () => {
  await using server = await start();
  const { token } = await server.backend.mint();
  const authorization = `Authorization: Bearer ${token}`;
  for (const head of [
    ["GET /api/v1/secrets HTTP/1.1", "Host: a/bc", authorization],
    ["GET /api/v1/secrets HTTP/1.0", authorization],
    // Nothing follows: a server that waited for the body would not answer.
    ["POST /api/v1/secrets HTTP/1.1", "Host: a/bc", "Content-Type: application/json", "Content-Length: 900000000"],
    ["POST /api/v1/secrets HTTP/1.0", "Content-Type: application/json", "Content-Length: 900000000"],
  ]) {
    const answer = await sendRaw(server.url, [...head, "", ""].join("\n"));
    expect({ head, status: answer.split(" ")[1] }).toEqual({ head, status: "400" });
    expect(answer).toMatch(/x-request-id/i);
    expect(answer).toContain('"code":"invalid_header"');
  }
});

test("a request with two hosts is refused", async () => {
  await using server = await start();
  expect(await sendRaw(server.url, "GET /api/v1/secrets HTTP/1.1\nHost: localhost\nHost: other\n\n")).toContain(
    '"code":"invalid_header"',
  );
});

test("request ids are created by the server, and are in the log", async () => {
  await using server = await start();
  const { token, key } = await server.backend.mint();
  const answer = await server.call("GET", "/api/v1/secrets", { token, headers: { "x-request-id": MARKER } });
  const id = answer.headers.get("x-request-id") ?? "";
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(await server.lineOf(id))).toEqual({
    level: "info",
    message: "request",
    request_id: id,
    method: "GET",
    route: "/api/v1/secrets",
    status: 200,
    duration_ms: expect.any(Number),
    key_id: key.id,
  });
});

test("a refusal is logged with its code, and with the ID of a key that is no longer valid", async () => {
  await using server = await startTestServer({ policy: { failedAuthenticationsPerMinute: 2 } });
  const { backend } = server;
  const [good, revoked, disabled, expired] = [
    await backend.mint({ scopes: ["secrets:read"] }),
    await backend.mint(),
    await backend.mint(),
    await backend.mint({ expiresAt: backend.clock.now() + 60_000 }),
  ];
  await backend.service.store.revokeKey(revoked.key.id);
  await backend.service.store.disableIdentity(disabled.key.identity.id);
  backend.clock.advance(61_000);
  const refusals: [token: string | undefined, path: string, code: string, keyId: string | null][] = [
    [good.token, "/api/v1/requests", "insufficient_scope", good.key.id],
    [good.token, "/api/v1/secrets?limit=many", "schema_mismatch", good.key.id],
    [revoked.token, "/api/v1/secrets", "credential_invalid", revoked.key.id],
    [disabled.token, "/api/v1/secrets", "credential_invalid", disabled.key.id],
    // Beyond the limit of failures.
    [expired.token, "/api/v1/secrets", "rate_limited", expired.key.id],
    [undefined, "/api/v1/secrets", "rate_limited", null],
  ];
  for (const [token, path, code, keyId] of refusals) {
    const { status, json } = await server.call("GET", path, token === undefined ? {} : { token });
    const line = await server.lineOf(json.request_id);
    expect({ path, line: JSON.parse(line) }).toMatchObject({ path, line: { status, code, key_id: keyId } });
    expect(JSON.stringify(json)).not.toContain(keyId ?? "key_");
  }
  backend.clock.advance(60_000);
  const { json } = await server.call("GET", "/api/v1/secrets", { token: expired.token });
  expect(JSON.parse(await server.lineOf(json.request_id))).toMatchObject({
    code: "credential_expired",
    key_id: expired.key.id,
  });
});

test("a call with a key in its query is logged with the ID of that key, also the second time", async () => {
  await using server = await start();
  const { token, key } = await server.backend.mint();
  for (const given of [{}, { token }]) {
    const { json } = await server.call("GET", `/api/v1/secrets?api_key=${token}`, given);
    const line = await server.lineOf(json.request_id);
    expect(JSON.parse(line)).toMatchObject({ code: "credential_in_query", key_id: key.id });
    expect(line).not.toContain(token);
  }
});

test("a call outside the API is logged with its route, and never with its path", async () => {
  await using server = await startTestServer({ http: { page: async () => createTestPage() } });
  const routes = {
    "/": "/",
    [`/s/${MARKER}`]: "/s/{id}",
    "/health/live": "/health/live",
    "/health/ready": "/health/ready",
    "/openapi.json": "/openapi.json",
    [`/problems/${MARKER}`]: "/problems/{code}",
    [`/${MARKER}`]: null,
    [`/docs//${MARKER}`]: null,
    "/api/v2": null,
  };
  for (const [path, route] of Object.entries(routes)) {
    const answer = await server.call("GET", path);
    const line = await server.lineOf(answer.headers.get("x-request-id") ?? "");
    expect({ path, line: JSON.parse(line) }).toMatchObject({
      path,
      line: { route, status: answer.status, key_id: null },
    });
    expect(JSON.parse(line).code).toBe(answer.json?.code);
    expect(line).not.toContain(MARKER);
  }
});

test("answers have CORS headers only for the origins of a setting", async () => {
  await using server = await startTestServer({ http: { corsOrigins: ["https://app.example"] } });
  const preflight = (origin: string) =>
    server.call("OPTIONS", "/api/v1/secrets", { headers: { origin, "access-control-request-method": "POST" } });
  const allowed = await preflight("https://app.example");
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
  expect(allowed.headers.get("access-control-allow-headers")).toContain("Idempotency-Key");
  const other = await preflight("https://evil.example");
  expect(other.status).toBe(405);
  expect(other.headers.has("access-control-allow-origin")).toBe(false);
});

test("where some origins get CORS headers, every answer varies by origin", async () => {
  await using server = await startTestServer({ http: { corsOrigins: ["https://app.example"] } });
  const origins = [{ origin: "https://app.example" }, { origin: "https://evil.example" }, {}];
  for (const headers of origins) {
    const answer = await server.call("GET", "/api/v1/credential", { headers });
    expect(answer.headers.get("vary")).toBe("Origin");
  }
  await using plain = await start();
  expect(
    (await plain.call("GET", "/api/v1/credential", { headers: { origin: "https://app.example" } })).headers.get("vary"),
  ).toBeNull();
});

test("HSTS is sent over TLS only", async () => {
  const policyOf = async (baseUrl: string) => {
    await using server = await startTestServer({ http: { baseUrl: () => baseUrl } });
    const answers = [await server.call("GET", "/api/v1/credential"), await server.call("GET", "/health/live")];
    return answers.map(({ headers }) => headers.get("strict-transport-security"));
  };
  expect(await policyOf("https://handoff.example")).toEqual(["max-age=63072000", "max-age=63072000"]);
  expect(await policyOf("http://handoff.example")).toEqual([null, null]);
});
