import { afterAll, expect, test } from "bun:test";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import { startPostgresProxy } from "../support/postgres-proxies.ts";
import { openPostgresStorage } from "../support/postgres-storage.ts";
import { startPostgres } from "../support/postgres.ts";
import { startTestServer } from "../support/server.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };

test("an error calls the outcome unknown only when the call may have been carried out", async () => {
  await using proxy = await startPostgresProxy(await cluster.makeDatabase());
  const kept = await openPostgresStorage(cluster.socket);
  const open: typeof kept.open = (sources) =>
    openPostgresStore({ ...sources, connection: { ...proxy.connection, connectionTimeout: 1 } });
  await using server = await startTestServer({ storage: { ...kept, open } });
  const { token } = await server.backend.mint();
  const untilWell = async () => {
    proxy.passAll();
    while ((await server.backend.service.store.findTroubles()).length > 0);
  };
  const create = (key: string) =>
    server.call("POST", "/api/v1/secrets", { token, body: BODY, headers: { "idempotency-key": key } });
  const [first, second] = [(await create("first")).json.id, (await create("second")).json.id];
  const claim = { token, headers: { "idempotency-key": "claim" } };
  const calls = {
    create: () => create("lost"),
    claim: () => server.call("POST", `/api/v1/secrets/${first}/claim`, claim),
    revoke: () => server.call("DELETE", `/api/v1/secrets/${second}`, { token }),
  };
  for (const [name, call] of Object.entries(calls)) {
    proxy.loseCommits();
    const { status, headers, json } = await call();
    expect({ name, status, retry: headers.get("retry-after") }).toEqual({ name, status: 503, retry: "5" });
    expect(json).toMatchObject({
      code: "storage_unavailable",
      outcome: "unknown",
      detail: expect.stringContaining("a POST with the same Idempotency-Key."),
    });
    await untilWell();
    const again = await call();
    expect({ ok: again.status < 300, replayed: again.headers.get("idempotency-replayed") }).toEqual({
      ok: true,
      replayed: name === "revoke" ? null : "true",
    });
  }
  const { data } = (await server.call("GET", "/api/v1/secrets", { token })).json;
  expect(data.map(({ state }: { state: string }) => state).toSorted()).toEqual(["available", "claimed", "revoked"]);
  await cluster.crash();
  const refused = await create("refused");
  expect(refused.json).toMatchObject({ code: "storage_unavailable", detail: expect.stringMatching(/^Nothing was/) });
  expect(refused.json).not.toHaveProperty("outcome");
  await cluster.start();
  await untilWell();
}, 30_000);

test("an unforeseen error leaves the outcome of a change unknown, but not that of a read", async () => {
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const fail = () => Promise.reject(new Error("unforeseen"));
  Object.assign(server.backend.service.store, { createSecret: fail, listSecrets: fail });
  const created = await server.call("POST", "/api/v1/secrets", { token, body: BODY });
  expect(created.json).toMatchObject({ code: "internal", outcome: "unknown" });
  const listed = await server.call("GET", "/api/v1/secrets", { token });
  expect(listed.json).toMatchObject({ code: "internal" });
  expect(listed.json).not.toHaveProperty("outcome");
});
