import { expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverUnit } from "../../src/cli/server/systemd/units.ts";
import { handoffCommand } from "../support/executable.ts";
import { mintKey, runExecutable } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const NOBODY = 65_534;

interface Shown {
  readonly pid?: number;
  readonly state?: string;
  readonly result?: string;
  readonly reload?: "yes" | "no";
  /** The command of the service, behind the name of the program. */
  readonly serve?: string;
  /** More variables of its environment. */
  readonly environment?: string;
}

/**
 * A machine with a service: `systemctl show` prints what systemd 252 prints for such a unit, and its EnvironmentFile=
 * exists.
 */
function openMachine() {
  const folder = temporaryFolder();
  const [bin, data, file] = [join(folder.path, "bin"), join(folder.path, "data"), join(folder.path, "env")];
  const unit = join(folder.path, "handoff.service");
  mkdirSync(bin);
  mkdirSync(`${unit}.d`);
  const shown = ({
    pid = 0,
    state = "active",
    result = "success",
    reload = "no",
    serve = `serve --data-dir ${data}`,
    environment = "",
  }: Shown) => `MainPID=${pid}
Result=${result}
ExecStart={ path=/usr/local/bin/handoff ; argv[]=/usr/local/bin/handoff ${serve} ; ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }
Environment=HANDOFF_LISTEN=127.0.0.1:0 HANDOFF_REQUIRE_ENCRYPTED=true "HANDOFF_BRAND_NAME=Two words" ${environment}
FragmentPath=${unit}
DropInPaths=${unit}.d/10.conf ${unit}.d/20.conf
EnvironmentFiles=${file} (ignore_errors=yes)
StateDirectory=handoff
LoadState=loaded
ActiveState=${state}
NeedDaemonReload=${reload}
`;
  const systemctl = (text: string, exitCode = 0) => {
    writeFileSync(join(bin, "systemctl"), `#!/bin/sh\n/bin/cat <<'END'\n${text}END\nexit ${exitCode}\n`);
    chmodSync(join(bin, "systemctl"), 0o755);
  };
  const check = async (flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
    const { exitCode, stdout } = await runExecutable(["admin", "check", "--json", ...flags], { PATH: bin, ...env });
    const findings: readonly { check: string; level: string; text: string }[] = JSON.parse(stdout);
    return { exitCode, found: Object.fromEntries(findings.map((each) => [each.check, each])) };
  };
  return {
    folder: folder.path,
    bin,
    data,
    unit,
    write: (lines: string) => writeFileSync(file, lines),
    show: (facts: Shown) => systemctl(shown(facts)),
    systemctl,
    check,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** The environment that systemd gives the service of such a machine. */
const ENVIRONMENT = {
  HANDOFF_LISTEN: "127.0.0.1:0",
  HANDOFF_REQUIRE_ENCRYPTED: "true",
  HANDOFF_BRAND_NAME: "Two words",
};

test("the settings of the running service are checked, and later changes are reported", async () => {
  using machine = openMachine();
  await mintKey(machine.data);
  await using server = await startProgram(["serve", "--data-dir", machine.data], ENVIRONMENT);
  machine.write("# Ours\n");
  machine.show({ pid: server.pid });
  const { found } = await machine.check();
  expect(found["service"]).toMatchObject({
    level: "ok",
    text: `handoff.service is running (process ${server.pid}); its settings are checked.`,
  });
  expect(found["data folder"]).toMatchObject({ level: "ok", text: expect.stringContaining(machine.data) });
  expect(found["restart"]).toBeUndefined();

  // The flags of the command come first.
  expect((await machine.check(["--base-url", server.url])).found["base URL"]).toMatchObject({ level: "ok" });
  const variable = { HANDOFF_BASE_URL: server.url };
  expect((await machine.check([], variable)).found["base URL"]).toMatchObject({ level: "ok" });

  machine.write(`; Ours\nHANDOFF_BASE_URL="${server.url}"\nHANDOFF_LISTEN=127.0.0.1:0\n`);
  const changed = await machine.check();
  expect(changed.exitCode).toBe(1);
  expect(changed.found["restart"]).toMatchObject({
    level: "warning",
    text: "Changed since the service was started: HANDOFF_BASE_URL. Run: sudo systemctl restart handoff",
  });
  machine.show({ pid: server.pid, reload: "yes" });
  expect((await machine.check()).found["restart"]?.text).toContain("sudo systemctl daemon-reload && ");

  const other = await machine.check(["--data-dir", join(machine.folder, "other")]);
  expect(other.found["service"]).toMatchObject({
    level: "ok",
    text: `handoff.service has another data folder, '${machine.data}', so the settings that this command was given are checked.`,
  });
  const url = "postgresql://handoff:secret@127.0.0.1:1/handoff";
  const elsewhere = await machine.check([], { HANDOFF_DATABASE_URL: url });
  expect(elsewhere.found["service"]?.text).toContain("handoff.service has another data folder");
  expect(elsewhere.found["database"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("'postgresql://handoff@127.0.0.1:1/handoff': PostgreSQL can't be reached"),
  });
}, 30_000);

test("a service that isn't running is checked with the settings it would start with", async () => {
  using machine = openMachine();
  await mintKey(machine.data);
  machine.write("HANDOFF_MAX_CLAIMS=0\nHANDOFF_MAX_CIPERTEXT=1MiB\n");
  machine.show({ state: "failed", result: "exit-code" });
  const { exitCode, found } = await machine.check();
  expect(exitCode).toBe(1);
  expect(found["service"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("handoff.service isn't running (failed: exit-code); its settings are checked."),
  });
  expect(found["settings"]).toMatchObject({
    level: "failed",
    text: "HANDOFF_MAX_CLAIMS is '0': expected a whole number from 1 to 100.",
  });
  expect(found["variables"]?.text).toContain("HANDOFF_MAX_CIPERTEXT");
  machine.write("");
  machine.show({ state: "inactive" });
  expect((await machine.check()).found).toMatchObject({
    service: { level: "failed", text: expect.stringContaining("isn't running (inactive)") },
    settings: { level: "ok" },
    "data folder": { level: "ok", text: expect.stringContaining(machine.data) },
  });
}, 30_000);

test("a service that is still starting counts as not running, and its process isn't read: it may still be systemd's own", async () => {
  using machine = openMachine();
  await mintKey(machine.data);
  machine.write("HANDOFF_MAX_CLAIMS=0\n");
  // A process that has neither the command nor the settings of the service, as before systemd has started the program.
  for (const [state, result, shown] of [
    ["activating", "success", "activating"],
    ["activating", "exit-code", "activating: exit-code"],
    ["deactivating", "success", "deactivating"],
  ] as const) {
    machine.show({ pid: process.pid, state, result });
    const { exitCode, found } = await machine.check();
    expect(exitCode).toBe(1);
    expect(found["service"]).toMatchObject({
      level: "failed",
      text: expect.stringContaining(`handoff.service isn't running (${shown}); its settings are checked.`),
    });
    expect(found["restart"]).toBeUndefined();
    expect(found["settings"]?.text).toBe("HANDOFF_MAX_CLAIMS is '0': expected a whole number from 1 to 100.");
  }
  machine.write("");
  expect((await machine.check()).found["data folder"]).toMatchObject({
    level: "ok",
    text: expect.stringContaining(machine.data),
  });
}, 30_000);

test("without systemd, or without the service, the settings given to the command are checked", async () => {
  using machine = openMachine();
  await mintKey(machine.data);
  const flags = ["--data-dir", machine.data];
  const given = "so the settings that this command was given are checked.";
  machine.systemctl("", 1);
  expect((await machine.check(flags)).found["service"]).toMatchObject({
    level: "ok",
    text: `No systemd runs here, ${given}`,
  });
  machine.systemctl("MainPID=0\nLoadState=not-found\nActiveState=inactive\n");
  expect((await machine.check(flags)).found["service"]?.text).toBe(`systemd has no handoff.service, ${given}`);
});

test("a user who can't read the settings of the running service is asked to use sudo", async () => {
  using machine = openMachine();
  // Root may read everything, so another user runs the check.
  expect(process.getuid?.()).toBe(0);
  await using server = await startProgram(["serve", "--data-dir", machine.data], ENVIRONMENT);
  machine.show({ pid: server.pid });
  for (const path of [machine.folder, machine.bin]) chownSync(path, NOBODY, NOBODY);
  const as = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  const child = Bun.spawn([...as, ...handoffCommand(), "admin", "check"], {
    env: { HOME: "/nonexistent", PATH: `${machine.bin}:/usr/bin:/bin` },
    stdout: "pipe",
  });
  expect(await child.stdout.text()).toMatch(/^warning +service +Only root can read .* Run this with sudo\.$/m);
  expect(await child.exited).toBe(1);
});

test("a service on PostgreSQL is checked however its database is named, and not when another one is", async () => {
  using machine = openMachine();
  const url = "postgresql://handoff@127.0.0.1:1/handoff";
  const file = join(machine.folder, "database-url");
  writeFileSync(file, url.replace("handoff@", "handoff:secret@"), { mode: 0o600 });
  machine.show({ serve: "serve", state: "inactive" });
  machine.write(`HANDOFF_DATABASE_URL_FILE=${file}\n`);
  for (const flags of [[], ["--database", url], ["--database-url-file", file]]) {
    const { found } = await machine.check(flags);
    expect(found["settings"]).toMatchObject({ level: "ok" });
    expect(found["service"]?.text).toStartWith("handoff.service isn't running");
    expect(found["database"]?.text).toStartWith(`'${url}': PostgreSQL can't be reached`);
  }
  const { found } = await machine.check(["--database", "postgresql://handoff@127.0.0.1:1/other"]);
  expect(found["service"]?.text).toStartWith(`handoff.service keeps everything in '${url}', so the settings`);
}, 30_000);

test("for a failed service on PostgreSQL the file behind its credential is read, or a warning says that it can't be", async () => {
  using machine = openMachine();
  const url = "postgresql://handoff@127.0.0.1:1/handoff";
  const file = join(machine.folder, "database-url");
  writeFileSync(file, url.replace("handoff@", "handoff:secret@"), { mode: 0o600 });
  const unit = serverUnit({ databaseUrlFile: "/nonexistent/handed-in" });
  const environment = "HANDOFF_DATABASE_URL_FILE=/run/credentials/handoff.service/database-url";
  expect(unit).toContain("Environment=HANDOFF_DATABASE_URL_FILE=%d/database-url");
  machine.show({ serve: "serve", state: "failed", result: "exit-code", environment });
  writeFileSync(machine.unit, unit);
  writeFileSync(
    join(`${machine.unit}.d`, "20.conf"),
    `[Service]\nLoadCredential=\nLoadCredential = database-url:${file}\n`,
  );
  for (const flags of [[], ["--database-url-file", file]]) {
    const { exitCode, found } = await machine.check(flags);
    expect(exitCode).toBe(1);
    expect(found["service"]).toMatchObject({
      level: "failed",
      text: expect.stringContaining("handoff.service isn't running (failed: exit-code); its settings are checked."),
    });
    expect(found["settings"]).toMatchObject({ level: "ok" });
    expect(found["database"]?.text).toStartWith(`'${url}': PostgreSQL can't be reached`);
  }
  expect((await machine.check(["--database", url.replace(/handoff$/, "other")])).found["service"]).toMatchObject({
    level: "warning",
    text: `handoff.service keeps everything in '${url}', and isn't running (failed: exit-code), so the settings that this command was given are checked.`,
  });
  writeFileSync(join(`${machine.unit}.d`, "20.conf"), "");
  const hidden =
    "handoff.service keeps everything in a PostgreSQL database, and the file with its URL can't be read while it isn't running.";
  expect((await machine.check()).found["database URL"]).toMatchObject({
    level: "warning",
    text: `${hidden} To check the database, name the file with --database-url-file.`,
  });
  const given = await machine.check(["--database-url-file", file]);
  expect(given.found["service"]?.level).toBe("failed");
  expect(given.found["database URL"]?.text).toBe(
    `${hidden} The database that this command was given is checked in its place.`,
  );
  expect(given.found["database"]?.text).toStartWith(`'${url}': PostgreSQL can't be reached`);
}, 30_000);
