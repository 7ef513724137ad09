import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { bootContainer } from "../../boots/containers.ts";
import type { Container } from "../../boots/containers.ts";
import { makeDeb } from "../deb.ts";
import { packageFiles } from "../package-files.ts";
import { readSource } from "../source.ts";
import { fileOfRelease } from "./releases.ts";

// What a sysadmin does with the package, from its installation to its end. Each test continues where the previous one
// stopped.

const DATA = "/var/lib/private/handoff";
const CLIENT = "export HANDOFF_URL=http://127.0.0.1:8080 HANDOFF_API_KEY_FILE=/root/key";

let machine: Container;

beforeAll(async () => {
  const root = process.env["HANDOFF_BOOT_ROOT"];
  if (!root) throw new Error("run scripts/release-tests, which makes a Debian to boot");
  const home = join(root, "root/handoff");
  mkdirSync(home, { recursive: true });
  copyFileSync(fileOfRelease("_amd64.deb"), join(home, "new.deb"));
  // The same program under an older version.
  const files = packageFiles({ executable: fileOfRelease("-linux-x64"), manPages: "dist/man" });
  const source = { ...(await readSource()), version: "0.0.9" };
  await makeDeb({ files, source, directory: home, arch: "amd64" });
  machine = await bootContainer(root);
});

afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
});

/** Whether a unit is active, and whether it is enabled. */
const stateOf = async (unit: string) =>
  (await machine.paste(`systemctl is-active ${unit} || true; systemctl is-enabled ${unit} || true`)).stdout
    .trim()
    .split("\n");

const pid = () => machine.must("systemctl show -P MainPID handoff");
const isThere = async (path: string) => (await machine.paste(`test -e ${path}`)).exitCode === 0;

test("an installation starts and enables nothing", async () => {
  await machine.must("dpkg -i handoff_0.0.9_amd64.deb");
  expect(await stateOf("handoff")).toEqual(["inactive", "disabled"]);
  expect(await stateOf("handoff-backup.timer")).toEqual(["inactive", "disabled"]);
  expect(await machine.must("dpkg -V handoff")).toBe("");
});

test("once it is enabled it serves by its settings file, and a secret is sent and opened", async () => {
  await machine.must("sed -i 's/^#max-claims = .*/max-claims = 3/' /etc/handoff/handoff.toml");
  await machine.must("systemctl enable --now handoff handoff-backup.timer");
  expect(await stateOf("handoff")).toEqual(["active", "enabled"]);
  expect(await stateOf("handoff-backup.timer")).toEqual(["active", "enabled"]);
  const admin = `--data-dir ${DATA}`;
  const create = `handoff admin key create ${admin} --team ops --identity me --scope secrets:create`;
  await machine.must(`umask 077; handoff admin team create ops ${admin} && ${create} >/root/key`);
  await machine.must(`${CLIENT}; umask 077; echo one | handoff send >/root/one; echo two | handoff send >/root/two`);
  expect(await machine.must("handoff open --yes </root/one")).toBe("one\n");
  const refused = await machine.paste(`${CLIENT}; echo three | handoff send --claims 4`);
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain("3");
});

test("bash completes its commands", async () => {
  const ask = "COMP_LINE='handoff adm' COMP_POINT=11 COMP_WORDS=(handoff adm) COMP_CWORD=1; _handoff";
  const lines = `set +eu; source /usr/share/bash-completion/completions/handoff; ${ask}; echo "\${COMPREPLY[@]}"`;
  expect(await machine.must(lines)).toBe("admin\n");
});

test("the backup unit makes a backup, and 'admin check' knows the service", async () => {
  await machine.must("systemctl start handoff-backup");
  expect((await machine.must("ls /var/backups/handoff")).trim().split("\n")).toHaveLength(1);
  const { stdout } = await machine.paste("handoff admin check --json");
  const findings: readonly { check: string; level: string; text: string }[] = JSON.parse(stdout);
  expect(findings.filter(({ level }) => level === "failed")).toEqual([]);
  expect(findings.find(({ check }) => check === "service")?.text).toContain("handoff.service is running");
});

test("an upgrade restarts what runs, and keeps settings and secrets", async () => {
  const before = await pid();
  await machine.must("dpkg -i new.deb && curl -sSf http://127.0.0.1:8080/health/ready");
  expect(await pid()).not.toBe(before);
  expect(await stateOf("handoff")).toEqual(["active", "enabled"]);
  expect(await machine.must("grep ^max-claims /etc/handoff/handoff.toml")).toBe("max-claims = 3\n");
  expect(await machine.must("handoff open --yes </root/two")).toBe("two\n");
});

test("an upgrade starts nothing that is stopped", async () => {
  await machine.must("systemctl stop handoff && dpkg -i handoff_0.0.9_amd64.deb new.deb");
  expect(await stateOf("handoff")).toEqual(["inactive", "enabled"]);
  await machine.must("systemctl start handoff");
});

test("a removal stops it and keeps data and settings, and a second installation goes on with them", async () => {
  await machine.must("dpkg -r handoff");
  expect((await stateOf("handoff"))[0]).toBe("inactive");
  expect((await stateOf("handoff-backup.timer"))[0]).toBe("inactive");
  expect(await isThere("/usr/bin/handoff")).toBe(false);
  await machine.must(`test -s ${DATA}/handoff.db && test -e /etc/handoff/handoff.toml`);
  await machine.must("dpkg -i new.deb");
  expect(await stateOf("handoff")).toEqual(["inactive", "enabled"]);
  await machine.must("systemctl start handoff");
  expect(await machine.must(`handoff admin team list --data-dir ${DATA}`)).toContain("ops");
});

test("a purge removes the settings, says where the data stays, and leaves nothing enabled", async () => {
  const purged = await machine.paste("dpkg -P handoff");
  expect(purged.exitCode).toBe(0);
  expect(purged.stderr).toContain(`handoff: ${DATA} stays.`);
  expect(await isThere("/etc/handoff")).toBe(false);
  expect(await machine.must("find /etc/systemd /var/lib/systemd -name '*handoff*'")).toBe("");
  await machine.must(`test -s ${DATA}/handoff.db && ls /var/backups/handoff/*.backup`);
});
