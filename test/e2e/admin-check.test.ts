import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, chownSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate, makeDatedCertificate, makeVouchedCertificate } from "../support/certificates.ts";
import { mintKey, runExecutable } from "../support/executions.ts";
import { MAIL_PASSWORD, openMailServer } from "../support/mail-servers.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { until } from "../support/polls.ts";
import { startProxied } from "../support/proxied-servers.ts";
import type { ProxiedServer } from "../support/proxied-servers.ts";
import { PROXIES } from "../support/proxies.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly text: string;
}

/** Runs `admin check` on the data folder `data`. Returns the exit code and the findings, by the name of the check. */
function check(data: string, ...flags: readonly string[]) {
  return checkWith({}, data, ...flags);
}

/** Does the same with the environment `env`. */
async function checkWith(env: Readonly<Record<string, string>>, data: string, ...flags: readonly string[]) {
  const args = ["admin", "check", "--data-dir", data, "--json", ...flags];
  const { exitCode, stdout, stderr } = await runExecutable(args, env);
  expect(stderr).toBe("");
  const findings: readonly Finding[] = JSON.parse(stdout);
  return { exitCode, found: Object.fromEntries(findings.map((each) => [each.check, each])) };
}

test("when nothing is wrong, every check says so and the exit code is 0", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  await using server = await startProgram(["serve", "--data-dir", data, "--listen", "127.0.0.1:0"]);
  await mintKey(data);
  const without = await check(data, "--base-url", server.url);
  const complaints = Object.entries(without.found).filter(([, { level }]) => level !== "ok");
  expect([without.exitCode, ...complaints.map(([name]) => name)]).toEqual([1, "backups"]);
  await runExecutable(["admin", "backup", join(folder.path, "new.backup"), "--data-dir", data]);
  const { exitCode, found } = await check(data, "--base-url", server.url);
  const levels = Object.entries(found).filter(([, { level }]) => level !== "ok");
  expect({ exitCode, levels }).toEqual({ exitCode: 0, levels: [] });
  expect(Object.keys(found)).toEqual([
    "service",
    "settings",
    "data folder",
    "free room",
    "integrity",
    "version",
    "clock",
    "keys",
    "event log",
    "backups",
    "base URL",
    "health",
    "links",
    "proxy",
    "clients",
    "passkeys",
  ]);
  const table = await runExecutable(["admin", "check", "--data-dir", data, "--base-url", server.url]);
  expect(table).toMatchObject({ exitCode: 0, stderr: "" });
  expect(table.stdout).toMatch(/^ok +integrity +Every page of /m);
});

/** Checks a server behind a proxy with its settings, changed by `env`, after a backup. */
async function checkProxied(place: ProxiedServer, env: Readonly<Record<string, string>> = {}) {
  await runExecutable(["admin", "backup", `${place.data}.backup`, "--data-dir", place.data]);
  return checkWith({ ...place.settings, NODE_EXTRA_CA_CERTS: place.proxy.ca, ...env }, place.data);
}

for (const kind of PROXIES) {
  test(`with ${kind} and settings as the manual has them, nothing is wrong`, async () => {
    await using place = await startProxied(kind);
    const { exitCode, found } = await checkProxied(place);
    const levels = Object.values(found).filter(({ level }) => level !== "ok");
    expect({ exitCode, levels }).toEqual({ exitCode: 0, levels: [] });
    expect(found["clients"]?.text).toBe("They count by the address that the proxy names.");
  }, 30_000);
}

test("a line missing in nginx's configuration is reported with the line to add", async () => {
  const without = (line: string) => (block: string) => block.replace(line, "");
  const cases = [
    [
      "client_max_body_size 11m;",
      "proxy",
      "failed",
      "The proxy refuses bodies that handoff takes. Raise its limit, in nginx: client_max_body_size 11m;",
    ],
    [
      "proxy_set_header X-Forwarded-For $remote_addr;",
      "clients",
      "failed",
      expect.stringContaining("in nginx: proxy_set_header X-Forwarded-For $remote_addr; "),
    ],
  ] as const;
  for (const [line, name, level, text] of cases) {
    await using place = await startProxied("nginx", { change: without(line) });
    const { exitCode, found } = await checkProxied(place);
    const wrong = Object.values(found).filter((each) => each.level !== "ok");
    expect({ exitCode, wrong }).toEqual({ exitCode: 1, wrong: [{ check: name, level, text }] });
  }
}, 60_000);

