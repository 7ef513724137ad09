import { expect, test } from "bun:test";
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate, makeDatedCertificate } from "../support/certificates.ts";
import { apiOf, jsonOf, mintKey, runExecutable, UNLIMITED } from "../support/executions.ts";
import { manualText } from "../support/manual.ts";
import { startProgram } from "../support/running.ts";
import type { RunningProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const METRIC = /\b(?:handoff|process)_[a-z_]+/g;

/** The address of the metrics, from the server's log. */
function metricsUrl(server: RunningProgram): string {
  return /"metrics_url":"([^"]+)"/.exec(server.stderr())?.[1] ?? "";
}

async function scrape(server: RunningProgram): Promise<string> {
  return (await fetch(metricsUrl(server))).text();
}

const valueOf = (text: string, name: string) =>
  Number(new RegExp(`^${RegExp.escape(name)} (.*)$`, "m").exec(text)?.[1] ?? Number.NaN);

const serve = (folder: string, ...more: readonly string[]) =>
  startProgram([
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--metrics-listen",
    "127.0.0.1:0",
    "--data-dir",
    folder,
    ...UNLIMITED,
    ...more,
  ]);

/** Runs promtool with `input`; resolves with its exit code and output. */
async function promtool(args: readonly string[], input = ""): Promise<{ exitCode: number; said: string }> {
  const child = Bun.spawn(["promtool", ...args], { stdin: Buffer.from(input), stdout: "pipe", stderr: "pipe" });
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, said: out + err };
}

/** The names of the metrics in a text, without the suffixes of histograms. */
function namesIn(text: string): string[] {
  return [...new Set(text.match(METRIC)?.map((name) => name.replace(/_(bucket|sum|count)$/, "")))].toSorted();
}

test("metrics scraped during calls are valid for promtool, and each is in the manual", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  await using server = await serve(folder.path, "--smtp-url", "smtp://127.0.0.1:1", "--mail-from", "a@mail.test");
  const api = apiOf(server.url, token);
  const work = Array.from({ length: 40 }, async (_, i) => {
    const { id } = await jsonOf(api.create("fake-local-test-only"));
    if (i % 2 === 0) expect((await api.claim(id)).status).toBe(200);
  });
  const during = await Promise.all(Array.from({ length: 5 }, () => scrape(server)));
  await Promise.all(work);
  const text = await scrape(server);
  for (const each of [...during, text]) {
    expect(await promtool(["check", "metrics"], each)).toEqual({ exitCode: 0, said: "" });
  }
  expect(valueOf(text, 'handoff_http_requests_total{method="POST",route="/api/v1/secrets",status="201"}')).toBe(40);
  expect(valueOf(text, 'handoff_events_total{team="team",type="secret.claimed"}')).toBe(20);
  expect(valueOf(text, "handoff_transaction_writes_sum")).toBeGreaterThanOrEqual(60);
  expect(text).toMatch(
    /^handoff_build_info\{version="\d+\.\d+\.\d+",commit="\w+(-modified)?",bun="[\d.]+",sqlite="3[\d.]+"\} 1$/m,
  );
  expect(text).not.toMatch(/(sec|req|key|idn|tea|evt)_[0-9a-v]{8}/);
  const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name);
  expect(namesIn(manualText("metrics"))).toEqual(names.toSorted());
}, 30_000);

test("the metrics address, which may be a socket, serves only /metrics and closes with the server", async () => {
  using folder = temporaryFolder();
  const unix = join(folder.path, "metrics.socket");
  await using server = await serve(join(folder.path, "data"), "--metrics-listen", `unix:${unix}`);
  const ask = (path: string, method = "GET") => fetch(`http://localhost${path}`, { unix, method });
  const got = await ask("/metrics");
  expect({ status: got.status, type: got.headers.get("content-type") }).toEqual({
    status: 200,
    type: "text/plain; version=0.0.4; charset=utf-8",
  });
  expect(await got.text()).toContain("handoff_ready 1");
  const head = await ask("/metrics?x=y", "HEAD");
  expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: "" });
  for (const path of ["/", "/metrics/", "/health/live", "/api/v1/credential", "/%6detrics"]) {
    expect({ path, status: (await ask(path)).status }).toEqual({ path, status: 404 });
  }
  const posted = await ask("/metrics", "POST");
  expect({ status: posted.status, allow: posted.headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD" });
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(lstatSync(unix, { throwIfNoEntry: false })).toBeUndefined();
});

test("an unusable address for metrics is reported with its flag, before the server listens", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  await using other = await serve(join(folder.path, "other"));
  const taken = new URL(metricsUrl(other)).host;
  for (const [address, says] of [
    ["nonsense", "--metrics-listen is 'nonsense': expected host:port"],
    ["no.such.host.invalid:1", "such as --metrics-listen 127.0.0.1:8080"],
    [`unix:${folder.path}/none/socket`, "choose another path with --metrics-listen"],
    ["127.0.0.1:18999", "--metrics-listen needs another address than --listen"],
  ] as const) {
    const args = ["serve", "--listen", "127.0.0.1:18999", "--metrics-listen", address, "--data-dir", data];
    const { exitCode, stderr } = await runExecutable(args);
    expect({ address, exitCode: exitCode > 0, stderr }).toEqual({
      address,
      exitCode: true,
      stderr: expect.stringContaining(says),
    });
    expect(lstatSync(data, { throwIfNoEntry: false })).toBeUndefined();
  }
  const args = ["serve", "--listen", "127.0.0.1:0", "--metrics-listen", taken, "--data-dir", data];
  const { exitCode, stderr } = await runExecutable(args);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining(
      `another program listens on ${taken}. Stop it, or choose another address with --metrics-listen`,
    ),
  });
});

