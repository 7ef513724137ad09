import { expect, test } from "bun:test";
import { createMetrics } from "../../../src/cli/metrics/metrics.ts";
import type { Metrics, MetricsOptions } from "../../../src/cli/metrics/metrics.ts";
import { revokeKey } from "../../../src/domain/keys.ts";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { startTestServer } from "../../support/server.ts";
import type { TestServer } from "../../support/server.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";
import type { TestStorage } from "../../support/storages.ts";
import { TEST_START } from "../../support/test-clocks.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
const VERSIONS = { version: "0.0.0-test", commit: "unknown", bun: Bun.version, sqlite: "3.0.0" };
const DAY_MS = 86_400_000;

/** The real app and database with metrics, which are read past the listener. */
async function startObserved(options: {
  readonly policy?: Partial<ServerPolicy>;
  readonly storage?: TestStorage;
  readonly certificateEnd?: number;
  readonly lastBackup?: number;
  readonly webhooks?: MetricsOptions["webhooks"];
}): Promise<{ readonly server: TestServer; readonly scrape: () => Promise<Map<string, number>> }> {
  let metrics: Metrics | undefined;
  const server = await startTestServer({
    ...options,
    observe(service) {
      metrics = createMetrics(service, {
        versions: VERSIONS,
        bodyMemoryBytes: 1234,
        certificateEnd: () => options.certificateEnd,
        findLastBackup: async () => options.lastBackup,
        webhooks: options.webhooks ?? { figures: async () => [], calls: () => [] },
      });
      return metrics.observer;
    },
  });
  return { server, scrape: async () => parse((await metrics?.scrape()) ?? "") };
}

