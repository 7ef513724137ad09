import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverUnit } from "../../../src/cli/server/systemd/units.ts";
import { openServiceMachine } from "../../support/service-machines.ts";
import { runHere } from "../../support/terminals.ts";

/** Makes the database in the data folder `data`. */
async function makeDatabase(data: string): Promise<void> {
  expect(await runHere(["admin", "team", "create", "ops", "--data-dir", data], {})).toMatchObject({ exitCode: 0 });
}

test("a service that isn't running is checked with the settings it would start with", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
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
});

test("a service that is still starting counts as not running, and its process isn't read: it may still be systemd's own", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
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
});

test("without systemd, or without the service, the settings given to the command are checked", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
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

const URL = "postgresql://handoff@127.0.0.1:1/handoff";

test("a command that names a data folder or database has only its own settings checked, and a failed service is reported", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
  machine.write("HANDOFF_MAX_CLAIMS=0\n");
  const named =
    "This command names a data folder or database, so the settings that this command was given are checked.";
  for (const [result, state, text, level] of [
    ["success", "inactive", named, "ok"],
    ["success", "activating", `handoff.service isn't running (activating). ${named}`, "warning"],
    ["exit-code", "failed", `handoff.service isn't running (failed: exit-code). ${named}`, "warning"],
  ] as const) {
    machine.show({ state, result });
    const { found } = await machine.check(["--data-dir", machine.data]);
    expect(found["service"]).toEqual({ check: "service", level, text });
    expect(found["settings"]).toMatchObject({ level: "ok" });
    expect(found["data folder"]).toMatchObject({ level: "ok" });
    const elsewhere = await machine.check([], { HANDOFF_DATABASE_URL: URL });
    expect(elsewhere.found["service"]).toEqual({ check: "service", level, text });
    expect(elsewhere.found["database"]?.text).toStartWith(`'${URL}': PostgreSQL can't be reached`);
  }
});

test("a command that names another file of settings than the service has it checked alone", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
  machine.write("HANDOFF_MAX_CLAIMS=0\n");
  const [file, other] = ["handoff.toml", "other.toml"].map((name) => join(machine.folder, name));
  for (const path of [file, other]) writeFileSync(path ?? "", `data-dir = "${machine.data}"\n`);
  machine.show({ state: "inactive", serve: "serve", environment: `HANDOFF_CONFIG=${file}` });
  const { found } = await machine.check(["--config", other ?? ""]);
  expect(found["service"]?.text).toContain("This command names another file of settings, so");
  expect(found["settings"]).toMatchObject({ level: "ok" });
  expect((await machine.check()).found["settings"]?.text).toContain("HANDOFF_MAX_CLAIMS is '0'");
});

test("a failed service on PostgreSQL is checked with the file behind its credential", async () => {
  using machine = openServiceMachine(runHere);
  const file = join(machine.folder, "database-url");
  writeFileSync(file, URL.replace("handoff@", "handoff:secret@"), { mode: 0o600 });
  const unit = serverUnit({ databaseUrlFile: "/nonexistent/handed-in" });
  expect(unit).toContain("Environment=HANDOFF_DATABASE_URL_FILE=%d/database-url");
  const environment = "HANDOFF_DATABASE_URL_FILE=/run/credentials/handoff.service/database-url";
  machine.show({ serve: "serve", state: "failed", result: "exit-code", environment });
  writeFileSync(machine.unit, unit);
  const dropIn = join(`${machine.unit}.d`, "20.conf");
  writeFileSync(dropIn, `[Service]\nLoadCredential=\nLoadCredential = database-url:${file}\n`);
  const { exitCode, found } = await machine.check();
  expect(exitCode).toBe(1);
  expect(found["service"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("handoff.service isn't running (failed: exit-code); its settings are checked."),
  });
  expect(found["settings"]).toMatchObject({ level: "ok" });
  expect(found["database"]?.text).toStartWith(`'${URL}': PostgreSQL can't be reached`);

  writeFileSync(dropIn, "");
  expect((await machine.check()).found["database"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("Can't read the URL of the database in '/nonexistent/handed-in'"),
  });
});

