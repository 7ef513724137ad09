import { expect, test } from "bun:test";
import { appendFileSync, chownSync, lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "../support/executable.ts";
import { mintKey, runExecutable } from "../support/executions.ts";
import { settingsOfManual } from "../support/proxied-servers.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const NOBODY = 65_534;
const UNITS = [
  ["handoff.service", []],
  ["handoff-backup.service", ["--backup"]],
  ["handoff-backup.timer", ["--backup", "--timer"]],
] as const;
const OVER_POSTGRES = ["--database-url-file", "/etc/handoff/database-url"];
const WITHOUT_PROXY = ["--listen", ":443"];

/** The printed units, in a temporary folder, for a program that exists on every machine. */
async function printUnits(more: readonly string[] = [], ofServer: readonly string[] = []) {
  const folder = temporaryFolder();
  const units = new Map<string, string>();
  for (const [name, flags] of UNITS) {
    const own = name === "handoff.service" ? ofServer : [];
    const { exitCode, stdout, stderr } = await runExecutable(["admin", "service", ...flags, ...own, ...more]);
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

// A backup of PostgreSQL needs the network.
test.each([
  [[], [], 1.5],
  [OVER_POSTGRES, [], 1.8],
  [[], WITHOUT_PROXY, 1.7],
])(
  "systemd accepts the printed units, and finds little to restrict further in server and backup: %p %p",
  async (more, ofServer, exposure) => {
    using printed = await printUnits(more, ofServer);
    const paths = UNITS.map(([name]) => join(printed.folder, name));
    expect(await analyze("verify", ...paths)).toEqual({ exitCode: 0, text: "" });
    for (const path of paths.filter((each) => each.endsWith(".service"))) {
      const { text } = await analyze("security", "--offline=true", "--no-pager", path);
      expect(Number(/exposure level for \S+: (\d+\.\d)/.exec(text)?.[1])).toBeLessThanOrEqual(exposure);
    }
  },
);

/** The system calls of each of systemd's sets, by name. */
async function callSets(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { text } = await analyze("syscall-filter", "--no-pager");
  const sets = text.split(/\n(?=@)/).map((each) => each.split("\n").map((line) => line.trim()));
  return new Map(sets.map(([name = "", ...lines]) => [name, lines.filter((line) => /^@?\w/.test(line))]));
}

/** The system calls that a unit allows its process (systemd.exec(5), SystemCallFilter=). */
function callsOf(unit: string, sets: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const expand = (name: string): readonly string[] =>
    (sets.get(name) ?? [name]).flatMap((each) => (each.startsWith("@") ? expand(each) : [each]));
  return [...unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)].reduce((left, [, not, names = ""]) => {
    const named = new Set(names.split(" ").flatMap(expand));
    return not ? left.difference(named) : left.union(named);
  }, new Set<string>());
}

test("the units allow server and backup the system calls that they need, and not those of root", async () => {
  const sets = await callSets();
  expect(sets.get("@chown")).toContain("chown");
  for (const [more, ofServer] of [[], WITHOUT_PROXY].map((flags) => [[], flags] as const)) {
    using printed = await printUnits(more, ofServer);
    for (const name of ["handoff.service", "handoff-backup.service"]) {
      const calls = callsOf(printed.units.get(name) ?? "", sets);
      // The socket belongs to its group, and the backup's record to the server's user.
      for (const call of ["chown", "lchown", "fchown", "fchownat", "utimensat", "sendto", "renameat2"]) {
        expect({ name, call, isLeft: calls.has(call) }).toEqual({ name, call, isLeft: true });
      }
      for (const call of ["mount", "ptrace", "init_module", "reboot"]) expect(calls).not.toContain(call);
    }
    expect(callsOf(printed.units.get("handoff.service") ?? "", sets)).not.toContain("setuid");
  }
});

test("with the capabilities of its unit a backup records each time, in a folder of another user", async () => {
  using printed = await printUnits();
  using folder = temporaryFolder();
  const [data, into] = [join(folder.path, "data"), join(folder.path, "backups")];
  await mintKey(data);
  for (const path of [data, ...readdirSync(data).map((name) => join(data, name))]) chownSync(path, NOBODY, NOBODY);
  mkdirSync(into);
  const [, names = ""] = /^CapabilityBoundingSet=(.+)$/m.exec(printed.units.get("handoff-backup.service") ?? "") ?? [];
  const only = `-all,${names.replaceAll(/CAP_(\w+) ?/g, (_, name: string) => `+${name.toLowerCase()},`).replace(/,$/, "")}`;
  const noted: number[] = [];
  for (let i = 0; i < 2; i++) {
    const as = ["setpriv", `--bounding-set=${only}`, `--inh-caps=${only}`];
    const child = Bun.spawn([...as, ...handoffCommand(), "admin", "backup", into, "--data-dir", data], {
      env: { HOME: folder.path },
      stdout: "ignore",
      stderr: "pipe",
    });
    expect(await child.stderr.text()).not.toContain("Warning");
    expect(await child.exited).toBe(0);
    noted.push(lstatSync(join(data, "last-backup")).mtimeMs);
  }
  expect(noted[1]).toBeGreaterThan(noted[0] ?? Infinity);
});

test("a unit has the capability for a port below 1024, and TLS with 443; a bad address is reported", async () => {
  const print = async (listen: string) => (await runExecutable(["admin", "service", "--listen", listen])).stdout;
  const plain = await print("127.0.0.1:8080");
  expect(plain).toBe((await runExecutable(["admin", "service"])).stdout);
  expect(plain).toContain("\nCapabilityBoundingSet=\nPrivateUsers=yes\n");
  expect(await print("10.0.0.1:8443")).toBe(plain.replace("127.0.0.1:8080", "10.0.0.1:8443"));
  const low = await print("[::]:80");
  expect(low).toMatch(
    /^AmbientCapabilities=CAP_NET_BIND_SERVICE\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\nPrivateUsers=no$/m,
  );
  expect(low).toContain("\n#LoadCredential=tls.crt:");
  expect(await print(":443")).toContain("\nLoadCredential=tls.key:/etc/handoff/tls.key\nEnvironment=HANDOFF_TLS_CERT=");
  const refusals: readonly (readonly [flags: readonly string[], text: string])[] = [
    [["--listen", "unix:/run/handoff/socket"], "For a socket, print the unit without it"],
    [["--listen", "443"], "--listen is '443': expected host:port"],
    [["--listen", "a%i:80"], "--listen is 'a%i:80': a host has letters, digits"],
    [["--listen", ":443", "--backup"], "--listen is of the server"],
  ];
  for (const [flags, text] of refusals) {
    const { exitCode, stdout, stderr } = await runExecutable(["admin", "service", ...flags]);
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringContaining(text) });
  }
});