test("a proxy that makes all clients count as one is reported, and so is a server with another base URL", async () => {
  await using place = await startProxied("nginx", { env: { HANDOFF_TRUSTED_PROXY: "" } });
  const { exitCode, found } = await checkProxied(place);
  expect(exitCode).toBe(1);
  expect(found["clients"]).toMatchObject({
    level: "warning",
    text: expect.stringContaining("Set HANDOFF_TRUSTED_PROXY to unix, "),
  });
  const elsewhere = `https://127.0.0.1:${place.proxy.port}`;
  const other = await checkProxied(place, { HANDOFF_BASE_URL: elsewhere });
  expect(other.found["base URL"]).toMatchObject({ level: "ok" });
  expect(other.found["links"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining(`links that begin with ${place.proxy.url}, not with ${elsewhere}.`),
  });
}, 30_000);

test("another installation at the base URL is reported, also when this one was restored from its backup", async () => {
  using folder = temporaryFolder();
  const [data, there, backup] = ["data", "there", "backup"].map((name) => join(folder.path, name));
  if (!data || !there || !backup) throw new Error("three names");
  await using server = await startProgram(["serve", "--data-dir", data, "--listen", "127.0.0.1:0"]);
  await runExecutable(["admin", "backup", backup, "--data-dir", data]);
  await runExecutable(["admin", "restore", backup, "--data-dir", there]);
  const url = ["--base-url", server.url];
  expect((await check(data, ...url)).found["base URL"]).toMatchObject({
    level: "ok",
    text: `The server of this database answers at ${server.url}.`,
  });
  const { exitCode, found } = await check(there, ...url);
  expect(exitCode).toBe(1);
  expect(found["base URL"]).toMatchObject({
    level: "failed",
    text: expect.stringMatching(
      /^Another handoff answers at \S+: its database has the ID [0-9a-f]{8}…, and this one [0-9a-f]{8}…\. /,
    ),
  });
  using earlier = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ status: "live", version: "0.1.0" }),
  });
  expect((await check(data, "--base-url", `http://127.0.0.1:${earlier.port}`)).found["base URL"]).toMatchObject({
    level: "warning",
    text: expect.stringContaining("of an earlier version"),
  });
  using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("hello") });
  expect((await check(data, "--base-url", `http://127.0.0.1:${other.port}`)).found["base URL"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("Something other than handoff answers"),
  });
}, 30_000);

test("every fault is reported with what to do, and nothing is changed", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const admin = (...args: readonly string[]) => runExecutable(["admin", ...args, "--data-dir", data]);
  await admin("team", "create", "ops");
  await admin("key", "create", "--team", "ops", "--identity", "ci", "--scope", "secrets:create", "--expires", "10d");
  const { cert, key } = makeCertificate(folder.path);
  const path = join(data, "handoff.db");
  const database = new Database(path);
  database.run("UPDATE clocks SET latest_at = latest_at + 10 * 86400000");
  database.close();
  const ending = await check(data, "--tls-cert", cert, "--tls-key", key, "--base-url", "http://127.0.0.1:1");
  expect(ending.exitCode).toBe(1);
  expect(ending.found["keys"]?.text).toMatch(/^A key ends within 30 days, .* Run: handoff admin key rotate key_/);
  // The clock may be right.
  expect(ending.found["clock"]).toMatchObject({
    level: "failed",
    text: expect.stringMatching(/If the clock is wrong, set it .* If it's right, .* restore a backup from before\.$/),
  });
  expect(ending.found["base URL"]).toMatchObject({ level: "failed" });
  expect(ending.found["certificate"]?.text).toMatch(/^It ends in \d+ days? \(/);
  expect((await check(data)).found["base URL"]).toMatchObject({ level: "warning" });
  expect((await check(data, "--max-claims", "0")).found).toMatchObject({
    settings: { level: "failed", text: expect.stringContaining("--max-claims is '0'") },
  });

  const bytes = readFileSync(path);
  const damaged = Buffer.from(bytes);
  damaged.fill(0xff, 4096 * 4, 4096 * 5);
  writeFileSync(path, damaged);
  const broken = await check(data);
  expect([broken.found["integrity"]?.level, broken.found["database"]?.level]).toContain("failed");
  damaged.fill(0xff, 100, 4096);
  writeFileSync(path, damaged);
  expect((await check(data)).found["database"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("is damaged. Stop the server and restore a backup."),
  });
  writeFileSync(path, bytes);
  chmodSync(path, 0o644);
  expect((await check(data)).found["data folder"]?.text).toContain(`chmod 600 '${path}'`);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect((await check(join(folder.path, "none"))).found["data folder"]).toMatchObject({ level: "failed" });
});

test("files that root can use and the server's user can't are reported before the server is restarted", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  await mintKey(data);
  const path = join(data, "handoff.db");
  const complaint = async () => {
    const { exitCode, found } = await check(data);
    expect(exitCode).toBe(1);
    return found["data folder"];
  };
  chownSync(path, 64_001, 64_001);
  expect(await complaint()).toMatchObject({
    level: "failed",
    text: expect.stringMatching(
      /handoff\.db' belongs to 64001, and the data folder to root: .* Run: chown -R 64001:\d+ '\S+\/data\/'$/,
    ),
  });
  chownSync(path, 0, 0);
  for (const [mode, at, meant] of [
    [0o400, path, "600"],
    [0o500, data, "700"],
  ] as const) {
    chmodSync(at, mode);
    expect(await complaint()).toMatchObject({
      level: "failed",
      text: `Its owner can't read and write '${at}', so the server can't start. Run: chmod ${meant} '${at}'`,
    });
    chmodSync(at, Number.parseInt(meant, 8));
  }
  expect((await check(data)).found["data folder"]).toMatchObject({ level: "ok" });
});