test("a running service is checked with the settings of its process, and with the unit's when that can't be read", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
  machine.write("");
  // A process with the arguments and the environment of a server: the builtin keeps the shell from replacing itself.
  const words = ["/bin/sh", "-c", "read line", "handoff", "serve", "--data-dir", machine.data];
  const server = Bun.spawn(words, { env: { HANDOFF_MAX_CLAIMS: "0" }, stdin: "pipe" });
  machine.show({ pid: server.pid, serve: "serve --data-dir /nonexistent" });
  const { found } = await machine.check();
  expect(found["service"]).toMatchObject({
    level: "ok",
    text: `handoff.service is running (process ${server.pid}); its settings are checked.`,
  });
  expect(found["settings"]?.text).toBe("HANDOFF_MAX_CLAIMS is '0': expected a whole number from 1 to 100.");
  expect(found["restart"]?.text).toContain("since the service was started: HANDOFF_BRAND_NAME, HANDOFF_LISTEN, ");
  await server.stdin.end();
  await server.exited;

  machine.show({ pid: server.pid });
  const unreadable = await machine.check();
  expect(unreadable.found["service"]).toMatchObject({ level: "warning", text: expect.stringContaining("Only root") });
  expect(unreadable.found["restart"]).toBeUndefined();
  expect(unreadable.found["data folder"]).toMatchObject({ level: "ok" });
});

/** A running server's process: it has these variables and those of the unit, as systemd has given them. */
function startService(env: Readonly<Record<string, string>>) {
  const unit = { HANDOFF_LISTEN: "127.0.0.1:0", HANDOFF_REQUIRE_ENCRYPTED: "true", HANDOFF_BRAND_NAME: "Two words" };
  const server = Bun.spawn(["/bin/sh", "-c", "read line", "handoff", "serve"], {
    env: { ...unit, ...env },
    stdin: "pipe",
  });
  return {
    pid: server.pid,
    async [Symbol.asyncDispose]() {
      await server.stdin.end();
      await server.exited;
    },
  };
}

test("a restart is only advised when the server would take what has changed, and else what it refuses is said", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
  await using server = startService({ HANDOFF_DATA_DIR: machine.data });
  machine.show({ pid: server.pid });
  const kept = `HANDOFF_DATA_DIR=${machine.data}\n`;
  machine.write(`${kept}HANDOFF_MAX_CLAIMS=7\n`);
  expect((await machine.check()).found["restart"]).toEqual({
    check: "restart",
    level: "warning",
    text: "Changed since the service was started: HANDOFF_MAX_CLAIMS. Run: sudo systemctl restart handoff",
  });
  for (const [line, refusal] of [
    ["HANDOFF_MAX_EXPIRES=2d", "--default-expires is above --max-expires"],
    ["HANDOFF_BRAND_COLOR=#ffff00", "HANDOFF_BRAND_COLOR"],
    ["HANDOFF_LOG_LEVEL=loud", "HANDOFF_LOG_LEVEL is 'loud'"],
    ["HANDOFF_BRAND_LOGO=/nonexistent/logo.svg", "/nonexistent/logo.svg"],
    ["HANDOFF_BRAND_COLOUR=#14563f", "Did you mean HANDOFF_BRAND_COLOR?"],
  ] as const) {
    machine.write(`${kept}${line}\n`);
    const { exitCode, found } = await machine.check();
    expect(exitCode).toBe(1);
    const { level, text } = found["restart"] ?? {};
    expect(level).toBe("failed");
    expect(text).toMatch(/^Changed since .* Don't restart it before this is mended: /);
    expect(text).toContain(refusal);
    expect(text).not.toContain("systemctl");
  }
});

test("settings that a stopped service would not start with fail, though they can be read", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
  machine.show({ state: "failed", result: "exit-code" });
  machine.write("HANDOFF_BRAND_LOGO=/nonexistent/logo.svg\n");
  expect((await machine.check()).found["settings"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("/nonexistent/logo.svg"),
  });
});

