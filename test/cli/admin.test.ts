import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { run } from "../../src/cli/run.ts";
import { CommandError } from "../../src/cli/terminal/terminal.ts";
import { parseTokenKind } from "../../src/contract/tokens.ts";
import { openStorage } from "../support/open-storage.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";

type Place = Readonly<Record<string, string>>;

/** `handoff admin …` over the database that `place` names; a text is a data folder. */
const adminIn = (place: Place | string) => (line: string) => {
  const named = typeof place === "string" ? { HANDOFF_DATA_DIR: place } : place;
  return runHere(["admin", ...line.split(" ")], { ...named, HOME: "/nonexistent" });
};

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

async function adminWithTeam(place: Place | string) {
  const admin = adminIn(place);
  expect(await admin("team create ops")).toMatchObject({ exitCode: 0 });
  return admin;
}

test("a minted key is the only thing on standard output, and is nowhere in what is kept", async () => {
  await using storage = await openStorage();
  const admin = await adminWithTeam(storage.env);
  const minted = await admin("key create --team ops --identity ci --scope secrets:create --name laptop");
  expect(minted.exitCode).toBe(0);
  const token = minted.stdout.trimEnd();
  expect(minted.stdout).toBe(`${token}\n`);
  expect(parseTokenKind(token)).toBe("apiKey");
  expect(minted.stderr).toContain("shown this once");
  expect(minted.stderr).not.toContain(token);
  expect(await storage.holds(token)).toBe(false);
  const list = await admin("key list");
  expect(list.stdout).toContain(`${token.slice(0, 4)}…${token.slice(-4)}`);
  expect(list.stdout).toContain("laptop");
  expect(list.stdout).not.toContain(token);
  expect(list.stderr).toBe("");
});

