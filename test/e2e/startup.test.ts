import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeCertificate, makeDatedCertificate } from "../support/certificates.ts";
import { handoffCommand } from "../support/executable.ts";
import { mintKey, runExecutable } from "../support/executions.ts";
import { mountTmpfs, remount } from "../support/mounts.ts";
import { until } from "../support/polls.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** The text that `serve` prints when it does not start. Checks that it is on standard error only. */
async function refusalToServe(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await runExecutable(["serve", "--log-level", "silent", ...args], env);
  expect({ args, exitCode: exitCode > 0 && exitCode < 128, stdout }).toEqual({ args, exitCode: true, stdout: "" });
  expect(stderr).toStartWith("handoff: ");
  expect(stderr).not.toMatch(/^\s+at |\.ts:|node:|\$bunfs/m);
  return stderr;
}

/** Wrong arguments and environments, and the names that the error must contain. */
const WRONG: [args: string[], env: Record<string, string>, named: RegExp][] = [
  [["--listen", "nonsense"], {}, /--listen is 'nonsense': expected host:port/],
  [["--listen", "127.0.0.1:99999"], {}, /--listen/],
  [["--max-ciphertext", "1GiB"], {}, /--max-ciphertext is '1GiB': expected a size from 1KiB to 100MiB/],
  [["--max-expires", "91d"], {}, /--max-expires is '91d': expected a duration/],
  [["--default-claims", "0"], {}, /--default-claims is '0': expected a whole number/],
  [["--base-url", "ftp://x"], {}, /--base-url is 'ftp:\/\/x': expected an http or https URL/],
  [["--trusted-proxy", "example.org"], {}, /--trusted-proxy/],
  [["--tls-cert", "/nonexistent"], {}, /--tls-cert and --tls-key belong together/],
  [
    ["--tls-cert", "/nonexistent", "--tls-key", "/nonexistent"],
    {},
    /--tls-cert: the file '\/nonexistent' cannot be read/,
  ],
  [[], { HANDOFF_REPLAY_WINDOW: "soon" }, /HANDOFF_REPLAY_WINDOW is 'soon': expected a duration/],
  [[], { HANDOFF_REQUIRE_ENCRYPTED: "perhaps" }, /HANDOFF_REQUIRE_ENCRYPTED is 'perhaps': expected true or false/],
  [["--default-expires", "2d", "--max-expires", "1d"], {}, /--default-expires is above --max-expires/],
];

test("a wrong setting is reported with the expected value, before the server listens", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  for (const [args, env, named] of WRONG) {
    expect(await refusalToServe([...args, "--data-dir", data], env)).toMatch(named);
    expect({ args, made: existsSync(data) }).toEqual({ args, made: false });
  }
  expect(await refusalToServe(["--max-claims", "many", "--tombstones", "1h", "--data-dir", data])).toMatch(
    /--max-claims is 'many'[\s\S]*--tombstones is '1h'/,
  );
});

test("with --check settings and certificates are read as at startup, and nothing is opened or created", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const check = (args: readonly string[], env: Record<string, string> = {}) =>
    runExecutable(["serve", "--check", "--data-dir", data, "--log-level", "error", ...args], env);
  for (const [args, env, named] of WRONG) {
    const { exitCode, stdout, stderr } = await check(args, env);
    expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 2, stdout: "" });
    expect(stderr).toMatch(named);
  }
  // A port in use is no wrong setting.
  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", `${data}2`]);
  const fine = { exitCode: 0, stdout: "", stderr: "The settings are fine.\n" };
  expect(await check(["--listen", new URL(server.url).host])).toEqual(fine);
  const { cert, key } = makeCertificate(folder.path);
  expect(await check(["--tls-cert", cert, "--tls-key", key])).toEqual(fine);
  expect(existsSync(data)).toBe(false);
});