/** The samples of a text of Prometheus, by name and labels as they are written. */
function parse(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

test("calls are counted by method, template and status, and nothing that a caller made up is a label", async () => {
  const { server, scrape } = await startObserved({});
  await using _ = server;
  const { token, key } = await server.backend.mint();
  const created = await server.call("POST", "/api/v1/secrets", { token, body: BODY });
  const { id, claim_token: claimToken } = created.json;
  for (let i = 0; i < 2; i++) await server.call("GET", `/api/v1/secrets/${id}`, { token });
  await server.call("POST", `/api/v1/secrets/${id}/claim`, { token: claimToken });
  await server.call("GET", `/s/${id}`);
  await server.call("GET", "/made-up/path?made=up");
  await fetch(`${server.url}/api/v1/secrets/${id}`, { method: "PROPFIND" });
  const samples = await scrape();
  const requests = (labels: string) => samples.get(`handoff_http_requests_total{${labels}}`);
  expect(requests('method="POST",route="/api/v1/secrets",status="201"')).toBe(1);
  expect(requests('method="GET",route="/api/v1/secrets/{id}",status="200"')).toBe(2);
  expect(requests('method="POST",route="/api/v1/secrets/{id}/claim",status="200"')).toBe(1);
  expect(requests('method="GET",route="none",status="404"')).toBe(2);
  const duration = 'handoff_http_request_duration_seconds_count{method="GET",route="/api/v1/secrets/{id}"}';
  expect(samples.get(duration)).toBe(2);
  const text = [...samples.keys()].join("\n");
  expect(text).toContain('method="other"');
  for (const word of [id, claimToken, token, key.id, key.identity.id, key.identity.teamId, "made-up", "PROPFIND"]) {
    expect({ word, found: text.includes(word) }).toEqual({ word, found: false });
  }
  expect(text).not.toMatch(/(sec|req|key|idn|tea|evt)_[0-9a-v]{8}/);
});

test("failed authentications are counted by what was wrong, 429s by whose limit it was, and a stranger at the page is neither", async () => {
  const { server, scrape } = await startObserved({
    policy: { callsPerSecond: 1, callBurst: 2, failedAuthenticationsPerMinute: 4 },
  });
  await using _ = server;
  const { token } = await server.backend.mint();
  const { token: revoked, key } = await server.backend.mint();
  await revokeKey(server.backend.service, key.id);
  const call = (bearer?: string) =>
    server.call("GET", "/api/v1/credential", bearer === undefined ? {} : { token: bearer });
  for (let i = 0; i < 3; i++) await call(token);
  for (const bearer of [undefined, "hak_nothing", revoked]) await call(bearer);
  await server.call("GET", `/api/v1/credential?api_key=${token}`, { token });
  await call("hak_nothing");
  await server.call("GET", "/app/credential", { headers: { "sec-fetch-site": "same-origin" } });
  const samples = await scrape();
  const failures = (code: string) => samples.get(`handoff_failed_authentications_total{code="${code}"}`);
  expect(failures("credential_missing")).toBe(1);
  expect(failures("credential_invalid")).toBe(2);
  expect(failures("credential_in_query")).toBe(1);
  expect(failures("credential_expired")).toBe(0);
  expect(samples.get('handoff_rate_limited_total{limit="calls"}')).toBe(1);
  expect(samples.get('handoff_rate_limited_total{limit="failures"}')).toBe(1);
  expect(samples.get('handoff_refusals_total{code="rate_limited"}')).toBe(2);
  expect(samples.get('handoff_refusals_total{code="credential_missing"}')).toBe(2);
});

test("a call that waits is counted while it waits, and never as a slow one", async () => {
  const { server, scrape } = await startObserved({});
  await using _ = server;
  const { token } = await server.backend.mint();
  const { json } = await server.call("POST", "/api/v1/secrets", { token, body: BODY });
  const waiting = server.call("GET", `/api/v1/secrets/${json.id}?wait=60`, { token });
  while (server.backend.service.waits.waiting() === 0) await new Promise(setImmediate);
  expect((await scrape()).get("handoff_waiting_calls")).toBe(1);
  await server.call("DELETE", `/api/v1/secrets/${json.id}`, { token });
  await waiting;
  const samples = await scrape();
  const labels = 'method="GET",route="/api/v1/secrets/{id}"';
  expect(samples.get("handoff_waiting_calls")).toBe(0);
  expect(samples.get(`handoff_http_requests_total{${labels},status="200"}`)).toBe(1);
  expect(samples.has(`handoff_http_request_duration_seconds_count{${labels}}`)).toBe(false);
});

test("large secrets and uploads are counted where there may be some", async () => {
  const { server, scrape } = await startObserved({ storage: openSqliteStorage() });
  await using _ = server;
  const { token } = await server.backend.mint();
  const headers = { authorization: `Bearer ${token}`, "tus-resumable": "1.0.0", "upload-length": "12345" };
  expect((await fetch(`${server.url}/api/v1/uploads`, { method: "POST", headers })).status).toBe(201);
  const samples = await scrape();
  const figures = ["large_secrets", "uploads", "large_bytes"].map((name) => samples.get(`handoff_${name}`));
  expect(figures).toEqual([0, 1, 12_345]);
});

test("secrets, storage, keys and events are told by the name of the team, states with nothing in them too", async () => {
  const { server, scrape } = await startObserved({ policy: { teamQuotaBytes: 5_000_000 } });
  await using _ = server;
  const { service, clock, mint } = server.backend;
  const keyEnd = clock.now() + 5 * DAY_MS;
  const { token } = await mint({ team: "Platform", expiresAt: keyEnd });
  await mint({ team: "Platform", expiresAt: keyEnd + DAY_MS });
  await mint({ team: "idle" });
  const create = (seconds: number) =>
    server.call("POST", `/api/v1/secrets?expires_in=${seconds}`, { token, body: BODY });
  const [claimed, revoked] = [await create(3600), await create(3600)];
  await create(3600);
  await create(60);
  await server.call("POST", `/api/v1/secrets/${claimed.json.id}/claim`, { token: claimed.json.claim_token });
  await server.call("DELETE", `/api/v1/secrets/${revoked.json.id}`, { token });
  clock.advance(61_000);
  while (await service.store.sweep(100));
  const samples = await scrape();
  const secrets = (team: string, state: string) => samples.get(`handoff_secrets{team="${team}",state="${state}"}`);
  const states = ["available", "claimed", "expired", "revoked"];
  expect(states.map((state) => secrets("Platform", state))).toEqual([1, 1, 1, 1]);
  expect(states.map((state) => secrets("idle", state))).toEqual([0, 0, 0, 0]);
  expect(samples.get('handoff_requests{team="idle",state="open"}')).toBe(0);
  const events = (type: string) => samples.get(`handoff_events_total{team="Platform",type="${type}"}`);
  expect(["created", "claimed", "expired", "revoked"].map((each) => events(`secret.${each}`))).toEqual([4, 1, 1, 1]);
  expect(samples.get('handoff_team_stored_bytes{team="Platform"}')).toBeGreaterThan(1000);
  expect(samples.get('handoff_team_stored_bytes{team="idle"}')).toBe(0);
  expect(samples.get('handoff_team_quota_bytes{team="idle"}')).toBe(5_000_000);
  expect(samples.get('handoff_api_key_next_end_timestamp_seconds{team="Platform"}')).toBe(keyEnd / 1000);
  expect(samples.has('handoff_api_key_next_end_timestamp_seconds{team="idle"}')).toBe(false);
});

test("the storage is told by sizes, transactions and troubles, and the server by its certificate, backup and build", async () => {
  const [certificateEnd, lastBackup] = [Date.UTC(2027, 0, 1), Date.UTC(2026, 10, 1)];
  const storage = openSqliteStorage({ ballastBytes: 1024 * 1024 });
  const { server, scrape } = await startObserved({ storage, certificateEnd, lastBackup });
  await using _ = server;
  const { token } = await server.backend.mint();
  const before = (await scrape()).get("handoff_transaction_writes_sum") ?? 0;
  await Promise.all(Array.from({ length: 20 }, () => server.call("POST", "/api/v1/secrets", { token, body: BODY })));
  server.backend.service.store.findTroubles = async () => [{ code: "no_room", message: "", isSerious: true }];
  const samples = await scrape();
  expect((samples.get("handoff_transaction_writes_sum") ?? 0) - before).toBeGreaterThanOrEqual(20);
  expect(samples.get('handoff_transaction_writes_bucket{le="256"}')).toBe(
    samples.get("handoff_transaction_writes_count") ?? -1,
  );
  expect(samples.get("handoff_database_bytes")).toBeGreaterThanOrEqual(4096);
  expect(samples.get("handoff_wal_bytes")).toBeGreaterThan(0);
  expect(samples.get("handoff_disk_free_bytes")).toBeGreaterThan(0);
  expect(samples.get("handoff_ballast_bytes")).toBe(1024 * 1024);
  expect(samples.get("handoff_ballast_wanted_bytes")).toBe(1024 * 1024);
  expect(samples.get("handoff_ready")).toBe(0);
  expect(samples.get('handoff_storage_trouble{trouble="no_room"}')).toBe(1);
  expect(samples.get('handoff_storage_trouble{trouble="locked"}')).toBe(0);
  expect(samples.get("handoff_tls_certificate_end_timestamp_seconds")).toBe(certificateEnd / 1000);
  expect(samples.get("handoff_last_backup_timestamp_seconds")).toBe(lastBackup / 1000);
  expect(samples.get("handoff_body_limit_bytes")).toBe(1234);
  expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  expect(samples.get("process_open_fds")).toBeGreaterThan(3);
});

test("memory of bodies is told while they are read, and a storage that fails takes nothing but its own figures away", async () => {
  const { server, scrape } = await startObserved({});
  await using _ = server;
  const { token } = await server.backend.mint();
  const { promise: isRead, resolve: finish } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('{"envelope":'));
      await isRead;
      controller.enqueue(new TextEncoder().encode(`${JSON.stringify(BODY.envelope)}}`));
      controller.close();
    },
  });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = fetch(`${server.url}/api/v1/secrets`, { method: "POST", headers, body });
  while (((await scrape()).get("handoff_body_bytes") ?? 0) === 0) await new Promise(setImmediate);
  finish();
  expect((await answer).status).toBe(201);
  expect((await scrape()).get("handoff_body_bytes")).toBe(0);
  const { store } = server.backend.service;
  const fail = () => Promise.reject(new Error("the disk fails"));
  Object.assign(store, { listTeams: fail, findKeyEnds: fail, measureStorage: fail, findTroubles: fail });
  const samples = await scrape();
  expect(samples.get("handoff_ready")).toBe(0);
  expect(samples.has("handoff_database_bytes")).toBe(false);
  expect(
    samples.get(`handoff_build_info{version="0.0.0-test",commit="unknown",bun="${Bun.version}",sqlite="3.0.0"}`),
  ).toBe(1);
});

