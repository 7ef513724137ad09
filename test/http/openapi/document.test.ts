import { expect, test } from "bun:test";
import { join } from "node:path";
import { exampleId } from "../../../src/contract/ids.ts";
import type { IdKind } from "../../../src/contract/ids.ts";
import { operationOf, OPERATIONS } from "../../../src/contract/operations.ts";
import { SCOPES } from "../../../src/contract/scopes.ts";
import type { Scope } from "../../../src/contract/scopes.ts";
import { createApp } from "../../../src/http/app.ts";
import { parseTrustedProxies } from "../../../src/http/gate/addresses.ts";
import { SCENARIOS } from "../../support/gate-scenarios.ts";
import { BIN, createJudge, operationsOf, runTool, servedSpec } from "../../support/openapi.ts";
import type { Document } from "../../support/openapi.ts";
import { startTestServer } from "../../support/server.ts";
import { openTestService } from "../../support/service.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("the served document is valid OpenAPI, without errors or warnings", async () => {
  await using server = await startTestServer();
  using folder = temporaryFolder();
  const spec = await servedSpec(server);
  expect(spec.openapi).toBe("3.0.3");
  await Bun.write(join(folder.path, "openapi.json"), JSON.stringify(spec));
  const { exitCode, output } = await runTool(
    // A licence without a text has no address.
    [join(BIN, "redocly"), "lint", "openapi.json", "--format=json", "--skip-rule=info-license-strict"],
    folder.path,
  );
  const report = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
  expect({ exitCode, totals: report.totals }).toEqual({ exitCode: 0, totals: { errors: 0, warnings: 0, ignored: 0 } });
}, 60_000);

test("every example matches its schema", async () => {
  await using server = await startTestServer();
  const spec = await servedSpec(server);
  const judge = createJudge(spec);
  let examples = 0;
  for (const [name, schema] of Object.entries<Document>(spec.components.schemas)) {
    if (schema.example === undefined) continue;
    examples += 1;
    expect({ name, errors: judge({ $ref: `#/components/schemas/${name}` }, schema.example) }).toEqual({
      name,
      errors: [],
    });
    if (schema.type !== "object") continue;
    const isClosed = judge({ $ref: `#/components/schemas/${name}` }, { ...schema.example, extra: 1 }).length > 0;
    expect({ name, isClosed }).toEqual({ name, isClosed: /Body$|^Envelope$|^NoteEnvelope$/.test(name) });
  }
  for (const { operation } of operationsOf(spec)) {
    for (const { name, schema, example } of operation.parameters ?? []) {
      if (example === undefined) continue;
      examples += 1;
      expect({ name, errors: judge(schema, example) }).toEqual({ name, errors: [] });
    }
  }
  const problem = { $ref: "#/components/schemas/Problem" };
  for (const [code, { value }] of Object.entries<Document>(spec.components.examples)) {
    expect({ code, said: value.code, errors: judge(problem, value) }).toEqual({ code, said: code, errors: [] });
  }
  expect(examples).toBeGreaterThan(30);
});