test("the check fails for a certificate that clients refuse, and for a variable that is no setting", async () => {
  using folder = temporaryFolder();
  const check = async (args: readonly string[], env: Record<string, string> = {}) => {
    const refused = await runExecutable(["serve", "--check", "--data-dir", folder.path, ...args], env);
    expect({ ...refused, stderr: "" }).toEqual({ exitCode: 2, stdout: "", stderr: "" });
    expect(refused.stderr).not.toContain("fine");
    return refused.stderr;
  };
  for (const [from, to, fault] of [
    ["20200101000000Z", "20210101000000Z", "has expired, and clients refuse it (it counts from 2020-01-01T"],
    ["20980101000000Z", "20990101000000Z", "isn't valid yet, and clients refuse it (it counts from 2098-01-01T"],
  ] as const) {
    const { cert, key } = makeDatedCertificate(folder.path, from, to);
    expect(await check(["--tls-cert", cert, "--tls-key", key])).toContain(
      `--tls-cert: '${cert}': the certificate ${fault}`,
    );
    // Of the chain: clients may have another path to a trusted CA.
    const own = makeCertificate(folder.path);
    const chain = join(folder.path, "chain.pem");
    writeFileSync(chain, readFileSync(own.cert, "utf8") + readFileSync(cert, "utf8"));
    const passed = await runExecutable(["serve", "--check", "--tls-cert", chain, "--tls-key", own.key]);
    expect(passed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("a certificate of the chain ") });
  }
  const misspelt = { HANDOFF_MAX_CIPERTEXT: "1MiB", HANDOFF_LISTENS: ":1" };
  const said = await check([], misspelt);
  expect(said).toContain("no setting has the variable HANDOFF_MAX_CIPERTEXT. Did you mean HANDOFF_MAX_CIPHERTEXT?");
  expect(said).toContain("Did you mean HANDOFF_LISTEN?");
}, 20_000);

test("the settings file printed by 'config' has the same meaning to a server and to admin commands", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "handoff.toml");
  const data = join(folder.path, "data");
  const printed = await runExecutable(["config", "--max-claims", "5", "--listen", "127.0.0.1:0"], {
    HANDOFF_DATA_DIR: data,
    HANDOFF_TRUSTED_PROXY: "10.0.0.1,unix",
  });
  expect(printed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(printed.stdout).toMatch(/^max-claims = 5 +# --max-claims$/m);
  expect(printed.stdout).toMatch(/^trusted-proxy = \["10\.0\.0\.1","unix"\] +# HANDOFF_TRUSTED_PROXY$/m);
  expect(printed.stdout).toMatch(/^# base-url = "" +# default$/m);
  writeFileSync(path, printed.stdout);
  const again = await runExecutable(["config", "--json"], { HANDOFF_CONFIG: path });
  const settings: readonly { name: string; value: unknown; from: string }[] = JSON.parse(again.stdout);
  expect(settings.find(({ name }) => name === "max-claims")).toMatchObject({ value: 5, from: "file" });
  expect(settings.find(({ name }) => name === "data-dir")).toMatchObject({ value: data, from: "file" });
  await using server = await startProgram(["serve", "--config", path]);
  await mintKey(data);
  const teams = await runExecutable(["admin", "team", "list", "--config", path]);
  expect(teams).toMatchObject({ exitCode: 0, stderr: "" });
  expect(teams.stdout).toContain("tea_");
  expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  const refused = await runExecutable(["admin", "team", "list", "--config", join(folder.path, "none")]);
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain("there is no such file");
});

test("a port without a host means every address, and a public server without TLS says so", async () => {
  using folder = temporaryFolder();
  const args = ["serve", "--data-dir", join(folder.path, "data"), "--listen"];
  {
    await using server = await startProgram([...args, ":0"]);
    const { port } = new URL(server.url);
    for (const host of ["127.0.0.1", "127.0.0.2"]) {
      expect((await fetch(`http://${host}:${port}/health/live`)).status).toBe(200);
    }
    expect(server.stderr()).toContain("other machines can reach this server without TLS");
  }
  await using quiet = await startProgram([...args, "127.0.0.1:0"]);
  expect(quiet.stderr()).not.toContain("without TLS");
  await using known = await startProgram([
    "serve",
    "--data-dir",
    `${folder.path}/b`,
    "--listen",
    ":0",
    "--base-url",
    "https://a.example",
  ]);
  expect(known.stderr()).not.toContain("without TLS");
});

test("a port in use, an unusable folder and a newer database each get one sentence", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", data]);
  const { host } = new URL(server.url);
  const other = join(folder.path, "other");
  expect(await refusalToServe(["--listen", host, "--data-dir", other])).toContain(`another program listens on ${host}`);

  const file = join(folder.path, "file");
  writeFileSync(file, "");
  expect(await refusalToServe(["--listen", "127.0.0.1:0", "--data-dir", file])).toContain(`'${file}'`);

  const newer = new Database(join(other, "handoff.db"));
  newer.run("PRAGMA user_version = 99");
  newer.close();
  expect(await refusalToServe(["--listen", "127.0.0.1:0", "--data-dir", other])).toContain("newer version of handoff");
});

test("an unresolvable name is reported as such, before the server listens", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const refusal = await refusalToServe(["--listen", "nowhere.invalid:8080", "--data-dir", data]);
  expect(refusal).toContain("the name 'nowhere.invalid' does not resolve");
  expect(existsSync(data)).toBe(false);
});

