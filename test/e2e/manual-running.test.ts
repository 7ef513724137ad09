import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import tls from "node:tls";
import { makeCertificate } from "../support/certificates.ts";
import { apiOf, jsonOf } from "../support/executions.ts";
import { openMachine } from "../support/machines.ts";
import type { Machine } from "../support/machines.ts";
import { MANUAL_TOPICS, manualBlock, manualBlocks } from "../support/manual.ts";
import { takeBack } from "../support/old-databases.ts";
import { temporaryFolder } from "../support/temporary.ts";

// An admin with only the manual: its lines are pasted unchanged.

const DATA = "/var/lib/private/handoff";
const TEXT = "fake-local-test-only";

/** Installs handoff on a machine, with or without starting it. */
async function install(machine: Machine, { starts = true } = {}): Promise<void> {
  machine.build();
  const lines = manualBlock("install", "install -m 755");
  await machine.must(starts ? lines : lines.replace(/^.*--now.*$/m, ""));
}

/** Creates a team, and an identity whose key it returns, as Ann with sudo. */
async function mint(machine: Machine, scopes = "--scope all"): Promise<string> {
  const lines = [
    manualBlock("people-and-keys", "admin team create"),
    manualBlock("people-and-keys", "KEY=$(")
      .replace(/(?<=^KEY=.*)--scope \S+(.*)$(?:\n.*)*/m, `${scopes}$1`)
      .concat("\necho $KEY"),
  ];
  return (await machine.must(lines.join("\n"))).trim().split("\n").at(-1) ?? "";
}

/** Lines run by a client with `key`. */
const asClient = ({ url }: Machine, key: string, lines: string) =>
  `export HANDOFF_URL=${url} HANDOFF_API_KEY=${key}\n${lines}`;

/** A link as it works on the machine, because the name in its base URL does not resolve in a test. */
const onMachine = (link: string, { url }: Machine) => link.trim().replace("https://handoff.example", url);

test("installed with the lines of the manual, links begin with the base URL, and the log names the admin", async () => {
  await using machine = await openMachine();
  await install(machine);
  const key = await mint(machine, "--scope secrets:create");
  const link = await machine.must(asClient(machine, key, `echo ${TEXT} | handoff send`));
  expect(link).toStartWith("https://handoff.example/s/sec_");
  expect(await machine.must(`echo '${onMachine(link, machine)}' | handoff open --yes`)).toBe(`${TEXT}\n`);
  const log = await machine.must(manualBlock("operate", "admin log"));
  const minted = log.split("\n").find((line) => line.includes("key.created")) ?? "";
  expect(minted).toContain("(ann)");
  expect(minted).toContain(" platform ");
}, 60_000);

test("with the lines for metrics Prometheus sees the server, and an alert fires when it is down", async () => {
  await using machine = await openMachine();
  await install(machine);
  await machine.must(manualBlock("metrics", "HANDOFF_METRICS_LISTEN"));
  // As Prometheus passes them to the alert manager.
  const woken = Promise.withResolvers<string>();
  using pager = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const alerts: readonly { labels: Record<string, string>; annotations: Record<string, string> }[] = JSON.parse(
        await request.text(),
      );
      const down = alerts.find(({ labels }) => labels["alertname"] === "HandoffDown");
      if (down) woken.resolve(`${down.labels["severity"]}: ${down.annotations["summary"]}`);
      return new Response();
    },
  });
  const rules = machine.place("/etc/prometheus/handoff.rules.yml");
  await Bun.write(rules, readFileSync(rules, "utf8").replace(/for: .*/g, "for: 0s"));
  const config = manualBlock("metrics", "", "yaml");
  expect(config).toContain("/etc/prometheus/handoff.rules.yml");
  const path = machine.place("/etc/prometheus/prometheus.yml");
  const own = config
    .replace("/etc/", `${machine.root}/etc/`)
    .replace("127.0.0.1:9464", `127.0.0.1:${machine.metricsPort}`);
  await Bun.write(
    path,
    `global: { scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 250ms }
alerting: { alertmanagers: [{ static_configs: [{ targets: ["127.0.0.1:${pager.port}"] }] }] }
${own}`,
  );
  await using prometheus = startPrometheus(machine, path);
  const query = 'handoff_build_info * on (instance) group_left up{job="handoff"}';
  expect(await prometheus.untilFound(query)).toMatchObject({ value: [expect.any(Number), "1"] });
  expect(await prometheus.untilFound("handoff_ready")).toMatchObject({ metric: { job: "handoff" } });
  await machine.must("sudo systemctl stop handoff");
  expect(await woken.promise).toBe(
    "critical: handoff can't be scraped. Look at 'systemctl status handoff' and its log.",
  );
}, 60_000);