test("a mistyped variable is reported with the nearest setting, also when another setting is wrong", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  await mintKey(data);
  const text =
    "No setting has the name HANDOFF_MAX_CIPERTEXT, so it does nothing. The nearest name is HANDOFF_MAX_CIPHERTEXT.";
  for (const flags of [[], ["--max-claims", "0"]]) {
    const { found } = await checkWith({ HANDOFF_MAX_CIPERTEXT: "1MiB" }, data, ...flags);
    expect(found["variables"]).toMatchObject({ level: "warning", text });
  }
});

test("a proxy that can't reach the server, and a certificate that isn't trusted, are reported as such", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const { cert, key } = makeCertificate(folder.path);
  const tls = ["--tls-cert", cert, "--tls-key", key];
  await using server = await startProgram(["serve", "--data-dir", data, "--listen", "127.0.0.1:0", ...tls]);
  for (const status of [502, 503, 504]) {
    using proxy = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("no", { status }) });
    const url = `http://127.0.0.1:${proxy.port}`;
    expect((await check(data, "--base-url", url)).found["base URL"]).toMatchObject({
      level: "failed",
      text: `The proxy at ${url} doesn't reach handoff (${status}). The server of this database doesn't answer at 127.0.0.1:8080 either. Run: systemctl status handoff`,
    });
  }
  const untrusted = await check(data, "--base-url", server.url);
  expect(untrusted.found["base URL"]?.text).toMatch(
    /Can't verify the server's certificate: .* set NODE_EXTRA_CA_CERTS to its file\.$/,
  );
  const trusted = await checkWith({ NODE_EXTRA_CA_CERTS: cert }, data, "--base-url", server.url);
  expect(trusted.found["base URL"]).toMatchObject({ level: "ok" });
}, 20_000);

test("when the proxy fails, it says whether the server itself answers", async () => {
  await using place = await startProxied("nginx");
  const alone = { HANDOFF_BASE_URL: "https://localhost:1" };
  const { found } = await checkProxied(place, alone);
  const { HANDOFF_LISTEN: listen = "" } = place.settings;
  expect(found["base URL"]?.text).toBe(
    `Can't call https://localhost:1 from here. Can't reach the server. Check that it's running, and that its URL is right. The server itself answers at ${listen}: look at the DNS and the proxy, and whether the proxy may connect there.`,
  );
  place.server.kill("SIGTERM");
  await place.server.exited;
  expect((await checkProxied(place)).found["base URL"]?.text).toBe(
    `The proxy at ${place.proxy.url} doesn't reach handoff (502). The server of this database doesn't answer at ${listen} either. Run: systemctl status handoff`,
  );
}, 30_000);