test("every command prints JSON when asked, and nothing else", async () => {
  await using storage = await openStorage();
  const admin = adminIn(storage.env);
  const json = async (line: string) => {
    const { exitCode, stdout, stderr } = await admin(`${line} --json`);
    expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  expect(await json("team create ops")).toMatchObject({ name: "ops", stored_bytes: 0 });
  expect(await json("team list")).toHaveLength(1);
  const key = await json("key create --team ops --identity ci --scope secrets:create --scope secrets:read");
  expect(key).toMatchObject({ state: "live", scopes: ["secrets:create", "secrets:read"], team: { name: "ops" } });
  expect(parseTokenKind(key.token)).toBe("apiKey");
  expect(await json("key list --team ops")).toEqual([expect.not.objectContaining({ token: key.token })]);
  expect(await json(`key show ${key.id}`)).toMatchObject({ id: key.id, hint: key.hint });
  const successor = await json(`key rotate ${key.id} --overlap 1h`);
  expect(successor.token).not.toBe(key.token);
  expect(await json(`key show ${key.id}`)).toMatchObject({ state: "live", expires_at: expect.any(String) });
  expect(await json(`key revoke ${key.id}`)).toMatchObject({ state: "revoked" });
  expect(await json("identity list")).toMatchObject([{ name: "ci", disabled_at: null }]);
  expect(await json(`key show ${key.id}`)).toMatchObject({ successor_id: successor.id });
  expect(await json("identity disable ci")).toMatchObject({ disabled_at: expect.any(String) });
  expect(await json("identity enable ci")).toMatchObject({ disabled_at: null });
  expect(await json(`key show ${successor.id}`)).toMatchObject({ state: "live" });
  expect(await json("identity scopes ci --scope events:read")).toMatchObject({ scopes: ["events:read"] });
  expect(await json("identity disable ci")).toMatchObject({ disabled_at: expect.any(String) });
  expect(await json(`key show ${successor.id}`)).toMatchObject({ state: "disabled" });
});

test("a key with networks says so when it is made and listed, and hands them on to its successor", async () => {
  await using storage = await openStorage();
  const admin = await adminWithTeam(storage.env);
  const made = await admin(
    "key create --team ops --identity ci --scope secrets:create --from 10.0.0.0/8 --from 2001:DB8::/32 --from 192.0.2.1",
  );
  expect(made.stderr).toContain("It works only from: 10.0.0.0/8 2001:db8::/32 192.0.2.1/32");
  expect(made.stderr).toContain("Over a Unix socket it works only behind a trusted proxy");
  expect((await admin("key create --team ops --identity ci")).stderr).not.toContain("works only");
  const list = await admin("key list");
  expect(list.stdout).toMatch(/ NAME +FROM +STATE .*\n.* 10\.0\.0\.0\/8 \+2 +live .*\n.* - +live /);
  const json = async (line: string) => JSON.parse((await admin(`${line} --json`)).stdout);
  const [{ id }] = await json("key list");
  const networks = ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1/32"];
  expect(await json(`key show ${id}`)).toMatchObject({ networks });
  expect((await admin(`key show ${id}`)).stdout).toMatch(/^networks +10\.0\.0\.0\/8 2001:db8::\/32 192\.0\.2\.1\/32$/m);
  const next = await json(`key rotate ${id}`);
  expect(next).toMatchObject({ networks });
  expect(await json(`key rotate ${next.id} --from 172.16.0.0/12`)).toMatchObject({ networks: ["172.16.0.0/12"] });
  for (const wrong of ["", "10.1.2.3/8", "everywhere"]) {
    const args = ["admin", "key", "create", "--team", "ops", "--identity", "ci", "--from", wrong];
    const refused = await runHere(args, { ...storage.env, HOME: "/nonexistent" });
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain(`'${wrong}'`);
  }
  expect(await json("key list")).toHaveLength(4);
  const logged = (await admin("log --json")).stdout.split("\n").filter((line) => line.includes('"networks"'));
  expect(logged.map((line) => JSON.parse(line)).map(({ action, details }) => [action, details.networks])).toEqual([
    ["key.created", networks],
    ["key.rotated", networks],
    ["key.rotated", ["172.16.0.0/12"]],
  ]);
});

test("what the admin does counts for the next request of a running server", async () => {
  await using server = await startTestServer();
  const admin = await adminWithTeam(server.backend.storage.env);
  // The server's clock is a test's: keys that the command mints carry the time of this machine, and do not expire.
  const mint = async (identity: string) =>
    JSON.parse((await admin(`key create --team ops --identity ${identity} --scope secrets:read --json`)).stdout);
  const status = async (token: string) => (await server.call("GET", "/api/v1/secrets", { token })).status;
  const [first, second] = [await mint("first"), await mint("second")];
  expect([await status(first.token), await status(second.token)]).toEqual([200, 200]);
  await admin(`key revoke ${first.id}`);
  expect([await status(first.token), await status(second.token)]).toEqual([401, 200]);
  await admin("identity disable second");
  expect(await status(second.token)).toBe(401);
});

test("what each team takes up, and what it may, is listed for people and for scripts", async () => {
  await using server = await startTestServer();
  const admin = await adminWithTeam(server.backend.storage.env);
  const minted = await admin("key create --team ops --identity ci --scope secrets:create");
  const body = { envelope: { version: 1, ciphertext: "x".repeat(100_000) } };
  const created = await server.call("POST", "/api/v1/secrets", { token: minted.stdout.trimEnd(), body });
  expect(created.status).toBe(201);
  const unknown = await admin("team list");
  expect(unknown.stdout).toMatch(/STORED +QUOTA +RULES\n.+ ops .+ (98|99|10\d)\.\d KiB +- +-\n$/);
  expect(unknown.stderr).toContain("once a server has run");
  expect(JSON.parse((await admin("team list --json")).stdout)).toMatchObject([{ quota_bytes: null }]);

  await server.backend.service.store.keepTeamQuota(2 * 1024 ** 3);
  expect(await admin("team list")).toMatchObject({ stdout: expect.stringMatching(/ +2\.0 GiB +-\n$/), stderr: "" });
  const [team] = JSON.parse((await admin("team list --json")).stdout);
  expect(team).toMatchObject({ name: "ops", quota_bytes: 2 * 1024 ** 3 });
  expect(team.stored_bytes).toBe((await server.backend.storage.look()).recountedBytes);
});

test("a rotated key overlaps with its successor and then ends", async () => {
  await using server = await startTestServer();
  const admin = await adminWithTeam(server.backend.storage.env);
  const old = JSON.parse((await admin("key create --team ops --identity ci --scope secrets:read --json")).stdout);
  const successor = (await admin(`key rotate ${old.id} --overlap 0s`)).stdout.trimEnd();
  const call = (token: string) => server.call("GET", "/api/v1/secrets", { token });
  const again = await admin(`key rotate ${old.id}`);
  expect(again).toMatchObject({ exitCode: 1, stdout: "" });
  expect(again.stderr).toMatch(/was rotated already: its successor is 'key_\w+'\. Rotate that one/);
  const list = await admin("key list");
  expect(list.stdout).toMatch(/ STATE +ENDS +LAST USED\n/);
  expect(list.stdout).toMatch(/ expired +\d{4}-\d\d-\d\dT\d\d:\d\dZ +never\n.* live +never +never\n$/);
  // The server believes whichever of its clock and the database's latest time is later.
  await server.backend.service.store.sweep(1);
  server.backend.clock.advance(Math.max(0, Date.now() - server.backend.clock.now()) + 1000);
  expect((await call(old.token)).json).toMatchObject({ status: 401, code: "credential_expired" });
  expect((await call(successor)).status).toBe(200);
});

/** Runs `handoff admin …` with a standard output that takes nothing. */
async function adminOnFull(folder: string, ...args: string[]) {
  const terminal = createTestTerminal({ env: { HANDOFF_DATA_DIR: folder, HOME: "/nonexistent" } });
  const out = () => {
    throw new CommandError("standard output is full");
  };
  const exitCode = await run(["admin", ...args], { ...terminal, out });
  return { exitCode, stderr: terminal.said.join("\n") };
}

test("a process whose standard output takes nothing says so", async () => {
  using folder = temporaryFolder();
  await adminWithTeam(folder.path);
  for (const args of [
    ["team", "list"],
    ["backup", "-"],
  ]) {
    const child = Bun.spawn([process.execPath, "src/main.ts", "admin", ...args, "--data-dir", folder.path], {
      env: { HOME: "/nonexistent", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
      stdin: "ignore",
      stdout: Bun.file("/dev/full"),
      stderr: "pipe",
    });
    const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "handoff: standard output is full\n" });
  }
});

