import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeVouchedCertificate } from "../../test/support/certificates.ts";
import { handoffCommand } from "../../test/support/executable.ts";
import { manualBlock } from "../../test/support/manual.ts";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { bootContainer, furnish } from "./containers.ts";
import type { Container } from "./containers.ts";

// A sysadmin with a new machine and nothing but the manual. Each test continues where the previous one stopped.

const NAME = "handoff.example";
const INSTALL = manualBlock("install", "install -m 755");
const PROXY = manualBlock("proxies", "HANDOFF_TRUSTED_PROXY");
const CERTIFICATE = manualBlock("certificates", "restart handoff");

let machine: Container;
const folder = temporaryFolder();

beforeAll(async () => {
  const root = process.env["HANDOFF_BOOT_ROOT"];
  if (!root) throw new Error("run scripts/boot-units, which makes a Debian to boot");
  const [executable = ""] = handoffCommand();
  furnish(root, executable, join(import.meta.dir, "../../README.md"));
  machine = await bootContainer(root);
  const { ca, cert, key } = makeVouchedCertificate(folder.path, NAME);
  for (const [from, to] of [
    [ca, "ca.pem"],
    [cert, "fullchain.pem"],
    [key, "privkey.pem"],
  ] as const) {
    copyFileSync(from, machine.place(`root/handoff/${to}`));
  }
});

afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** The status of the answer at `url` to the question whether the server is ready. */
const ask = (url: string) =>
  machine.must(`curl -sS --cacert ca.pem -o /dev/null -w '%{http_code}' ${url}/health/ready`);

const stateOf = async (unit: string) =>
  (await machine.must(`systemctl show ${unit} -p ActiveState,Result,NRestarts | sort`)).trim().split("\n");

const RUNNING = ["ActiveState=active", "NRestarts=0", "Result=success"];

/** The lines of a unit in the journal, since `since`, that are warnings or worse. */
const warningsOf = async (unit: string, since = 0) =>
  (await machine.must(`journalctl -q -o cat -u ${unit} -p warning --since @${since} || true`))
    .split("\n")
    .filter(Boolean);

test("installed with the lines of the manual, it serves once systemctl returns", async () => {
  await machine.must(`${INSTALL}\ncurl -sSf http://127.0.0.1:8080/health/ready`);
  expect(await stateOf("handoff")).toEqual(RUNNING);
  expect(await machine.must("systemctl list-timers --no-pager")).toContain("handoff-backup.timer");
  expect(await machine.must("systemctl show handoff -p Documentation")).toContain("file:/usr/local/share/doc/handoff/");
  await machine.must("test -s /usr/local/share/doc/handoff/README.md");
});

test("a reload, a restart and a stop are done when systemctl returns, and a start that fails isn't taken for one", async () => {
  await machine.must("systemctl reload handoff && curl -sSf http://127.0.0.1:8080/health/ready");
  await machine.must("until journalctl -o cat -u handoff | grep -q 'no certificate to read again'; do sleep 0.1; done");
  await machine.must("systemctl restart handoff && curl -sSf http://127.0.0.1:8080/health/ready");
  await machine.must("systemctl stop handoff");
  expect(await stateOf("handoff")).toEqual(["ActiveState=inactive", "NRestarts=0", "Result=success"]);

  const since = Number(await machine.must("date +%s"));
  await machine.must("cp /etc/handoff/env /root/env && echo HANDOFF_MAX_CLAIMS=0 >> /etc/handoff/env");
  expect((await machine.paste("systemctl start handoff")).exitCode).not.toBe(0);
  expect(await warningsOf("handoff", since)).toContainEqual(
    expect.stringMatching(/^handoff: HANDOFF_MAX_CLAIMS is '0'/),
  );
  await machine.must("systemctl stop handoff; systemctl reset-failed handoff; cp /root/env /etc/handoff/env");

  await machine.must("echo HANDOFF_MAX_CIPERTEXT=1MiB >> /etc/handoff/env && systemctl start handoff");
  const warning = (await warningsOf("handoff", since)).find((line) => line.startsWith("{")) ?? "";
  expect(JSON.parse(warning)).toMatchObject({ level: "warn", variable: "HANDOFF_MAX_CIPERTEXT" });
  await machine.must("cp /root/env /etc/handoff/env && systemctl restart handoff");
});

test("a start fails while the file system is read-only, and succeeds by itself once it isn't, also after many tries", async () => {
  const data = "/var/lib/private/handoff";
  const dropIn = "/run/systemd/system/handoff.service.d";
  await machine.must(`systemctl stop handoff && mkdir -p ${dropIn}`);
  // The pause alone is shorter.
  await machine.must(`printf '[Service]\\nRestartSec=200ms\\n' > ${dropIn}/pause.conf && systemctl daemon-reload`);
  await machine.must(`mount --bind ${data} ${data} && mount -o remount,ro,bind ${data}`);
  expect((await machine.paste("systemctl start handoff")).exitCode).not.toBe(0);
  await machine.must('until [ "$(systemctl show handoff --value -p NRestarts)" -gt 8 ]; do sleep 0.1; done');
  await machine.must(`umount ${data} && until systemctl is-active handoff; do sleep 0.1; done`);
  await machine.must(`rm -r ${dropIn} && systemctl daemon-reload && systemctl restart handoff`);
  expect(await stateOf("handoff")).toEqual(RUNNING);
});