test("every operation in the document has its credential, scope and schema", async () => {
  await using server = await startTestServer();
  const spec = await servedSpec(server);
  // Uploads and downloads are no operations: they have no schemas. test/http/resources/uploads.test.ts calls them.
  const isOther = ({ operationId }: Document) => /Upload$|^downloadCiphertext$/.test(operationId);
  const operations = operationsOf(spec).filter(({ path, operation }) => path.startsWith("/api") && !isOther(operation));
  expect(operations.map(({ operation }): string => operation.operationId).toSorted()).toEqual(
    Object.keys(OPERATIONS).toSorted(),
  );
  const all = await server.backend.mint();
  const make = async (path: string, what: unknown) =>
    (await server.call("POST", `/api/v1/${path}`, { token: all.token, body: what })).json;
  const { example: asked } = spec.components.schemas.CreateRequestBody;
  const { claim_token: claimToken } = await make("secrets", spec.components.schemas.CreateSecretBody.example);
  const { submit_token: submitToken } = await make("requests", asked);
  for (const { method, path, operation } of operations) {
    const ofPath = /^\/api\/v1\/(request|upload)s\//.exec(path)?.[1] ?? "secret";
    const url = path.replace("{id}", exampleId(ofPath as IdKind));
    const name = operation.operationId as keyof typeof OPERATIONS;
    const schema = operation.requestBody?.content["application/json"].schema.$ref.split("/").at(-1);
    const example = schema && spec.components.schemas[schema].example;
    const body = operation.requestBody ? { body: example } : {};

    expect((await server.call(method, url, body)).json).toMatchObject({ code: "credential_missing" });

    const { callers } = operationOf(name);
    const scope = callers === "any" ? undefined : callers.scope;
    if (scope !== undefined) {
      const { orScope } = operationOf(name).callers as { readonly orScope?: Scope };
      const wanted = [scope, ...(orScope ? [orScope] : [])];
      const others = await server.backend.mint({ scopes: SCOPES.filter((each) => !wanted.includes(each)) });
      const refused = await server.call(method, url, { ...body, token: others.token });
      expect({ name, ...refused.json }).toMatchObject({ name, status: 403, code: "insufficient_scope" });
      expect(refused.headers.get("www-authenticate")).toContain(`scope="${scope}"`);
      for (const each of wanted) {
        expect(operation.description).toContain(each);
        const { token } = await server.backend.mint({ scopes: [each] });
        const answered = await server.call(method, url, { ...body, token });
        expect({ name, each, code: answered.json?.code }).not.toMatchObject({ code: "insufficient_scope" });
      }
      expect(operation["x-required-scopes"]).toEqual(wanted);
    }

    const links = { claimToken, submitToken };
    const taken: string[] = operation.security.flatMap((each: Document) => Object.keys(each));
    for (const [kind, token] of Object.entries(links)) {
      const { json } = await server.call(method, url, { ...body, token: String(token) });
      expect({ name, kind, isTaken: json?.code !== "insufficient_scope" }).toEqual({
        name,
        kind,
        isTaken: taken.includes(kind),
      });
    }

    const isForLinksAlone = callers !== "any" && scope === undefined;
    expect(taken.includes("apiKey")).toBe(!isForLinksAlone);
    if (isForLinksAlone) {
      const refused = await server.call(method, url, { ...body, token: all.token });
      expect({ name, ...refused.json }).toMatchObject({ name, status: 403, code: "insufficient_scope" });
      continue;
    }

    const unknown = await server.call(method, `${url}?nonsense=1`, { ...body, token: all.token });
    expect({ name, ...unknown.json }).toMatchObject({ name, status: 422, code: "schema_mismatch" });

    const more = operation.requestBody ? { ...example, nonsense: 1 } : { nonsense: 1 };
    if (method !== "GET") {
      const extra = await server.call(method, url, { body: more, token: all.token });
      expect({ name, ...extra.json }).toMatchObject({ name, status: 422, code: "schema_mismatch" });
    }
  }
});

test("every refusal of a described operation is in the document", async () => {
  await using server = await startTestServer({ policy: { maxCiphertextBytes: 65_536 } });
  const spec = await servedSpec(server);
  const operations = operationsOf(spec);
  const { token } = await server.backend.mint();
  let refusals = 0;
  for (const { what, method = "GET", path = "", headers = {}, body, token: own } of SCENARIOS) {
    const [place = ""] = path.split("?");
    const described = operations.find(
      (each) => each.method === method && each.path === place.replace(/(sec|req)_[0-9a-v]{26}/, "{id}"),
    );
    if (!described) continue;
    refusals += 1;
    const credential = own === undefined && !("authorization" in headers) ? { token } : {};
    const { status, json } = await server.call(method, path, { headers, body, ...credential });
    const examples = described.operation.responses[status]?.content["application/problem+json"].examples ?? {};
    expect({ what, isDescribed: json.code in examples }).toEqual({ what, isDescribed: true });
  }
  expect(refusals).toBeGreaterThan(60);
});