test("a key or sign-in link that cannot be printed is taken back, and a rotation with it", async () => {
  using folder = temporaryFolder();
  const admin = await adminWithTeam(folder.path);
  const old = JSON.parse(
    (await admin("key create --team ops --identity ci --scope secrets:read --expires 90d --json")).stdout,
  );
  const full = (line: string) => adminOnFull(folder.path, ...line.split(" "));
  for (const json of ["", " --json"]) {
    const rotated = await full(`key rotate ${old.id}${json}`);
    expect(rotated.exitCode).toBe(1);
    expect(rotated.stderr).toContain("standard output is full");
    expect(rotated.stderr).toContain(`the old key ${old.id} is as it was before`);
    const created = await full(`key create --team ops --identity ci${json}`);
    expect(created.exitCode).toBe(1);
    expect(created.stderr).toMatch(/The new key key_\w+ was revoked/);
    const added = await full(`person add ann --team ops${json}`);
    expect(added.exitCode).toBe(1);
    expect(added.stderr).toContain("The new link was ended");
    for (const { stderr } of [rotated, created, added]) expect(stderr).not.toMatch(/hak_|hut_|sign-in#/);
  }
  const keys: { id: string }[] = JSON.parse((await admin("key list --json")).stdout);
  expect(keys).toHaveLength(5);
  expect(keys.find(({ id }) => id === old.id)).toMatchObject({
    state: "live",
    expires_at: old.expires_at,
    successor_id: null,
  });
  for (const { id, ...key } of keys) if (id !== old.id) expect(key).toMatchObject({ state: "revoked" });
  using database = new Database(join(folder.path, "handoff.db"), { readonly: true });
  expect(database.query("SELECT * FROM human_tokens").all()).toEqual([]);
  expect(await admin(`key rotate ${old.id}`)).toMatchObject({ exitCode: 0 });
});

test("a person has a name that recipients read, which a later link may change", async () => {
  await using storage = await openStorage();
  const admin = await adminWithTeam(storage.env);
  const list = async () => JSON.parse((await admin("person list --json")).stdout);
  const added = JSON.parse((await admin("person add ann --team ops --json")).stdout);
  expect(added).toMatchObject({
    address: "ann",
    name: null,
    team: { name: "ops" },
    url: expect.stringContaining("#hut_"),
  });
  expect((await admin("person add ann --team ops --name Ánn")).stderr).toContain("Give this link to ann:");
  expect(await list()).toMatchObject([{ id: added.id, address: "ann", name: "Ánn" }]);
  await admin("person add ann --team ops");
  await admin("person add bob --team ops --name 山田");
  expect((await admin("person list")).stdout).toMatch(
    /^ID +ADDRESS +NAME +TEAM +STATE +ADDED\nidn_\w+ +ann +Ánn +ops +active .*\nidn_\w+ +bob +山田 +ops +active /,
  );
  for (const name of ["\u202enna", "7", "x".repeat(101)]) {
    const refused = await admin(`person add cid --team ops --name ${name}`);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain("--name: not a name for a person: 1 to 100 characters");
    expect(refused.stderr).not.toContain("\u202e");
  }
  expect(await list()).toHaveLength(2);
});

test("what is ended already is said to be", async () => {
  await using storage = await openStorage();
  const admin = await adminWithTeam(storage.env);
  const { id } = JSON.parse((await admin("key create --team ops --identity ci --scope secrets:read --json")).stdout);
  await admin("person add ann --team ops");
  for (const line of [`key revoke ${id}`, "identity disable ci", "person remove ann"]) {
    expect((await admin(line)).stderr).not.toContain("already");
    expect(await admin(line)).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/already, since \d{4}-/) });
  }
});