test("a server that fails to start is tried again for ever, after a pause, unless a setting is wrong", async () => {
  const unit = async (...flags: readonly string[]) => (await runExecutable(["admin", "service", ...flags])).stdout;
  for (const [flags, pause] of [
    [[], "5s"],
    [["--listen", ":443"], "5s"],
    // An authority takes five failures in an hour.
    [["--acme", "handoff.example"], "15min"],
  ] as const) {
    const [head = "", service = ""] = (await unit(...flags)).split("[Service]");
    expect(head).toContain("\nStartLimitIntervalSec=0\n");
    expect(service).toContain(`\nRestart=on-failure\nRestartSec=${pause}\n`);
    expect(service).toContain("\nRestartPreventExitStatus=2\n");
  }
});

test("units for PostgreSQL pass the file with its URL in, and contain no path with a meaning to systemd", async () => {
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

test("the variables named in the unit are settings, and the values that it suggests are valid", async () => {
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

test("systemd accepts the manual's lines for a proxy, and the server accepts their settings", async () => {
  using printed = await printUnits();
  const settings = await settingsOfManual(printed.folder, join(printed.folder, "socket"));
  const units = join(printed.folder, "etc/systemd/system");
  renameSync(join(printed.folder, "handoff.service"), join(units, "handoff.service"));
  expect(await analyze("verify", join(units, "handoff.service"))).toEqual({ exitCode: 0, text: "" });
  // It is read: mistakes in it are reported.
  appendFileSync(join(units, "handoff.service.d/proxy.conf"), "NoSuchThing=yes\n");
  expect((await analyze("verify", join(units, "handoff.service"))).text).toContain("NoSuchThing");
  const checked = await runExecutable(["serve", "--check", "--base-url", "https://handoff.example"], settings);
  expect(checked).toMatchObject({ exitCode: 0 });
  expect(checked.stderr).not.toContain("unknown variable");
});

test("sockets with a group accept its members, and an unknown group is reported", async () => {
  using folder = temporaryFolder();
  const socket = join(folder.path, "socket");
  const args = ["serve", "--data-dir", join(folder.path, "data"), "--listen"];
  const metrics = join(folder.path, "metrics");
  // Root may use any group, which makes it distinguishable from its own.
  const group = process.getuid?.() === 0 ? NOBODY : (process.getgid?.() ?? NOBODY);
  const flags = ["--socket-group", String(group), "--metrics-listen", `unix:${metrics}`];
  await using _ = await startProgram([...args, `unix:${socket}`, ...flags]);
  for (const path of [socket, metrics]) {
    expect(lstatSync(path)).toMatchObject({ gid: group });
    expect(lstatSync(path).mode & 0o777).toBe(0o660);
  }
  expect((await fetch("http://localhost/metrics", { unix: metrics })).status).toBe(200);
  // Only the metrics may have a socket.
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

test("a user outside the socket's group is told so, and the server does not start", async () => {
  using folder = temporaryFolder();
  // Root is allowed everything, so another user runs it.
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