test("webhook metrics have the team's name: calls by result, states, and the age of the oldest event not received", async () => {
  const now = TEST_START;
  const { server, scrape } = await startObserved({
    webhooks: {
      figures: async () => [
        { team: "Platform", state: "active", behindSince: now - 90_000 },
        { team: "Platform", state: "active", behindSince: now - 7_200_000 },
        { team: "Platform", state: "gone", behindSince: undefined },
        { team: "idle", state: "active", behindSince: undefined },
      ],
      calls: () => [
        { team: "Platform", result: "2xx", count: 5 },
        { team: "Platform", result: "none", count: 2 },
      ],
    },
  });
  await using _ = server;
  const samples = await scrape();
  const webhooks = (team: string, state: string) => samples.get(`handoff_webhooks{team="${team}",state="${state}"}`);
  const states = ["active", "paused", "gone"];
  expect(states.map((state) => webhooks("Platform", state))).toEqual([2, 0, 1]);
  expect(states.map((state) => webhooks("idle", state))).toEqual([1, 0, 0]);
  expect(samples.get('handoff_webhook_behind_seconds{team="Platform"}')).toBe(7200);
  expect(samples.get('handoff_webhook_behind_seconds{team="idle"}')).toBe(0);
  expect(samples.get('handoff_webhook_calls_total{team="Platform",result="2xx"}')).toBe(5);
  expect(samples.get('handoff_webhook_calls_total{team="Platform",result="none"}')).toBe(2);
});