const REFUSALS: readonly (readonly [line: string, exitCode: number, says: string])[] = [
  ["team create ops", 1, "there is already a team 'ops'"],
  ["team create -bad", 2, "There is no option '-bad'. Try 'handoff help admin team create'."],
  ["team create _bad", 2, "not a name for a team"],
  ["person add @nobody --team ops", 2, "not an address for a person: 1 to 64 characters that can be seen"],
  ["person add ann@example.com,bob@example.com --team ops", 2, "not an address for a person"],
  ["person add ann@ --team ops", 2, "not an address for a person"],
  ["person add ann@@example.com --team ops", 2, "not an address for a person"],
  ["person add ann\ufe0f@example.com --team ops", 2, "not an address for a person"],
  ["person add ann\u3164@example.com --team ops", 2, "not an address for a person"],
  ["person add ann\u200d@example.com --team ops --name Ann", 2, "not an address for a person"],
  ["key create --team ops --identity _bad --scope secrets:read", 2, "not a name for an identity"],
  ["key create --team nowhere --identity ci --scope secrets:read", 1, "there is no team 'nowhere'"],
  ["key create --team ops --identity new", 2, "say with --scope what it may do"],
  [
    "key create --team ops --identity ci --scope secrets:everything",
    2,
    "--scope is 'secrets:everything': expected all, or one of",
  ],
  ["key create --team ops --identity ci --scope secrets:claim", 1, "has the scopes secrets:read"],
  ["key create --team ops --identity ci --expires soon", 2, "--expires is 'soon': expected a duration"],
  ["key create --team ops --identity ci --expires 2020-01-01", 2, "that is over already"],
  ["key create --identity ci", 2, "An option is missing: --team <name>. Try 'handoff help admin key create'."],
  ["key show key_none", 1, "there is no key 'key_none'"],
  ["key rotate key_none", 1, "there is no key 'key_none'"],
  ["key revoke key_none", 1, "there is no key 'key_none'"],
  ["identity disable nobody", 1, "there is no identity 'nobody'"],
  ["identity enable nobody", 1, "there is no identity 'nobody'"],
  ["identity scopes ci", 2, "say with --scope all that the identity may do"],
  ["identity scopes ci --scope everything", 2, "--scope is 'everything': expected all, or one of"],
  ["key", 2, "Usage: handoff admin key"],
  ["nothing", 2, "There is no command 'nothing'. Try 'handoff help admin'."],
];