test("a group of the socket that the service isn't in fails, until the unit has it and sees it", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
  machine.write(`HANDOFF_LISTEN=unix:${machine.folder}/socket\nHANDOFF_SOCKET_GROUP=www-data\n`);
  const groupOf = async (more: string) => {
    machine.show({ state: "failed", more });
    return (await machine.check()).found["socket group"];
  };
  expect(await groupOf("User=handoff\nGroup=handoff\nPrivateUsers=yes\n")).toMatchObject({
    level: "failed",
    text: expect.stringMatching(/the service isn't in this group.*SupplementaryGroups=www-data and PrivateUsers=no$/),
  });
  const isIn = "User=handoff\nGroup=handoff\nSupplementaryGroups=www-data\n";
  expect((await groupOf(`${isIn}PrivateUsers=yes\n`))?.text).toContain("the service sees no other groups than its own");
  expect(await groupOf(`${isIn}PrivateUsers=no\n`)).toBeUndefined();
  expect(await groupOf("User=handoff\nGroup=www-data\nPrivateUsers=yes\n")).toBeUndefined();
  expect(await groupOf("User=root\n")).toBeUndefined();
});

test("a socket for a proxy that is left in the file of a service without one fails", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
  const listenOf = async (environment: string) => {
    machine.show({ state: "inactive", environment });
    return (await machine.check()).found["listen"];
  };
  machine.write(`HANDOFF_LISTEN=unix:${machine.folder}/socket\n`);
  expect(await listenOf("HANDOFF_LISTEN=:443")).toMatchObject({
    level: "failed",
    text: expect.stringContaining("comes before HANDOFF_LISTEN=:443 in the unit"),
  });
  expect((await listenOf("HANDOFF_ACME=handoff.example"))?.text).toContain("HANDOFF_ACME=handoff.example in the unit");
  expect(await listenOf("HANDOFF_LISTEN=127.0.0.1:8080")).toBeUndefined();
  machine.write("");
  expect(await listenOf("HANDOFF_LISTEN=:443")).toBeUndefined();
});

test("a file of variables that systemd ignores, or a line of it, is reported, and no restart is advised", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
  await using server = startService({ HANDOFF_DATA_DIR: machine.data, HANDOFF_BASE_URL: "http://127.0.0.1:1" });
  machine.show({ pid: server.pid });
  const lines = `HANDOFF_DATA_DIR=${machine.data}\nHANDOFF_BASE_URL=http://127.0.0.1:1\n`;
  machine.write(Buffer.from(`${lines}HANDOFF_BRAND_NAME=Caf\xe9\n`, "latin1"));
  const { found } = await machine.check();
  expect(found["variables file"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining(", line 3: it has bytes that aren't UTF-8, so systemd ignores the whole file"),
  });
  expect(found["restart"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("Don't restart it before this is mended: see 'variables file' above."),
  });
  machine.write(`${lines}export HANDOFF_MAX_CLAIMS=7\n`);
  expect((await machine.check()).found["variables file"]).toMatchObject({
    level: "warning",
    text: expect.stringContaining(", line 3: "),
  });
});

test("the units of backups are looked at with the service, and not with another data folder", async () => {
  using machine = openServiceMachine(runHere);
  await makeDatabase(machine.data);
  machine.backups.service = "LoadState=loaded\nActiveState=failed\nResult=exit-code\n";
  machine.backups.timer = "LoadState=loaded\nActiveState=active\n";
  machine.show({ state: "inactive" });
  expect((await machine.check()).found["backups"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("handoff-backup.service failed (exit-code)"),
  });
  expect((await machine.check(["--data-dir", machine.data])).found["backups"]).toMatchObject({ level: "warning" });

  machine.backups.service = "LoadState=loaded\nActiveState=inactive\nResult=success\n";
  machine.backups.timer = "LoadState=loaded\nActiveState=inactive\n";
  machine.show({ state: "inactive" });
  expect((await machine.check()).found["backups"]?.text).toContain("handoff-backup.timer isn't active");
  const backup = join(machine.folder, "new.backup");
  expect(await runHere(["admin", "backup", backup, "--data-dir", machine.data], {})).toMatchObject({ exitCode: 0 });
  machine.backups.timer = "LoadState=loaded\nActiveState=active\n";
  machine.show({ state: "inactive" });
  expect((await machine.check()).found["backups"]).toMatchObject({ level: "ok" });
});