test("metrics have the last backup, and the expiry of the served certificate", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const first = makeCertificate(folder.path);
  await using server = await serve(data, "--tls-cert", first.cert, "--tls-key", first.key);
  const before = await scrape(server);
  expect(valueOf(before, "handoff_last_backup_timestamp_seconds")).toBe(0);
  expect(valueOf(before, "handoff_tls_certificate_end_timestamp_seconds")).toBeGreaterThan(Date.now() / 1000);
  const startedAt = Date.now() / 1000;
  const made = await runExecutable(["admin", "backup", join(folder.path, "b"), "--data-dir", data]);
  expect(made.exitCode).toBe(0);
  expect(lstatSync(join(data, "last-backup")).mode & 0o777).toBe(0o600);
  using elsewhere = temporaryFolder();
  const dated = makeDatedCertificate(elsewhere.path, "20260101000000Z", "20990101000000Z");
  writeFileSync(first.cert, readFileSync(dated.cert));
  writeFileSync(first.key, readFileSync(dated.key));
  server.kill("SIGHUP");
  while (!server.stderr().includes("certificate read again")) await new Promise(setImmediate);
  const after = await scrape(server);
  expect(valueOf(after, "handoff_last_backup_timestamp_seconds")).toBeWithin(startedAt - 1, Date.now() / 1000 + 1);
  expect(valueOf(after, "handoff_tls_certificate_end_timestamp_seconds")).toBe(Date.UTC(2099, 0, 1) / 1000);
}, 30_000);

test("alerts are valid rules over existing metrics, and fire when they should", async () => {
  using folder = temporaryFolder();
  const { stdout: rules } = await runExecutable(["admin", "alerts"]);
  const path = join(folder.path, "handoff.rules.yml");
  writeFileSync(path, rules);
  expect(await promtool(["check", "rules", path])).toMatchObject({ exitCode: 0 });
  writeFileSync(join(folder.path, "test.yml"), RULE_TESTS);
  const tested = await promtool(["test", "rules", join(folder.path, "test.yml")]);
  expect({ exitCode: tested.exitCode, said: tested.said }).toMatchObject({ exitCode: 0 });
  const names = new Set(namesIn(manualText("metrics")));
  expect(namesIn(rules).filter((name) => !names.has(name))).toEqual([]);
}, 30_000);

const RULE_TESTS = `rule_files: [handoff.rules.yml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - series: handoff_build_info{instance="a"}
        values: 1x200
      - series: handoff_ready{instance="a"}
        values: 1x10 0x100
      - series: handoff_team_stored_bytes{instance="a",team="Platform"}
        values: 95x200
      - series: handoff_team_quota_bytes{instance="a",team="Platform"}
        values: 100x200
      - series: handoff_last_backup_timestamp_seconds{instance="a"}
        values: 0x200
      - series: handoff_http_requests_total{instance="a",method="GET",route="/",status="200"}
        values: 0+60x200
      - series: handoff_http_requests_total{instance="a",method="GET",route="/",status="500"}
        values: 0+6x200
      - series: handoff_mails_total{instance="a",kind="notices",result="delayed"}
        values: 0+1x200
      - series: handoff_mails_total{instance="a",kind="notices",result="sent"}
        values: 0+1x20 20x180
    alert_rule_test:
      - eval_time: 30m
        alertname: HandoffMailsFail
      - eval_time: 60m
        alertname: HandoffMailsFail
        exp_alerts:
          - exp_labels: { severity: warning, instance: a }
            exp_annotations:
              summary: "The mail server takes no mails of a, so codes to sign in don't arrive. 'handoff admin check' and the log say why."
      - eval_time: 9m
        alertname: HandoffNotReady
      - eval_time: 20m
        alertname: HandoffNotReady
        exp_alerts:
          - exp_labels: { severity: critical, instance: a }
            exp_annotations:
              summary: "The storage of handoff can't be used as it should. /health/ready says why, 'handoff admin check' what to do."
      - eval_time: 20m
        alertname: HandoffTeamQuota
        exp_alerts:
          - exp_labels: { severity: warning, instance: a, team: Platform }
            exp_annotations:
              summary: "The team Platform uses more than 90 % of its quota. Beyond it, its creations are refused."
      - eval_time: 30m
        alertname: HandoffErrors
        exp_alerts:
          - exp_labels: { severity: critical, instance: a }
            exp_annotations:
              summary: "More than 1 % of the calls of handoff fail with a 5xx. At the level info, the log has a line for each."
      - eval_time: 30m
        alertname: HandoffDown
  - interval: 1m
    input_series: []
    alert_rule_test:
      - eval_time: 10m
        alertname: HandoffDown
        exp_alerts:
          - exp_labels: { severity: critical }
            exp_annotations:
              summary: "handoff can't be scraped. Look at 'systemctl status handoff' and its log."
`;

test("the dashboard is JSON with queries for Prometheus, over existing metrics", async () => {
  using folder = temporaryFolder();
  const { stdout } = await runExecutable(["admin", "dashboard"]);
  const dashboard = JSON.parse(stdout);
  const queries: string[] = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
    panel.targets.map(({ expr }) => expr),
  );
  expect(queries.length).toBeGreaterThan(20);
  const names = new Set(namesIn(manualText("metrics")));
  expect(namesIn(queries.join("\n")).filter((name) => !names.has(name))).toEqual([]);
  const rules = queries.map((query, i) => ({ record: `query:${i}`, expr: query.replaceAll("$__rate_interval", "5m") }));
  const path = join(folder.path, "queries.yml");
  writeFileSync(path, JSON.stringify({ groups: [{ name: "queries", rules }] }));
  expect(await promtool(["check", "rules", path])).toMatchObject({ exitCode: 0 });
  const places = dashboard.panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(dashboard.panels.length);
});
