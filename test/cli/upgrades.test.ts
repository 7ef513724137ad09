import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyBeforeUpgrade } from "../../src/store/copies/upgrades.ts";
import { openDatabase } from "../../src/store/sqlite/engine/database.ts";
import { lockFolder } from "../../src/store/sqlite/files/server-lock.ts";
import { leaveUnfinished, takeBack } from "../support/old-databases.ts";
import { startTestServer } from "../support/server.ts";
import { openSqliteStorage } from "../support/sqlite-storage.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

/** `handoff admin …` over a database in `folder`. */
const adminIn = (folder: string) => (line: string) =>
  runHere(["admin", ...line.split(" ")], { HANDOFF_DATA_DIR: folder, HOME: "/nonexistent" });

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

function versionOf(folder: string): number | undefined {
  using database = new Database(join(folder, "handoff.db"), { readonly: true });
  return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version;
}

const copiesIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("before-upgrade-"));

/** A database of the version before `migration`, with a team, a key and a secret. */
async function makeOld(folder: string, migration: string): Promise<void> {
  const admin = adminIn(folder);
  await admin("team create ops");
  await admin("key create --team ops --identity ci --scope all");
  takeBack(folder, migration);
}

test("commands that only read say of an older database that it is one, and change nothing", async () => {
  using folder = temporaryFolder();
  await makeOld(folder.path, "0012_admin_log.sql");
  const before = readFileSync(join(folder.path, "handoff.db"));
  const admin = adminIn(folder.path);
  const lines = ["team list", "team show ops", "key list", "key show key_1", "identity list", "person list", "log"];
  for (const line of lines) {
    const { exitCode, stdout, stderr } = await admin(line);
    expect({ line, exitCode, stdout }).toEqual({ line, exitCode: 1, stdout: "" });
    expect(stderr).toContain("was written by an older version of handoff. Nothing was changed");
  }
  expect(readFileSync(join(folder.path, "handoff.db")).equals(before)).toBe(true);
  expect(copiesIn(folder.path)).toEqual([]);
});

/** Locks the folder as a server does, then brings its database up to date and lets go. */
const UPGRADE = `
  import { openDatabase } from "${import.meta.dir}/../../src/store/sqlite/engine/database.ts";
  import { lockFolder } from "${import.meta.dir}/../../src/store/sqlite/files/server-lock.ts";
  const lock = lockFolder(process.argv[1]);
  console.log("locked");
  setTimeout(() => (openDatabase(process.argv[1]).close(), lock[Symbol.dispose]()), 200);`;

test.each(["team create more", "team list"])(
  "'admin %s' waits for a server that upgrades the database",
  async (line) => {
    using folder = temporaryFolder();
    await makeOld(folder.path, "0012_admin_log.sql");
    await using server = Bun.spawn([process.execPath, "-e", UPGRADE, folder.path], { stdout: "pipe" });
    await server.stdout.getReader().read();
    const { exitCode, stderr } = await adminIn(folder.path)(line);
    const isRefused = exitCode !== 0 && stderr;
    expect({ isRefused, copies: copiesIn(folder.path) }).toEqual({ isRefused: false, copies: [] });
  },
);

test("beside a server of an older version no admin command changes anything", async () => {
  using folder = temporaryFolder();
  await makeOld(folder.path, "0012_admin_log.sql");
  const lock = lockFolder(folder.path);
  const { exitCode, stderr } = await adminIn(folder.path)("team create more");
  lock[Symbol.dispose]();
  expect({ exitCode, version: versionOf(folder.path) }).toEqual({ exitCode: 1, version: 12 });
  expect(stderr).toContain("a server of an older version runs on");
  expect(copiesIn(folder.path)).toEqual([]);
});

test("under a server of whatever older version nothing is brought up to date, and afterwards it is", async () => {
  using folder = temporaryFolder();
  await makeOld(folder.path, "0012_admin_log.sql");
  const path = join(folder.path, "handoff.db");
  // As the oldest one had it: open, and with no lock that later versions look at.
  const server = Bun.spawn(["sqlite3", path], { stdin: "pipe", stdout: "pipe" });
  await server.stdin.write("PRAGMA journal_mode = WAL; SELECT count(*) FROM teams;\n");
  await server.stdin.flush();
  await server.stdout.getReader().read();
  const before = readFileSync(path);
  for (const begin of [
    () => void copyBeforeUpgrade(folder.path, 0, 100),
    () => openDatabase(folder.path, 100).close(),
  ]) {
    expect(begin).toThrow("a server of that version, or a backup. Nothing was changed. Stop it, then run this again");
  }
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(copiesIn(folder.path)).toEqual([]);
  await server.stdin.end();
  expect(await server.exited).toBe(0);
  expect(await adminIn(folder.path)("team create more")).toMatchObject({ exitCode: 0 });
});