test("it listens on a Unix socket, replaces one left by a killed server, but none that is in use", async () => {
  using folder = temporaryFolder();
  const socket = join(folder.path, "socket");
  const args = ["serve", "--listen", `unix:${socket}`, "--data-dir", join(folder.path, "data")];
  const live = () => fetch("http://localhost/health/live", { unix: socket }).then(({ status }) => status);
  {
    await using server = await startProgram(args);
    expect(await live()).toBe(200);
    expect(statSync(socket).mode & 0o777).toBe(0o660);
    const elsewhere = ["--listen", `unix:${socket}`, "--data-dir", join(folder.path, "other")];
    expect(await refusalToServe(elsewhere)).toContain(`another program listens on '${socket}'`);
    const sameData = ["--listen", "127.0.0.1:0", "--data-dir", join(folder.path, "data")];
    expect(await refusalToServe(sameData)).toContain("another server runs on the data folder");
    expect(await live()).toBe(200);
    server.kill("SIGKILL");
    await server.exited;
  }
  expect(existsSync(socket)).toBe(true);
  await using again = await startProgram(args);
  expect(await live()).toBe(200);
  again.kill("SIGTERM");
  expect(await again.exited).toBe(0);
  expect(existsSync(socket)).toBe(false);
}, 20_000);

test("a path that cannot be a socket is reported as such, before the server listens", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "precious");
  await Bun.write(file, "content");
  symlinkSync(file, join(folder.path, "link"));
  const missing = join(folder.path, "missing");
  const long = join(folder.path, "x".repeat(107 - folder.path.length));
  const { cert, key } = makeCertificate(folder.path);
  const data = join(folder.path, "data");
  const wrong: [path: string, says: string, args?: readonly string[]][] = [
    [file, `there is a file at '${file}', and it is not a socket`],
    [folder.path, `there is a directory at '${folder.path}', and it is not a socket`],
    [join(folder.path, "link"), "there is a link at '"],
    [join(missing, "socket"), `there is no directory '${missing}' for the socket '${missing}/socket'. Create it`],
    [join(file, "socket"), `'${file}' isn't a directory, so there can't be a socket '${file}/socket'`],
    [join(file, "deeper", "socket"), `can't make a socket in '${file}/deeper': a part of its path isn't a directory`],
    [long, `the path of a socket has 107 bytes at most, and '${long}' has 108: choose another path with --listen`],
    [long.slice(0, 107), "the path of a socket has 106 bytes at most", ["--tls-cert", cert, "--tls-key", key]],
  ];
  for (const [path, says, args = []] of wrong) {
    expect(await refusalToServe(["--listen", `unix:${path}`, "--data-dir", data, ...args])).toContain(says);
    expect({ path, made: existsSync(data) }).toEqual({ path, made: false });
  }
  expect(await Bun.file(file).text()).toBe("content");
  await using server = await startProgram(["serve", "--listen", `unix:${long.slice(0, 107)}`, "--data-dir", data]);
  expect((await fetch(`${server.url}/health/live`, { unix: long.slice(0, 107) })).status).toBe(200);
});

