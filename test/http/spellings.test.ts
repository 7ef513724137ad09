import { beforeAll, expect, test } from "bun:test";
import { createApp } from "../../src/http/app.ts";
import { parseTrustedProxies } from "../../src/http/gate/addresses.ts";
import { pageAssets } from "../../src/http/pages/page-assets.ts";
import { startServer } from "../../src/http/server.ts";
import { createTestPage } from "../support/page-sources.ts";
import { connectRaw } from "../support/raw-connections.ts";
import { startTestServer } from "../support/server.ts";
import type { TestServer } from "../support/server.ts";
import { openTestService } from "../support/service.ts";
import { temporaryFolder } from "../support/temporary.ts";

// Loaded first, because its macro runs for seconds.
beforeAll(() => import("../../src/http/pages/docs-sources.ts"));

const page = async () => createTestPage();
const ASSET = `/${pageAssets(await page()).assets[0]?.path}`;

/** Sends a request of these lines. Resolves with the head and body of the answer. */
async function send(server: TestServer, ...lines: readonly string[]): Promise<string> {
  const connection = await connectRaw(server.url);
  connection.send([...lines, "Connection: close", "", ""].join("\r\n"));
  return connection.closed;
}

const get = (server: TestServer, path: string, ...headers: readonly string[]) =>
  send(server, `GET ${path} HTTP/1.1`, "Host: localhost", ...headers);

test("a path has one spelling: encoded, doubled and dotted ones are not found", async () => {
  await using server = await startTestServer({ http: { page } });
  const { token } = await server.backend.mint();
  const authorization = `Authorization: Bearer ${token}`;
  const body = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
  const { id } = (await server.call("POST", "/api/v1/secrets", { token, body })).json;
  for (const path of ["/api/v1/credential", `/api/v1/secrets/${id}`]) {
    expect(await get(server, path, authorization)).toStartWith("HTTP/1.1 200 ");
  }
  for (const path of [
    "/docs/../api/v1/credential",
    "/docs/%2e%2e/api/v1/credential",
    "/docs/.%2E/api/v1/credential",
    "/./api/v1/credential",
    "/api/./v1/credential",
    "/api/%2e/v1/credential",
    "/api/v1/credential/.",
    "/api/v1/credential/x/..",
    "//../api/v1/credential",
    "//api/v1/credential",
    "/api//v1/credential",
    "/api\\v1\\credential",
    "/api/v1\\credential",
    "/x\\..\\api/v1/credential",
    "/1/2/3/4/../../../../api/v1/credential",
    "/1/2/3/4/5/6/../../../../../../api/v1/credential",
    "/../openapi.json",
    "/docs\\swagger-ui.css",
    "/x/../docs",
    "/x/..",
    // As sent, these match a route with a parameter.
    "/docs/..",
    "/problems/../docs",
    "/assets/../docs",
    "/s/..\\docs",
    "/s/..\\s\\sec_1",
    "/api/v1/secrets/..\\credential",
    `/api/v1/secrets/%73${id.slice(1)}`,
    `/api/v1/secrets/..\\secrets\\${id}`,
  ]) {
    const answer = await get(server, path, authorization);
    expect({ path, status: answer.split(" ")[1], code: /"code":"(\w+)"/.exec(answer)?.[1] }).toEqual({
      path,
      status: "404",
      code: "not_found",
    });
  }
  for (const path of ["/", "/?a/../b", "/s/sec_1/", "/s/sec_1", "/docs", "/docs/init.js", "/health/live", ASSET]) {
    expect({ path, status: (await get(server, path)).split(" ")[1] }).toEqual({ path, status: "200" });
  }
});

test("a host of any length is answered, by name and by port", async () => {
  await using server = await startTestServer({ http: { page } });
  const { token } = await server.backend.mint();
  for (const host of ["h", "vm", "vm1", "h:1", "::1", "[::1]", "localhost", "handoff.example:8443"]) {
    for (const path of ["/", "/openapi.json", "/api/v1/secrets?limit=1", "/s/sec_1"]) {
      const answer = await send(server, `GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`);
      expect({ host, path, status: answer.split(" ")[1] }).toEqual({ host, path, status: "200" });
    }
    const nowhere = await send(server, "GET /nowhere HTTP/1.1", `Host: ${host}`);
    expect(nowhere).toStartWith("HTTP/1.1 404 ");
  }
});