test("storage troubles are reported in the server's words", async () => {
  using disk = mountTmpfs("48m");
  const data = join(disk.path, "data");
  await using server = await startProgram(["serve", "--data-dir", data, "--listen", "127.0.0.1:0"]);
  Bun.spawnSync(["dd", "if=/dev/zero", `of=${join(disk.path, "filler")}`, "bs=4096"]);
  await until(async () => !(await fetch(`${server.url}/health/ready`)).ok, 50);
  const { exitCode, found } = await check(data, "--base-url", server.url);
  expect(exitCode).toBe(1);
  expect(found["health"]).toMatchObject({
    level: "failed",
    text: expect.stringMatching(/^The disk is too full\. Creations are refused until another /),
  });
});

test("a served certificate that should have been renewed is reported with its end", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const stamp = (days: number) => dateIn(days).replace(/\.\d+|[-:T]/g, "");
  const shown = async (from: number, to: number) => {
    const { cert, key } = makeDatedCertificate(folder.path, stamp(from), stamp(to));
    const flags = ["--data-dir", data, "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key];
    await using server = await startProgram(["serve", ...flags]);
    const url = server.url.replace("127.0.0.1", "localhost");
    return (await checkWith({ NODE_EXTRA_CA_CERTS: cert }, data, "--base-url", url)).found["TLS"];
  };
  expect(await shown(-80, 10.5)).toMatchObject({
    level: "warning",
    text: expect.stringMatching(
      new RegExp(`ends in 10 days \\(${dateIn(10.5).slice(0, 10)}T\\S+Z\\)\\. Renew it, then .* read it again: sudo `),
    ),
  });
  // Certificates that live for days or hours are renewed late in their lives.
  expect(await shown(-3, 3)).toMatchObject({ level: "ok" });
}, 30_000);

test("on a full disk it says that secrets are refused now", async () => {
  using disk = mountTmpfs("8m");
  const data = join(disk.path, "data");
  await mintKey(data);
  const filler = Bun.spawnSync(["dd", "if=/dev/zero", `of=${join(disk.path, "filler")}`, "bs=4096"]);
  expect(filler.stderr.toString()).toContain("No space left");
  expect((await check(data)).found["free room"]).toMatchObject({
    level: "failed",
    text: expect.stringMatching(/^No room is left on .* Secrets are refused now\. /),
  });
});

test("NODE_EXTRA_CA_CERTS makes a provider and a mail server trusted, for their names alone", async () => {
  using folder = temporaryFolder();
  const checkOf = async (name: string) => {
    const made = makeVouchedCertificate(folder.path, name);
    const pair = { cert: readFileSync(made.cert, "utf8"), key: readFileSync(made.key, "utf8") };
    using provider = Bun.serve({ port: 0, tls: pair, fetch: () => Response.json({}) });
    await using mails = await openMailServer("tls", pair);
    const env = {
      HANDOFF_SMTP_URL: `smtps://handoff:${encodeURIComponent(MAIL_PASSWORD)}@localhost:${mails.port}`,
      HANDOFF_MAIL_FROM: "handoff@mail.test",
      HANDOFF_OIDC_ISSUER: `https://localhost:${provider.port}`,
      HANDOFF_OIDC_CLIENT_ID: "handoff",
      HANDOFF_OIDC_ALLOW: "groups=a",
      HANDOFF_BASE_URL: "http://127.0.0.1:1",
    };
    const textsWith = async (more: Readonly<Record<string, string>>) => {
      const { found } = await checkWith({ ...env, ...more }, join(folder.path, "data"));
      return [found["single sign-on"]?.text, found["mail"]?.text];
    };
    return [await textsWith({}), await textsWith({ NODE_EXTRA_CA_CERTS: made.ca })];
  };
  const unknown = expect.stringMatching(
    /The certificate of localhost(:\d+)? has an unknown issuer\. .*NODE_EXTRA_CA_CERTS/,
  );
  const trusted = [
    expect.stringContaining("doesn't answer as OpenID Connect says"),
    expect.stringMatching(/^localhost takes/),
  ];
  expect(await checkOf("localhost")).toEqual([[unknown, unknown], trusted]);
  const otherName = expect.stringMatching(/The certificate of localhost(:\d+)? is for another name\./);
  expect(await checkOf("other.example")).toEqual([
    [unknown, unknown],
    [otherName, otherName],
  ]);
}, 30_000);