/** Debian's Prometheus with the settings at `path`. */
function startPrometheus(machine: Machine, path: string) {
  using port = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const address = `127.0.0.1:${port.port}`;
  const child = Bun.spawn(
    [
      "prometheus",
      `--config.file=${path}`,
      `--storage.tsdb.path=${machine.place("/var/prometheus")}`,
      `--web.listen-address=${address}`,
    ],
    { stdin: "ignore", stdout: "ignore", stderr: Bun.file(machine.place("/run/prometheus.log")) },
  );
  return {
    /** The first series that a query finds, once it finds one. */
    async untilFound(query: string): Promise<unknown> {
      for (;;) {
        if (child.exitCode !== null) throw new Error(readFileSync(machine.place("/run/prometheus.log"), "utf8"));
        const url = `http://${address}/api/v1/query?query=${encodeURIComponent(query)}`;
        const found = await fetch(url).then(
          (answer) => answer.text(),
          () => "",
        );
        const [first] = found.startsWith("{") ? JSON.parse(found).data.result : [];
        if (first !== undefined) return first;
        await Bun.sleep(50);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** The fingerprint of the certificate that a new connection gets. */
function fingerprintOf({ url }: Machine): Promise<string> {
  const address = { host: "127.0.0.1", port: Number(new URL(url).port), rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const socket = tls.connect(address, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.end();
    });
    socket.on("error", reject);
  });
}

/** Puts a new pair where an admin would have received it. Returns the fingerprint of its certificate. */
function newPair(machine: Machine, name: string): string {
  mkdirSync(machine.place(name));
  const { cert, key } = makeCertificate(machine.place(name), "handoff.example");
  copyFileSync(cert, machine.place("home/fullchain.pem"));
  copyFileSync(key, machine.place("home/privkey.pem"));
  return new X509Certificate(readFileSync(cert)).fingerprint256;
}

test("the lines for a new certificate hand it in anew, and a mismatched pair fails at the check", async () => {
  await using machine = await openMachine();
  await install(machine, { starts: false });
  const lines = manualBlock("certificates", "restart handoff");
  const unit = machine.place("/etc/systemd/system/handoff.service");
  await machine.must(`sed -Ei 's/^#(LoadCredential=|Environment=HANDOFF_TLS)/\\1/' '${unit}'`);
  for (const name of ["first", "second"]) {
    const fingerprint = newPair(machine, name);
    await machine.must(lines);
    expect(await fingerprintOf(machine)).toBe(fingerprint);
  }
  const served = await fingerprintOf(machine);
  newPair(machine, "third");
  copyFileSync(machine.place("first/key.pem"), machine.place("home/privkey.pem"));
  const refused = await machine.paste(lines);
  expect({ exitCode: refused.exitCode > 0, stderr: refused.stderr }).toEqual({
    exitCode: true,
    stderr: expect.stringContaining("do not belong together"),
  });
  expect(await fingerprintOf(machine)).toBe(served);
}, 60_000);

test("where the server reads the files itself, a reload serves the new certificate, and cuts no call", async () => {
  await using machine = await openMachine();
  await install(machine, { starts: false });
  const settings = "HANDOFF_TLS_CERT=/etc/handoff/tls.crt HANDOFF_TLS_KEY=/etc/handoff/tls.key";
  await machine.must(`printf '%s\\n' ${settings} | sudo tee -a /etc/handoff/env`);
  newPair(machine, "first");
  const lines = manualBlock("certificates", "restart handoff");
  await machine.must(lines);
  const api = apiOf(machine.url.replace("http:", "https:"), await mint(machine), {
    tls: { rejectUnauthorized: false },
  });
  const age = await machine.must(
    `age-keygen -o id.txt 2> /dev/null; echo ${TEXT} | age -r "$(age-keygen -y id.txt)" | base64 -w0 | tr '+/' '-_' | tr -d =`,
  );
  const { id } = await jsonOf(api.create(age));
  const waiting = api.find(id, "?wait=60");
  const fingerprint = newPair(machine, "second");
  await machine.must(lines.replace("systemctl restart", "systemctl reload"));
  while (!machine.log().includes("certificate read again")) await new Promise(setImmediate);
  expect(await fingerprintOf(machine)).toBe(fingerprint);
  copyFileSync(machine.place("first/key.pem"), machine.place("/etc/handoff/tls.key"));
  await machine.must("sudo systemctl reload handoff");
  while (!machine.log().includes("certificate not changed")) await new Promise(setImmediate);
  expect(machine.log()).toContain("do not belong together");
  expect(await fingerprintOf(machine)).toBe(fingerprint);
  expect((await api.revoke(id)).status).toBe(200);
  expect(await jsonOf(waiting)).toMatchObject({ id, state: "revoked" });
}, 60_000);

test("behind a proxy the lines for a new certificate give the pair to the proxy, and reload it", async () => {
  await using machine = await openMachine();
  await install(machine, { starts: false });
  for (const [proxy, keyMode] of [
    ["nginx", 0o600],
    ["caddy", 0o640],
  ] as const) {
    newPair(machine, proxy);
    // A group that every machine has, in place of Caddy's.
    const lines = manualBlock("certificates", `systemctl reload ${proxy}`).replace("-g caddy", "-g 65534");
    const reloaded = await machine.must(lines.replace("sudo systemctl reload", "echo"));
    expect(reloaded).toBe(`${proxy}\n`);
    for (const [name, own] of [
      ["tls.crt", "cert.pem"],
      ["tls.key", "key.pem"],
    ] as const) {
      const installed = machine.place(`/etc/handoff/${name}`);
      expect(readFileSync(installed, "utf8")).toBe(readFileSync(machine.place(`${proxy}/${own}`), "utf8"));
    }
    const { mode, gid } = statSync(machine.place("/etc/handoff/tls.key"));
    expect(mode & 0o777).toBe(keyMode);
    if (proxy === "caddy") expect(gid).toBe(65_534);
  }
}, 30_000);

test("with the lines for backups it is backed up while it serves, and restored", async () => {
  await using machine = await openMachine();
  await install(machine);
  const key = await mint(machine);
  const link = onMachine(await machine.must(asClient(machine, key, `echo ${TEXT} | handoff send`)), machine);
  const [path = ""] = (await machine.must(manualBlock("backups", "admin backup /var"))).trim().split("\n");
  expect(path).toMatch(/\/var\/backups\/handoff\/handoff-\w+-\w+\.backup$/);
  // A restore of the wrong backup is followed by another one.
  for (const times of [1, 2]) {
    await machine.must(manualBlock("backups", "handoff.old").replace(/\S+\.backup/, path));
    expect(await machine.must(asClient(machine, key, "handoff list"))).toContain(" revoked ");
    const folders = readdirSync(machine.place("/var/lib/private")).filter((name) => name !== "handoff");
    expect(folders).toEqual(Array.from({ length: times }, () => expect.stringMatching(/^handoff\.old-/)));
  }
  expect(await machine.paste(`echo '${link}' | handoff open --yes`)).toMatchObject({ exitCode: 4, stdout: "" });
}, 60_000);

test("with the lines for another machine keys and links go on there, and only there", async () => {
  await using before = await openMachine();
  await using after = await openMachine();
  await install(before);
  const key = await mint(before);
  const link = await before.must(asClient(before, key, `echo ${TEXT} | handoff send`));
  await before.must(manualBlock("backups", "--with-secrets"));
  await before.must("echo HANDOFF_MAX_CLAIMS=7 | sudo tee -a /etc/handoff/env");
  mkdirSync(after.place("/etc/handoff"));
  const units = readdirSync(before.place("/etc/systemd/system")).map((name) => `/etc/systemd/system/${name}`);
  for (const path of ["home/move.backup", "/etc/handoff/env", "/usr/local/bin/handoff", ...units]) {
    copyFileSync(before.place(path), after.place(path));
  }
  await after.must(manualBlock("backups", "--keep-secrets"));
  expect(await after.must(`echo '${onMachine(link, after)}' | handoff open --yes`)).toBe(`${TEXT}\n`);
  expect(await after.must(asClient(after, key, `echo ${TEXT} | handoff send`))).toStartWith(
    "https://handoff.example/s/",
  );
  expect(readFileSync(after.place("/etc/handoff/env"), "utf8")).toContain("HANDOFF_MAX_CLAIMS=7");
  expect(readdirSync(after.place("home"))).not.toContain("move.backup");
  expect(await before.paste(`echo '${onMachine(link, before)}' | handoff open --yes`)).toMatchObject({ exitCode: 6 });
}, 60_000);

test("the lines for an upgrade upgrade an older database, and restore it", async () => {
  await using machine = await openMachine();
  await install(machine);
  const key = await mint(machine);
  await machine.must("sudo systemctl stop handoff");
  takeBack(machine.place(DATA), "0012_admin_log.sql");
  await machine.must(`chmod 600 ${DATA}/handoff.db`);
  const upgraded = await machine.must(manualBlock("upgrade", "sudo ls"));
  const [copy = ""] = /before-upgrade-\S+\.backup/.exec(upgraded) ?? [];
  expect(machine.log()).toContain(`"copy":"${join(machine.place(DATA), copy)}"`);
  const later = await machine.must(asClient(machine, key, `echo ${TEXT} | handoff send`));
  await machine.must(manualBlock("upgrade", "handoff.old admin restore").replace(/before-upgrade-\S+/, copy));
  expect(await machine.must(asClient(machine, key, "handoff whoami"))).toContain(" platform");
  expect(await machine.paste(`echo '${onMachine(later, machine)}' | handoff open --yes`)).toMatchObject({
    exitCode: 4,
  });
}, 60_000);

/** Commands that note their call, and fail at the one whose number is in FAILS_AT, as functions of bash. */
const STUBS = `
call() {
  local n=1
  # Both ends of a pipe call at the same time, and each has a number of its own.
  until mkdir "$CALLS/$n" 2> /dev/null; do n=$((n + 1)); done
  echo "$*" > "$CALLS/$n/call"
  [ "$n" -ne "$FAILS_AT" ]
}
${["sudo", "sudoedit", "handoff", "scripts/build"].map((name) => `${name}() { call ${name} "$@"; }`).join("\n")}
`;

test("the lines of the manual for admins end at the first command that fails, so that no empty server takes its place", async () => {
  using folder = temporaryFolder();
  const run = async (lines: string, failsAt: number) => {
    const calls = mkdtempSync(join(folder.path, "calls-"));
    const child = Bun.spawn(["bash", "-c", STUBS + lines.replaceAll("/etc/", `${folder.path}/`)], {
      cwd: folder.path,
      env: { PATH: process.env["PATH"], CALLS: calls, FAILS_AT: String(failsAt) },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    const exitCode = await child.exited;
    const numbers = Array.from(readdirSync(calls), Number).toSorted((a, b) => a - b);
    return { exitCode, called: numbers.map((n) => readFileSync(join(calls, String(n), "call"), "utf8").trim()) };
  };
  const changing = MANUAL_TOPICS.flatMap((topic) => manualBlocks(topic)).filter((lines) =>
    /sudo (systemctl|-u postgres|install)/.test(lines),
  );
  expect(changing.length).toBeGreaterThan(10);
  for (const lines of changing) {
    const all = (await run(lines, 0)).called;
    const isPiped = (call = "") => /^(sudo tee|handoff admin (service|alerts)) /.test(`${call} `);
    for (let failsAt = 1; failsAt <= all.length; failsAt++) {
      const { exitCode, called } = await run(lines, failsAt);
      // The other end of a pipe has begun already.
      const rest = called.slice(failsAt).filter((call, index) => index > 0 || !isPiped(call));
      expect({ lines, failsAt, rest, fails: exitCode !== 0 }).toEqual({ lines, failsAt, rest: [], fails: true });
    }
  }
}, 60_000);
