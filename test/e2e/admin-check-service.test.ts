import { expect, test } from "bun:test";
import { chownSync } from "node:fs";
import { handoffCommand } from "../support/executable.ts";
import { mintKey, runExecutable } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import { openServiceMachine } from "../support/service-machines.ts";

const NOBODY = 65_534;

/** The environment that systemd gives such a service. */
const ENVIRONMENT = {
  HANDOFF_LISTEN: "127.0.0.1:0",
  HANDOFF_REQUIRE_ENCRYPTED: "true",
  HANDOFF_BRAND_NAME: "Two words",
};

test("the settings of the running service are checked, and later changes are reported", async () => {
  using machine = openServiceMachine(runExecutable);
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

  // The flags of the command take precedence.
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
}, 30_000);

test("a user who can't read the settings of the running service is asked to use sudo", async () => {
  using machine = openServiceMachine(runExecutable);
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

test("a user without a database who may not use the service's is asked to use sudo, and an own one is used", async () => {
  using machine = openServiceMachine(runExecutable);
  expect(process.getuid?.()).toBe(0);
  await mintKey(machine.data);
  machine.write("");
  machine.show({ state: "inactive" });
  for (const path of [machine.folder, machine.bin]) chownSync(path, NOBODY, NOBODY);
  const as = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  const run = async (line: string) => {
    const child = Bun.spawn([...as, ...handoffCommand(), ...line.split(" ")], {
      env: { HOME: machine.folder, PATH: `${machine.bin}:/usr/bin:/bin` },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { exitCode, stdout, stderr };
  };
  expect(await run("admin team list")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Run this with sudo, or name another data folder with --data-dir."),
  });
  expect((await run("config")).stderr).toContain("These aren't the settings of handoff.service.");
  expect((await run("serve --check")).stderr).toContain("They aren't those of handoff.service.");
  expect((await run("admin team create own")).exitCode).toBe(0);
  expect((await run("admin team list")).stdout).toContain("own");
});