test("a wrong call is answered with a sentence, a non-zero exit code and no stack trace", async () => {
  await using storage = await openStorage();
  const admin = await adminWithTeam(storage.env);
  await admin("key create --team ops --identity ci --scope secrets:read");
  for (const [line, exitCode, says] of REFUSALS) {
    const result = await admin(line);
    expect({ line, exitCode: result.exitCode, stdout: result.stdout }).toEqual({ line, exitCode, stdout: "" });
    expect(result.stderr).toContain(says);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  }
}, 120_000);

test("a data folder that cannot be one is said so", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "file");
  await Bun.write(file, "not a folder");
  const result = await runHere(["admin", "team", "create", "team", "--data-dir", join(file, "data")], {});
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(result.stderr).toContain("is a file, or lies in one");
  const link = join(folder.path, "link");
  symlinkSync(join(folder.path, "nowhere"), link);
  const dangling = await runHere(["admin", "team", "create", "team", "--data-dir", link], {});
  expect(dangling.stderr).toContain(`'${link}' is a symbolic link to what isn't there`);
  // No command that mends it: nobody is told to close / to others.
  chmodSync(folder.path, 0o755);
  const busy = await runHere(["admin", "team", "create", "team", "--data-dir", folder.path], {});
  chmodSync(folder.path, 0o700);
  expect(busy).toMatchObject({ exitCode: 1, stdout: "" });
  expect(busy.stderr).toContain("something else is in it. Name a folder of its own");
  expect(busy.stderr).not.toContain("chmod");
  // Whole, whatever it was given as: it's the wrong one perhaps.
  const typo = join(folder.path, "typo");
  const missing = await runHere(["admin", "key", "list", "--data-dir", relative(process.cwd(), typo)], {});
  expect(missing).toMatchObject({ exitCode: 2, stdout: "" });
  expect(missing.stderr).toContain(`there is no database in '${typo}'`);
  expect(existsSync(join(folder.path, "typo"))).toBe(false);
});

test("root's command leaves files of the folder's owner, and follows no link", async () => {
  using folder = temporaryFolder();
  chownSync(folder.path, 12345, 12345);
  const lock = join(folder.path, "admin.lock");
  symlinkSync(join(folder.path, "planted"), lock);
  const linked = await adminIn(folder.path)("team create ops");
  expect(linked).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("admin.lock' is a symbolic link") });
  expect(readdirSync(folder.path)).toEqual(["admin.lock"]);
  unlinkSync(lock);
  const admin = await adminWithTeam(folder.path);
  expect(readdirSync(folder.path).map((name) => [name, statSync(join(folder.path, name)).uid])).toEqual([
    ["handoff.db", 12345],
  ]);
  expect(await admin("team list")).toMatchObject({ exitCode: 0 });
});

test("a database whose pages are damaged is said to be, with what to do", async () => {
  using folder = temporaryFolder();
  const admin = await adminWithTeam(folder.path);
  const path = join(folder.path, "handoff.db");
  const content = readFileSync(path);
  writeFileSync(path, content.fill(0xa5, 4096), { mode: 0o600 });
  const damaged = await admin("key list");
  expect(damaged).toMatchObject({ exitCode: 1, stdout: "" });
  expect(damaged.stderr).toMatch(/the database '.*' is damaged.*restore a backup/);
});

test("help says how each command is used, on standard output and without a data folder", async () => {
  for (const command of [
    [],
    ["serve"],
    ["admin"],
    ["admin", "key"],
    ["admin", "key", "create"],
    ["openapi"],
    ["send"],
  ]) {
    const { exitCode, stdout, stderr } = await runHere(["help", ...command], { HOME: "/nonexistent" });
    expect({ command, exitCode, stderr }).toEqual({ command, exitCode: 0, stderr: "" });
    expect(stdout).toContain(`Usage: ${["handoff", ...command].join(" ")}`);
    if (command[0] === "send") expect(stdout).toContain("handoff send --env");
  }
  expect(existsSync("/nonexistent")).toBe(false);
});

test("the systemd unit takes only what is encrypted, and does not let the executable become another program", async () => {
  const { exitCode, stdout } = await runHere(["admin", "service"], {});
  expect(exitCode).toBe(0);
  expect(stdout).toContain("HANDOFF_REQUIRE_ENCRYPTED=true");
  expect(stdout).toMatch(/UnsetEnvironment=.*BUN_BE_BUN/);
  expect(stdout).not.toContain("MemoryDenyWriteExecute");
});