for (const migration of ["0012_admin_log.sql", "0007_subjects_and_note_versions.sql", "0002_requests.sql"]) {
  test(`what upgrades a database of before ${migration} copies it aside, says where, and the copy can be restored`, async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, "data");
    await makeOld(data, migration);
    const old = versionOf(data);
    const changed = await adminIn(data)("team create more");
    const [name = "", ...others] = copiesIn(data);
    const copy = join(data, name);
    expect(others).toEqual([]);
    expect(changed.exitCode).toBe(0);
    expect(changed.stderr).toContain(`A copy of it, without ciphertexts, is '${copy}'.`);
    expect(versionOf(data)).toBeGreaterThan(old ?? 0);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    using database = new Database(copy, { readonly: true });
    // That of the older version, whose executable takes it.
    expect(database.query("PRAGMA user_version").get()).toEqual({ user_version: old });
    expect((await adminIn(data)("team list")).stderr).not.toContain("copy");
    const back = join(folder.path, "back");
    expect(await adminIn(back)(`restore ${copy}`)).toMatchObject({ exitCode: 0 });
    const teams = (await adminIn(back)("team list")).stdout;
    expect([teams.includes(" ops "), teams.includes(" more ")]).toEqual([true, false]);
    expect((await adminIn(back)("key list")).stdout).toContain(" live ");
  });
}

test("the copy has no ciphertext, and no more than three copies are kept", async () => {
  const storage = openSqliteStorage();
  await using server = await startTestServer({ storage });
  const { folder } = storage;
  const admin = adminIn(folder);
  await admin("team create ops");
  const token = (await admin("key create --team ops --identity ci --scope all")).stdout.trim();
  const body = { envelope: { version: 1, ciphertext: "fake-local-test-only".repeat(10) } };
  expect((await server.call("POST", "/api/v1/secrets", { token, body })).status).toBe(201);
  await server.backend.service.store.close();
  takeBack(folder, "0012_admin_log.sql");
  for (const day of [1, 2, 3, 4]) writeFileSync(join(folder, `before-upgrade-2020010${day}T000000Z.backup`), "");
  mkdirSync(join(folder, "before-upgrade-mine"));
  expect(await admin("team create more")).toMatchObject({ exitCode: 0 });
  const copies = copiesIn(folder).toSorted();
  expect(copies.slice(0, 2)).toEqual([
    "before-upgrade-20200103T000000Z.backup",
    "before-upgrade-20200104T000000Z.backup",
  ]);
  expect(copies).toHaveLength(4);
  const [, , newest = ""] = copies;
  expect(readFileSync(join(folder, newest)).includes("fake-local-test-only")).toBe(false);
});

test("what a process had begun that was killed is taken back first, and is in no copy", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const admin = adminIn(data);
  await makeOld(data, "0012_admin_log.sql");
  leaveUnfinished(data);
  expect(await admin("team create more")).toMatchObject({ exitCode: 0 });
  const [copy = ""] = copiesIn(data);
  const back = join(folder.path, "back");
  expect(await adminIn(back)(`restore ${join(data, copy)}`)).toMatchObject({ exitCode: 0 });
  leaveUnfinished(data);
  const backup = join(folder.path, "one.backup");
  expect(await admin(`backup ${backup}`)).toMatchObject({ exitCode: 0, stdout: `${backup}\n` });
  const again = join(folder.path, "again");
  expect(await adminIn(again)(`restore ${backup}`)).toMatchObject({ exitCode: 0 });
  const teamsIn = async (place: string) =>
    JSON.parse((await adminIn(place)("team list --json")).stdout).map(({ name }: { name: string }) => name);
  expect([await teamsIn(back), await teamsIn(again), await teamsIn(data)]).toEqual([
    ["ops"],
    ["ops", "more"],
    ["ops", "more"],
  ]);
});
