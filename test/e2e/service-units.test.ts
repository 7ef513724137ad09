import { expect, test } from "bun:test";
import { appendFileSync, chownSync, lstatSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { runExecutable } from "../support/executions.ts";
import { settingsOfReadme } from "../support/proxied-servers.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const NOBODY = 65_534;
const UNITS = [
  ["handoff.service", []],
  ["handoff-backup.service", ["--backup"]],
  ["handoff-backup.timer", ["--backup", "--timer"]],
] as const;
const OVER_POSTGRES = ["--database-url-file", "/etc/handoff/database-url"];

/** The units as they are printed, in a folder that is gone afterwards, for a program that is there on every machine. */
async function printUnits(more: readonly string[] = []) {
  const folder = temporaryFolder();
  const units = new Map<string, string>();
  for (const [name, flags] of UNITS) {
    const { exitCode, stdout, stderr } = await runExecutable(["admin", "service", ...flags, ...more]);
    expect({ name, exitCode, stderr }).toEqual({ name, exitCode: 0, stderr: "" });
    units.set(name, stdout);
    writeFileSync(join(folder.path, name), stdout.replaceAll("/usr/local/bin/handoff", "/bin/true"));
  }
  return { folder: folder.path, units, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

async function analyze(...args: readonly string[]): Promise<{ readonly exitCode: number; readonly text: string }> {
  const child = Bun.spawn(["systemd-analyze", ...args], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, text: stdout + stderr };
}

// A backup of PostgreSQL may speak to others, and has to.
test.each([
  [[], 1.5],
  [OVER_POSTGRES, 1.8],
])(
  "systemd takes the units as they are printed, and finds little that the server and its backup could do besides: %p",
  async (more, exposure) => {
    using printed = await printUnits(more);
    const paths = UNITS.map(([name]) => join(printed.folder, name));
    expect(await analyze("verify", ...paths)).toEqual({ exitCode: 0, text: "" });
    for (const path of paths.filter((each) => each.endsWith(".service"))) {
      const { text } = await analyze("security", "--offline=true", "--no-pager", path);
      expect(Number(/exposure level for \S+: (\d+\.\d)/.exec(text)?.[1])).toBeLessThanOrEqual(exposure);
    }
  },
);

test("units for PostgreSQL hand the file with its URL in, and have no path in which systemd would see more than a path", async () => {
  using printed = await printUnits(OVER_POSTGRES);
  const [service = "", backup = ""] = ["handoff.service", "handoff-backup.service"].map((each) =>
    printed.units.get(each),
  );
  for (const unit of [service, backup])
    expect(unit).toContain("\nLoadCredential=database-url:/etc/handoff/database-url\n");
  expect(service).toContain("\nEnvironment=HANDOFF_DATABASE_URL_FILE=%d/database-url\n");
  expect(backup).toContain(" --database-url-file %d/database-url\n");
  expect(backup).not.toMatch(/data-dir|PrivateNetwork/);
  for (const path of ["database-url", "/etc/%i", "/etc/a b", "/etc/x\nExecStart=/bin/true", ""]) {
    const { exitCode, stdout, stderr } = await runExecutable(["admin", "service", "--database-url-file", path]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain("--database-url-file is for systemd: a path that begins with /");
  }
});

test("the variables that the unit names are settings, and what it says to put into one is taken", async () => {
  using printed = await printUnits();
  const unit = printed.units.get("handoff.service") ?? "";
  const given = [...unit.matchAll(/(HANDOFF_[A-Z_]+)=(\S+)/g)].map(
    ([, name = "", value = ""]) => [name, value] as const,
  );
  const env = Object.fromEntries(given.filter(([name]) => !/TLS|SOCKET/.test(name)));
  const { exitCode, stderr } = await runExecutable(["serve", "--check", "--log-level", "info"], {
    ...env,
    HANDOFF_LISTEN: "127.0.0.1:8080",
  });
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain("unknown variable");
  expect(given.map(([name]) => name)).toContain("HANDOFF_TLS_CERT");
});

test("systemd takes what the README adds for a proxy, and its settings are ones that the server takes", async () => {
  using printed = await printUnits();
  const settings = await settingsOfReadme(printed.folder, join(printed.folder, "socket"));
  const units = join(printed.folder, "etc/systemd/system");
  renameSync(join(printed.folder, "handoff.service"), join(units, "handoff.service"));
  expect(await analyze("verify", join(units, "handoff.service"))).toEqual({ exitCode: 0, text: "" });
  // It is read: what is wrong in it is complained of.
  appendFileSync(join(units, "handoff.service.d/proxy.conf"), "NoSuchThing=yes\n");
  expect((await analyze("verify", join(units, "handoff.service"))).text).toContain("NoSuchThing");
  const checked = await runExecutable(["serve", "--check", "--base-url", "https://handoff.example"], settings);
  expect(checked).toMatchObject({ exitCode: 0 });
  expect(checked.stderr).not.toContain("unknown variable");
});

test("sockets with a group, that of the metrics too, can be connected to by that group, and a group that is none is named", async () => {
  using folder = temporaryFolder();
  const socket = join(folder.path, "socket");
  const args = ["serve", "--data-dir", join(folder.path, "data"), "--listen"];
  const metrics = join(folder.path, "metrics");
  // Root may give it to any group, so that it can be told from its own.
  const group = process.getuid?.() === 0 ? NOBODY : (process.getgid?.() ?? NOBODY);
  const flags = ["--socket-group", String(group), "--metrics-listen", `unix:${metrics}`];
  await using _ = await startProgram([...args, `unix:${socket}`, ...flags]);
  for (const path of [socket, metrics]) {
    expect(lstatSync(path)).toMatchObject({ gid: group });
    expect(lstatSync(path).mode & 0o777).toBe(0o660);
  }
  expect((await fetch("http://localhost/metrics", { unix: metrics })).status).toBe(200);
  // The metrics alone may have a socket.
  expect(await runExecutable(["serve", "--check", "--listen", "127.0.0.1:0", ...flags])).toMatchObject({ exitCode: 0 });
  const refusals: readonly (readonly [args: readonly string[], text: string])[] = [
    [
      [`unix:${socket}2`, "--socket-group", "no-such-group"],
      "--socket-group is 'no-such-group': there is no such group",
    ],
    [["127.0.0.1:0", "--socket-group", "root"], "--socket-group is of a socket: it needs --listen unix:/path"],
  ];
  for (const [more, text] of refusals) {
    const { exitCode, stderr } = await runExecutable([...args, ...more]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(text);
  }
});

test("a user who is not in the group of the socket is told so, and the server does not start", async () => {
  using folder = temporaryFolder();
  // Root may do it all, so somebody else is asked to.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder.path, NOBODY, NOBODY);
  const as = isRoot ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];
  const serve = ["serve", "--data-dir", join(folder.path, "data"), "--listen", `unix:${join(folder.path, "socket")}`];
  const child = Bun.spawn([...as, ...handoffCommand(), ...serve, "--socket-group", "0"], {
    stdout: "ignore",
    stderr: "pipe",
    env: { HOME: "/nonexistent" },
  });
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("it has to be in that group");
});