test("each backup of the unit is noted, and nothing is complained of", async () => {
  await machine.must("handoff admin team create blue");
  const noted: number[] = [];
  for (let i = 0; i < 2; i++) {
    await machine.must("systemctl start handoff-backup");
    noted.push(Number(await machine.must("stat -c %.9Y /var/lib/private/handoff/last-backup")));
  }
  expect(noted[1]).toBeGreaterThan(noted[0] ?? Infinity);
  expect((await machine.must("ls /var/backups/handoff")).trim().split("\n")).toHaveLength(2);
  expect(await warningsOf("handoff-backup")).toEqual([]);
});

test("in a fresh root shell an admin's commands find the database and the settings of the service, running or not", async () => {
  const list = "handoff admin team list";
  expect(await machine.must(list)).toContain("blue");
  expect(await machine.must("handoff config")).toMatch(/^base-url = .* # HANDOFF_BASE_URL of handoff\.service$/m);
  expect((await machine.paste("handoff serve --check")).stderr).toContain("The settings of handoff.service are fine.");
  const stranger = await machine.paste(`setpriv --reuid=nobody --regid=nogroup --clear-groups ${list}`);
  expect(stranger).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("Run this with sudo") });

  await machine.must("systemctl stop handoff && mv -T /var/lib/private/handoff /var/lib/private/handoff.old");
  expect((await machine.paste(list)).stderr).toContain("no database in '/var/lib/private/handoff'");
  await machine.must('handoff admin restore "$(ls /var/backups/handoff/*.backup | tail -1)"');
  expect(await machine.must(list)).toContain("blue");
  await machine.must("systemctl start handoff");
  expect(await stateOf("handoff")).toEqual(RUNNING);
  expect(await machine.must(list)).toContain("blue");
});

test("through the socket it is reached by nginx, and by Caddy, as the manual puts them before it", async () => {
  await machine.must(`${PROXY}\ncurl -sSf --unix-socket /run/handoff/socket http://localhost/health/ready`);
  expect(await machine.must("stat -c '%G %a' /run/handoff/socket")).toBe("www-data 660\n");
  await machine.must(CERTIFICATE);
  await machine.must("systemctl start nginx");
  writeFileSync(machine.place("etc/nginx/conf.d/handoff.conf"), manualBlock("proxies", "proxy_pass", "nginx"));
  await machine.must("sudo nginx -t && sudo systemctl reload nginx");
  expect(await untilServed(`https://${NAME}`)).toBe("200");
  await machine.must("systemctl stop nginx");

  // The only changes for Caddy.
  await machine.must(PROXY.replaceAll("www-data", "caddy"));
  await machine.must("chgrp caddy /etc/handoff/tls.key && chmod 640 /etc/handoff/tls.key && systemctl start caddy");
  writeFileSync(machine.place("etc/caddy/Caddyfile"), manualBlock("proxies", "reverse_proxy", "caddyfile"));
  await machine.must("sudo systemctl reload caddy");
  expect(await untilServed(`https://${NAME}`)).toBe("200");
  expect(await stateOf("handoff")).toEqual(RUNNING);
  await machine.must("systemctl stop caddy");
});

/** The expected status at `url`, waiting for it: a reloaded proxy briefly answers as before. */
async function untilServed(url: string): Promise<string> {
  for (let i = 0; i < 50; i++) {
    const { exitCode, stdout } = await machine.paste(
      `curl -sS --cacert ca.pem -o /dev/null -w '%{http_code}' ${url}/health/ready`,
    );
    if (exitCode === 0) return stdout;
    await Bun.sleep(100);
  }
  return ask(url);
}

test("without a proxy the unit that is printed for port 443 serves TLS there, and a new certificate once it is restarted", async () => {
  await machine.must("systemctl stop handoff && rm -r /etc/systemd/system/handoff.service.d");
  // Of the settings for a proxy none is left.
  await machine.must(`echo HANDOFF_BASE_URL=https://${NAME} > /etc/handoff/env`);
  await machine.must(manualBlock("install", "--listen :443"));
  await machine.must("systemctl restart handoff");
  expect(await ask(`https://${NAME}`)).toBe("200");
  await machine.must(CERTIFICATE);
  expect(await ask(`https://${NAME}`)).toBe("200");
  expect(await stateOf("handoff")).toEqual(RUNNING);
});

test("'admin check' has nothing to complain of, and the units are as they are printed", async () => {
  const { stdout } = await machine.paste("NODE_EXTRA_CA_CERTS=/root/handoff/ca.pem sudo handoff admin check --json");
  const findings: readonly { check: string; level: string }[] = JSON.parse(stdout);
  // The certificate of this test ends soon.
  expect(findings.filter(({ level, check }) => level !== "ok" && check !== "certificate")).toEqual([]);
  expect(findings.map(({ check }) => check)).toContain("backup unit");
});
