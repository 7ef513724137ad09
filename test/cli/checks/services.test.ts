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

test("a service on PostgreSQL is checked however its database is named, and not when another one is", async () => {
  using machine = openServiceMachine(runHere);
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
});

test("for a failed service on PostgreSQL the file behind its credential is read, or a warning says that it can't be", async () => {
  using machine = openServiceMachine(runHere);
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
  expect((await machine.check(["--data-dir", "/nonexistent"])).found["service"]).toMatchObject({
    level: "ok",
    text: expect.stringContaining(`handoff.service has another data folder, '${machine.data}'`),
  });
  await server.stdin.end();
  await server.exited;

  machine.show({ pid: server.pid });
  const unreadable = await machine.check();
  expect(unreadable.found["service"]).toMatchObject({ level: "warning", text: expect.stringContaining("Only root") });
  expect(unreadable.found["restart"]).toBeUndefined();
  expect(unreadable.found["data folder"]).toMatchObject({ level: "ok" });
});