test("a user without the right to create a socket gets the directory's owner, or that it is read-only", async () => {
  using folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const file = join(folder.path, "data");
  const serve = ["serve", "--listen", `unix:${folder.path}/socket`, "--data-dir", file];
  const program = join(folder.path, "handoff");
  // Tests run as root, and other users may not reach the executable's folder.
  copyFileSync(handoffCommand()[0] ?? "", program, constants.COPYFILE_FICLONE);
  chmodSync(program, 0o755);
  const child = Bun.spawn(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program, ...serve], {
    env: {},
    stderr: "pipe",
  });
  expect({ stderr: await child.stderr.text(), exitCode: await child.exited }).toEqual({
    stderr: `handoff: nobody may not make a socket in '${folder.path}', which belongs to root. Let them write there, or choose another path with --listen\n`,
    exitCode: 1,
  });
  using disk = mountTmpfs("1m", "ro");
  expect(await refusalToServe(["--listen", `unix:${disk.path}/socket`, "--data-dir", file])).toContain(
    `can't make a socket in '${disk.path}': its file system is read-only`,
  );
});

test("it goes on when its log cannot be written", async () => {
  using folder = temporaryFolder();
  const socket = join(folder.path, "socket");
  const args = ["serve", "--listen", `unix:${socket}`, "--data-dir", join(folder.path, "data")];
  const child = Bun.spawn([...handoffCommand(), ...args], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file("/dev/full"),
  });
  try {
    await until(() => existsSync(socket), 20);
    for (let n = 0; n < 100; n++) expect((await fetch("http://localhost/docs", { unix: socket })).status).toBe(200);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
}, 20_000);

test("with a certificate it uses TLS, and sends HSTS in every answer", async () => {
  using folder = temporaryFolder();
  const { cert, key } = makeCertificate(folder.path);
  const data = join(folder.path, "data");
  const args = ["serve", "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key, "--data-dir", data];
  await using server = await startProgram(args);
  expect(server.url).toStartWith("https://");
  const ca = await Bun.file(cert).text();
  for (const path of ["/health/live", "/api/v1/secrets", "/nowhere"]) {
    const answer = await fetch(server.url + path, { tls: { ca } });
    expect({ path, hsts: answer.headers.get("strict-transport-security") }).toMatchObject({
      path,
      hsts: expect.stringMatching(/^max-age=\d{7,}/),
    });
  }
  const plain = await fetch(`http://${new URL(server.url).host}/health/live`).catch(() => undefined);
  expect(plain?.ok ?? false).toBe(false);
}, 20_000);

test("an invalid certificate gets one sentence", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "file.pem");
  writeFileSync(file, "no certificate");
  const args = ["--tls-cert", file, "--tls-key", file, "--data-dir", join(folder.path, "data")];
  expect(await refusalToServe(args)).toContain(`--tls-cert: the file '${file}' is not PEM`);
});

test("it reads no .env and no bunfig.toml of its working directory", async () => {
  using folder = temporaryFolder();
  const cwd = join(folder.path, "cwd");
  const data = join(folder.path, "data");
  mkdirSync(cwd);
  writeFileSync(join(cwd, ".env"), `HANDOFF_MAX_CLAIMS=nonsense\nHANDOFF_DATA_DIR=${cwd}/stolen\n`);
  writeFileSync(join(cwd, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(cwd, "preload.ts"), `await Bun.write("${cwd}/preloaded", "");`);
  const before = readdirSync(cwd).toSorted();
  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0"], { STATE_DIRECTORY: data }, cwd);
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  expect(readdirSync(data)).toContain("handoff.db");
  expect(readdirSync(cwd).toSorted()).toEqual(before);
  await mintKey(data);
});

test("only root gets a warning, once, that root is not needed", async () => {
  using folder = temporaryFolder();
  await using server = await startProgram([
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--data-dir",
    join(folder.path, "data"),
  ]);
  const told = server.stderr().match(/running as root, which is not needed/g) ?? [];
  expect(told.length).toBe(process.getuid?.() === 0 ? 1 : 0);
});

test("a data folder that others can read is refused with the command that corrects it", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  mkdirSync(data, { mode: 0o755 });
  chmodSync(data, 0o755);
  const args = ["--listen", "127.0.0.1:0", "--data-dir", data];
  expect(await refusalToServe(args)).toBe(
    `handoff: others than its owner can read the data folder '${data}'. Run: chmod 700 '${data}'\n`,
  );
  expect(readdirSync(data)).toEqual([]);
});