test("HEAD is answered wherever GET is, with the same head and no body", async () => {
  await using server = await startTestServer({ http: { page } });
  const { token } = await server.backend.mint();
  const { json } = await server.call("POST", "/api/v1/secrets", {
    token,
    body: { envelope: { version: 1, ciphertext: "fake-local-test-only" } },
  });
  for (const path of [
    "/",
    "/ask",
    "/sign-in",
    "/login",
    "/s/x",
    "/r/x",
    "/c/x",
    ASSET,
    "/docs",
    "/docs/init.js",
    "/openapi.json",
    "/problems/not_found",
    "/health/live",
    "/health/ready",
    "/api/v1/secrets",
    `/api/v1/secrets/${json.id}`,
    "/api/v1/requests",
    "/api/v1/events",
    "/api/v1/credential",
  ]) {
    const [head, whole] = [await server.call("HEAD", path, { token }), await server.call("GET", path, { token })];
    expect({ path, status: head.status, text: head.text }).toEqual({ path, status: 200, text: "" });
    expect(head.headers.get("content-type")).toBe(whole.headers.get("content-type"));
    expect(whole.status).toBe(200);
  }
  expect((await server.call("HEAD", "/api/v1/credential")).status).toBe(401);
  expect((await server.call("HEAD", `/api/v1/secrets/${json.id}/claim`, { token })).status).toBe(405);
});

test("an unsupported method gets a problem that names the supported ones", async () => {
  await using server = await startTestServer({ http: { page } });
  for (const [path, allow] of [
    ["/api/v1/credential", "GET, HEAD"],
    ["/api/v1/secrets", "POST, GET, HEAD"],
    ["/", "GET, HEAD"],
    ["/s/sec_1", "GET, HEAD"],
    ["/docs/init.js", "GET, HEAD"],
    ["/openapi.json", "GET, HEAD"],
    ["/health/live", "GET, HEAD"],
  ]) {
    for (const method of ["PUT", "PROPFIND", "TRACE", "QUERY", "PURGE", "OPTIONS"]) {
      const answer = await send(server, `${method} ${path} HTTP/1.1`, "Host: localhost");
      expect({
        path,
        method,
        status: answer.split(" ")[1],
        allow: /^allow: (.*)$/im.exec(answer)?.[1]?.trim(),
      }).toEqual({
        path,
        method,
        status: "405",
        allow,
      });
      expect(answer).toContain('"code":"method_not_allowed"');
    }
  }
  for (const path of ["/nowhere", "/api/v1/nowhere", "/api/v1/secrets/%73ec_1"]) {
    const answer = await send(server, `POST ${path} HTTP/1.1`, "Host: localhost", "Content-Length: 0");
    expect({ path, answer }).toEqual({ path, answer: expect.stringContaining("not_found") });
  }
  expect(await send(server, "CONNECT localhost:80 HTTP/1.1", "Host: localhost")).toMatch(/^HTTP\/1.1 4/);
});

test("every answer has the request ID of its log line", async () => {
  await using server = await startTestServer({ http: { page, corsOrigins: ["https://app.example"] } });
  const { token } = await server.backend.mint();
  for (const [method, path] of [
    ["GET", "/"],
    ["GET", "/nowhere"],
    ["GET", ASSET],
    ["GET", "/docs"],
    ["GET", "/docs/swagger-ui.css"],
    ["GET", "/openapi.json"],
    ["GET", "/problems/not_found"],
    ["GET", "/health/live"],
    ["GET", "/health/ready"],
    ["GET", "/app/credential"],
    ["DELETE", "/app/session"],
    ["GET", "/api/v1/credential"],
    ["PUT", "/api/v1/credential"],
    ["OPTIONS", "/api/v1/credential"],
  ] as const) {
    const headers = { origin: "https://app.example", "access-control-request-method": "GET" };
    const answer = await server.call(method, path, { token, ...(method === "OPTIONS" ? { headers } : {}) });
    const id = answer.headers.get("x-request-id") ?? "none";
    expect({ path, id }).toEqual({ path, id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    await server.lineOf(id);
  }
});

test("a Unix socket behaves the same", async () => {
  using folder = temporaryFolder();
  await using backend = await openTestService();
  const app = createApp(backend.service, {
    baseUrl: () => "http://localhost",
    trustedProxies: parseTrustedProxies([]),
    bodyMemoryBytes: 64 * 1024 * 1024,
    corsOrigins: [],
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    logAddresses: false,
    version: "0.0.0-test",
    installation: () => "0".repeat(32),
  });
  const unix = `${folder.path}/socket`;
  const server = await startServer(app, { target: { kind: "unix", path: unix }, tls: undefined });
  const { token } = await backend.mint();
  const status = async (url: string) =>
    (await fetch(url, { unix, headers: { authorization: `Bearer ${token}` } })).status;
  expect(await status("http://h/api/v1/credential")).toBe(200);
  expect(await status("http://h/docs")).toBe(200);
  expect(await status("http://h/nowhere")).toBe(404);
  await server.stop(100);
});
