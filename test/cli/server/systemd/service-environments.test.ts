import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openMailServer } from "../../../support/mail-servers.ts";
import { openServiceMachine } from "../../../support/service-machines.ts";
import { runHere } from "../../../support/terminals.ts";

/** A machine whose service has the team `ops`, and an admin whose own data folder is elsewhere. */
async function openAdminMachine() {
  const machine = openServiceMachine(runHere);
  const env = { PATH: machine.bin, HOME: join(machine.folder, "home") };
  machine.write("HANDOFF_BASE_URL=https://handoff.example\n");
  machine.show({ state: "inactive" });
  await runHere(["admin", "team", "create", "ops", "--data-dir", machine.data], {});
  const run = (line: string, more: Readonly<Record<string, string>> = {}) =>
    runHere(line.split(" "), { ...env, ...more });
  return { ...machine, env, run };
}

test("admin commands work on the database of the machine's service, with its base URL", async () => {
  using machine = await openAdminMachine();
  expect((await machine.run("admin team list")).stdout).toContain("ops");
  const added = await machine.run("admin person add ann@example.com --team ops");
  expect(added.stdout).toStartWith("https://handoff.example/");
  const own = await machine.run("admin person add bob@example.com --team ops", {
    HANDOFF_BASE_URL: "https://other.example",
  });
  expect(own.stdout).toStartWith("https://other.example/");
  expect((await machine.run("admin person list")).stdout).toContain("bob@example.com");
});

test("a test mail goes through the mail server of the machine's service", async () => {
  using machine = await openAdminMachine();
  await using mails = await openMailServer();
  machine.write(`HANDOFF_SMTP_URL=smtp://localhost:${mails.port}\nHANDOFF_MAIL_FROM=handoff@mail.test\n`);
  expect(await machine.run("admin mail test ann@a.test")).toMatchObject({ exitCode: 0 });
  expect(await machine.run("admin mail test ann@a.test --mail-from ops@mail.test")).toMatchObject({ exitCode: 0 });
  expect(mails.mails.map(({ from }) => from)).toEqual(["handoff@mail.test", "ops@mail.test"]);
});

test("a flag or variable that names a data folder, a database or another file of settings counts alone", async () => {
  using machine = await openAdminMachine();
  const elsewhere = join(machine.folder, "elsewhere");
  const settings = join(machine.folder, "other.toml");
  writeFileSync(settings, `data-dir = "${elsewhere}"\n`);
  const nothing = { exitCode: 2, stdout: "", stderr: expect.stringContaining(`no database in '${elsewhere}'`) };
  expect(await machine.run(`admin team list --data-dir ${elsewhere}`)).toMatchObject(nothing);
  expect(await machine.run("admin team list", { HANDOFF_DATA_DIR: elsewhere })).toMatchObject(nothing);
  expect(await machine.run("admin team list", { STATE_DIRECTORY: elsewhere })).toMatchObject(nothing);
  expect(await machine.run("admin team list", { HANDOFF_CONFIG: settings })).toMatchObject(nothing);
  expect(await machine.run(`admin team list --config ${settings}`)).toMatchObject(nothing);
  expect(await machine.run("admin team list", { HANDOFF_DATABASE_URL: "" })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("HANDOFF_DATABASE_URL is empty"),
  });
});

test("the settings file of the service names its database, and so does the command of its unit", async () => {
  using machine = await openAdminMachine();
  const settings = join(machine.folder, "handoff.toml");
  writeFileSync(settings, `data-dir = "${machine.data}"\nmax-claims = 7\n`);
  const environment = `HANDOFF_CONFIG=${settings} HANDOFF_DATABASE_URL=postgresql://overridden.example/handoff`;
  machine.show({ state: "inactive", environment });
  expect((await machine.run("admin team list")).stdout).toContain("ops");
  machine.show({ state: "inactive", serve: "serve", environment: `HANDOFF_CONFIG=${settings}` });
  expect((await machine.run("admin team list")).stdout).toContain("ops");
  expect((await machine.run(`admin team list --config ${settings}`)).stdout).toContain("ops");
  expect((await machine.run("config")).stdout).toMatch(/^max-claims = 7 +# max-claims in '\S+handoff.toml'$/m);
});

test("config prints the settings of the service's next start and their source, serve --check checks them, and serve takes none", async () => {
  using machine = await openAdminMachine();
  const { stdout } = await machine.run("config");
  expect(stdout).toMatch(/^base-url = "https:\/\/handoff\.example" +# HANDOFF_BASE_URL of handoff\.service$/m);
  expect(stdout).toMatch(/^max-claims = 100 +# default$/m);
  const overridden = await machine.run("config", { HANDOFF_BASE_URL: "https://other.example" });
  expect(overridden.stdout).toMatch(/^base-url = "https:\/\/other\.example" +# HANDOFF_BASE_URL$/m);
  expect((await machine.run("serve --check")).stderr).toContain("The settings of handoff.service are fine.");
  machine.write("HANDOFF_MAX_CLAIMS=0\n");
  const refused = { exitCode: 2, stderr: expect.stringContaining("HANDOFF_MAX_CLAIMS is '0'") };
  expect(await machine.run("serve --check")).toMatchObject(refused);
  expect(await machine.run("config")).toMatchObject(refused);
  // It gets past reading settings, of which the service's would be refused.
  expect(await machine.run("serve --listen unix:relative/nowhere")).toMatchObject({
    exitCode: 2,
    stderr: expect.not.stringContaining("HANDOFF_MAX_CLAIMS"),
  });
});

test("serve --check refuses a file that systemd ignores, or reads otherwise than it was meant, and config warns of it", async () => {
  using machine = await openAdminMachine();
  for (const [text, line, fault] of [
    [Buffer.from("HANDOFF_BASE_URL=https://handoff.example\nHANDOFF_BRAND_NAME=\xe9\n", "latin1"), 2, "it has bytes"],
    ["export HANDOFF_MAX_CLAIMS=7\n", 1, "what is before its = isn't the name of a variable"],
    ["\nthis is no line\n", 2, "there is no = in it"],
  ] as const) {
    machine.write(text);
    const said = `${join(machine.folder, "env")}', line ${line}: ${fault}`;
    expect(await machine.run("serve --check")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
    expect(await machine.run("config")).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^Warning: [^]*', line /),
    });
  }
});

test("config prints values in quotes as systemd reads them", async () => {
  using machine = await openAdminMachine();
  machine.write('HANDOFF_BRAND_NAME="a\\"b"\n');
  expect((await machine.run("config")).stdout).toContain(String.raw`brand-name = "a\"b"`);
});