test("the document has exactly the routes under /api/v1, and those of health", async () => {
  await using backend = await openTestService();
  const app = createApp(backend.service, {
    baseUrl: () => "http://localhost",
    trustedProxies: parseTrustedProxies([]),
    bodyMemoryBytes: 64 * 1024 * 1024,
    corsOrigins: [],
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    logAddresses: false,
    version: "0.0.0",
    installation: () => "0".repeat(32),
  });
  const spec = await (await app.handle(new Request("http://localhost/openapi.json"))).json();
  // The document is without logins, whose client is the command line: a generated one can't ask a person.
  const routes = app.routes
    .filter(({ path }) => /^\/(api|health)\//.test(path) && !path.startsWith("/api/v1/logins"))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  const described = operationsOf(spec).map(({ method, path }) => `${method} ${path}`);
  expect(described.toSorted()).toEqual(routes.toSorted());
});

test("the server's answers match the document", async () => {
  await using server = await startTestServer();
  const spec = await servedSpec(server);
  const judge = createJudge(spec);
  const { token } = await server.backend.mint();
  const body = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
  const check = async (method: string, url: string, path: string, options = {}) => {
    const answer = await server.call(method, url, { token, ...options });
    const response = spec.paths[path][method.toLowerCase()].responses[answer.status];
    const [mediaType = "", content] = Object.entries<Document>(response.content)[0] ?? [];
    expect(answer.headers.get("content-type")).toStartWith(mediaType);
    expect({ method, url, errors: judge(content.schema, answer.json) }).toEqual({ method, url, errors: [] });
    for (const header of Object.keys(response.headers)) {
      if (header === "Idempotency-Replayed") continue;
      expect({ header, value: answer.headers.get(header) }).not.toEqual({ header, value: null });
    }
    expect(response.headers).toHaveProperty("X-Request-Id");
    return answer.json;
  };
  const { id } = await check("POST", "/api/v1/secrets", "/api/v1/secrets", { body });
  await check("POST", "/api/v1/secrets", "/api/v1/secrets", { body: {} });
  await check("GET", "/api/v1/secrets", "/api/v1/secrets");
  await check("GET", `/api/v1/secrets/${id}`, "/api/v1/secrets/{id}");
  await check("POST", `/api/v1/secrets/${id}/claim`, "/api/v1/secrets/{id}/claim");
  await check("POST", `/api/v1/secrets/${id}/claim`, "/api/v1/secrets/{id}/claim");
  await check("DELETE", `/api/v1/secrets/${id}`, "/api/v1/secrets/{id}");
  const recipient = spec.components.schemas.CreateRequestBody.example.recipient;
  const asked = await check("POST", "/api/v1/requests", "/api/v1/requests", { body: { recipient } });
  const link = { token: asked.submit_token };
  const one = "/api/v1/requests/{id}";
  await check("GET", "/api/v1/requests", "/api/v1/requests");
  await check("GET", `/api/v1/requests/${asked.id}/invitation`, `${one}/invitation`, link);
  await check("POST", `/api/v1/requests/${asked.id}/submissions`, `${one}/submissions`, { ...link, body });
  await check("POST", `/api/v1/requests/${asked.id}/submissions`, `${one}/submissions`, { ...link, body });
  await check("GET", `/api/v1/requests/${asked.id}`, one);
  await check("PATCH", `/api/v1/requests/${asked.id}`, one, { body: { state: "paused" } });
  await check("DELETE", `/api/v1/requests/${asked.id}`, one);
  await check("GET", "/api/v1/events", "/api/v1/events");
  await check("GET", "/api/v1/credential", "/api/v1/credential");
  await check("GET", "/health/live", "/health/live");
  await check("GET", "/health/ready", "/health/ready");
  const headers = { "content-type": "text/plain" };
  await check("POST", "/api/v1/secrets", "/api/v1/secrets", { body: "fake-local-test-only", headers });
});

test("the document has the limits of this server", async () => {
  await using server = await startTestServer({
    policy: { maxTtlSeconds: 1234, defaultTtlSeconds: 99, maxCiphertextBytes: 4096 },
  });
  const spec = await servedSpec(server);
  const [expiresIn] = spec.paths["/api/v1/secrets"].post.parameters;
  expect(expiresIn).toMatchObject({ name: "expires_in", schema: { maximum: 1234, default: 99 } });
  expect(spec.components.schemas.Envelope.properties.ciphertext.maxLength).toBe(4096);
  expect(spec.components.schemas.NoteEnvelope.properties.ciphertext.maxLength).toBe(4096);
  await using usual = await startTestServer();
  expect((await servedSpec(usual)).components.schemas.NoteEnvelope.properties.ciphertext.maxLength).toBe(16 * 1024);
});