test("a variable with our prefix that is no setting causes a warning with the nearest name", async () => {
  using folder = temporaryFolder();
  const args = ["serve", "--listen", "127.0.0.1:0", "--data-dir", join(folder.path, "data")];
  const env = { HANDOFF_MAX_CIPERTEXT: "1MiB", HANDOFF_LOG_ADDRESSES: "true", HANDOFF_URL: "https://handoff.example" };
  await using server = await startProgram(args, env);
  const lines = server.stderr().split("\n").filter(Boolean);
  const warned = lines.map((line) => JSON.parse(line)).filter(({ variable }) => variable !== undefined);
  expect(warned).toMatchObject(
    [
      { level: "warn", variable: "HANDOFF_MAX_CIPERTEXT", nearest: "HANDOFF_MAX_CIPHERTEXT", msg: /^unknown variable/ },
    ].map((line) => ({ ...line, msg: expect.stringMatching(line.msg) })),
  );
  // Its value may be a secret under a wrong name.
  expect(server.stderr()).not.toContain("1MiB");
});

test("the listed quota is the server's, whatever the environment of the caller", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const list = async () => {
    const listing = ["admin", "team", "list", "--json", "--data-dir", data];
    const { stdout } = await runExecutable(listing, { HANDOFF_TEAM_QUOTA: "1MiB" });
    return JSON.parse(stdout).map((team: { quota_bytes: number }) => team.quota_bytes);
  };
  await mintKey(data);
  expect(await list()).toEqual([null]);
  for (const [quota, bytes] of [
    ["2GiB", 2 * 1024 ** 3],
    ["3GiB", 3 * 1024 ** 3],
  ] as const) {
    const args = ["serve", "--listen", "127.0.0.1:0", "--data-dir", data, "--team-quota", quota];
    await using server = await startProgram(args);
    expect(await list()).toEqual([bytes]);
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    expect(await list()).toEqual([bytes]);
  }
}, 30_000);

test("a read-only data folder is reported with the reason and a remedy, by 'serve' and 'admin'", async () => {
  using disk = mountTmpfs("8m");
  await mintKey(disk.path);
  remount(disk.path, "ro");
  const serving = ["--listen", "127.0.0.1:0", "--data-dir", disk.path];
  const administer = (folder: string) => runExecutable(["admin", "team", "create", "more", "--data-dir", folder]);
  const readOnly = /the file system of '.*' is mounted read-only\. Mount it writable .* or name another folder/;
  expect(await refusalToServe(serving)).toMatch(readOnly);
  expect(await administer(disk.path)).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(readOnly),
  });
  // Leftovers of a killed command do not matter to the next one.
  remount(disk.path, "rw");
  writeFileSync(join(disk.path, "admin.lock"), "", { mode: 0o600 });
  remount(disk.path, "ro");
  expect(await administer(disk.path)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(readOnly) });

  using full = mountTmpfs("64k");
  const noRoom = new RegExp(
    `there is no room left on the file system of '${full.path}'\\. Make at least 1 MiB free there`,
  );
  expect(await refusalToServe([...serving.slice(0, 3), full.path])).toMatch(noRoom);
  expect(await administer(full.path)).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(noRoom) });
}, 20_000);

test("no message advises deleting files of a running server before it is stopped", async () => {
  using folder = temporaryFolder();
  const key = ["admin", "key", "list", "--data-dir", folder.path];
  await mintKey(folder.path);
  await using _ = await startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder.path]);
  const database = join(folder.path, "handoff.db");
  renameSync(database, `${database}.away`);
  const { exitCode, stderr } = await runExecutable(key);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Put the database back; if a server still runs on it, its log says how.");
  expect(stderr).toMatch(/first stop any server that runs on it, then run: rm '.*-wal'/);
}, 20_000);
