import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { ConnectionOptions } from "../../../../src/store/postgres/engine/database.ts";
import { killHeldUp } from "../../../support/held-up.ts";
import { mountTmpfs, remount } from "../../../support/mounts.ts";
import { urlOf } from "../../../support/postgres-urls.ts";
import { openOver, startPostgres } from "../../../support/postgres.ts";
import { runProgram } from "../../../support/program.ts";
import { addSecret } from "../../../support/stores.ts";
import { temporaryFolder } from "../../../support/temporary.ts";
import { runHere } from "../../../support/terminals.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

interface Ready extends Disposable {
  readonly folder: string;
  readonly connection: ConnectionOptions;
  readonly url: string;
  /** `handoff admin …` over a database, or over the one of this. */
  readonly admin: (line: string, url?: string) => ReturnType<typeof runHere>;
}

/** A database in PostgreSQL with a team, a key and a secret that can be opened, and a folder for backups. */
async function prepare(): Promise<Ready> {
  const place = temporaryFolder();
  const connection = await cluster.makeDatabase();
  const own = urlOf(connection);
  const admin = (line: string, url = own) =>
    runHere(["admin", ...line.split(" ")], { HANDOFF_DATABASE_URL: url, HOME: "/nonexistent" });
  expect(await admin("team create ops")).toMatchObject({ exitCode: 0 });
  expect(await admin("key create --team ops --identity ci --scope secrets:read")).toMatchObject({ exitCode: 0 });
  const { store, ...rest } = await openOver(connection, createTestClock(Date.now()));
  const team = await store.findTeam("ops");
  await addSecret({ store, ...rest }, team?.id ?? "");
  await store.close();
  return { folder: place.path, connection, url: own, admin, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

const COUNTS = { teams: 1, identities: 1, keys: 1, secrets: 1, requests: 0 };
const NO_LARGE = { large_secrets: 0, large_bytes: 0 };
const newUrl = async () => urlOf(await cluster.makeDatabase());

test("a PostgreSQL database is backed up into a directory under its time and ID, and older backups are deleted", async () => {
  using ready = await prepare();
  const { folder, admin } = ready;
  const directory = join(folder, "backups");
  mkdirSync(directory);
  const first = await admin(`backup ${directory} --keep 1`);
  expect(first).toMatchObject({ exitCode: 0 });
  expect(first.stderr).toBe("Backed up (metadata only): teams 1, identities 1, keys 1, secrets 1, requests 0.\n");
  expect(first.stdout).toMatch(/\/backups\/handoff-\d{8}T\d{9}Z-[0-9a-f]{8}\.backup\n$/);
  expect(statSync(first.stdout.trim()).mode & 0o777).toBe(0o600);
  const { stdout, stderr } = await admin(`backup ${directory} --keep 1 --json`);
  expect(stderr).toBe("");
  const told = JSON.parse(stdout);
  expect(told).toEqual({
    file: expect.stringContaining(directory),
    taken_at: expect.any(String),
    with_secrets: false,
    ...COUNTS,
    ...NO_LARGE,
    removed: [expect.stringContaining(".backup")],
  });
  expect(readdirSync(directory).map((name) => join(directory, name))).toEqual([told.file]);
  expect(Math.abs(Date.parse(told.taken_at) - Date.now())).toBeLessThan(60_000);
  expect((await admin(`backup ${told.file}`)).stderr).toContain("already exists. Name another file.");
  expect((await admin(`backup ${folder}/none/x`)).stderr).toContain("there is no such file or directory");
  expect(readdirSync(directory)).toHaveLength(1);
});

test("a backup with secrets goes from PostgreSQL to a data folder and back", async () => {
  using ready = await prepare();
  const { folder, admin } = ready;
  const [file, back] = [join(folder, "all.backup"), join(folder, "back.backup")];
  expect(await admin(`backup ${file} --with-secrets`)).toMatchObject({ exitCode: 0 });
  const inFolder = { HANDOFF_DATA_DIR: join(folder, "data"), HOME: "/nonexistent" };
  expect(await runHere(["admin", "restore", file, "--keep-secrets"], inFolder)).toMatchObject({ exitCode: 0 });
  expect(await runHere(["admin", "backup", back, "--with-secrets"], inFolder)).toMatchObject({ exitCode: 0 });
  const url = await newUrl();
  const { stdout, stderr, exitCode } = await admin(`restore ${back} --keep-secrets --json`, url);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(JSON.parse(stdout)).toEqual({
    database: url,
    taken_at: expect.any(String),
    with_secrets: true,
    ...COUNTS,
    ...NO_LARGE,
    ended_secrets: 0,
    ended_requests: 0,
  });
  expect((await admin("secret list", url)).stdout).toContain("waiting");
  expect((await admin("key list", url)).stdout).toContain(" ci ");
});

test("a restore says what it revoked and where it restored, and refuses a database that is not empty", async () => {
  using ready = await prepare();
  const { folder, url, admin } = ready;
  const file = join(folder, "one.backup");
  await admin(`backup ${file}`);
  const target = await newUrl();
  const restored = await admin(`restore ${file}`, target);
  expect(restored).toMatchObject({ exitCode: 0, stdout: "" });
  expect(restored.stderr).toMatch(/^Restored the backup of \S+ into 'postgresql:/);
  expect(restored.stderr).toContain("Revoked what was open: secrets 1, requests 0.");
  expect(restored.stderr).not.toContain("chown");
  expect((await admin("secret list", target)).stdout).toContain("revoked");
  for (const each of [url, target]) {
    const refused = await admin(`restore ${file}`, each);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain(`'${each}': the database is not empty`);
  }
  writeFileSync(join(folder, "text"), "hello");
  const third = await newUrl();
  expect((await admin(`restore ${folder}/text`, third)).stderr).toContain("is no backup");
  expect((await admin(`restore ${folder}/none`, third)).stderr).toContain(
    "no such file or directory. Nothing was restored",
  );
  expect((await admin(`restore ${file} --keep-secrets`, third)).stderr).toContain("has no ciphertexts");
  expect(await admin(`restore ${file}`, third)).toMatchObject({ exitCode: 0 });
});

test("a replica can be backed up, and refuses a restore", async () => {
  using ready = await prepare();
  const { folder, connection, url, admin } = ready;
  await using replica = await cluster.makeReplica();
  const there = urlOf({ ...connection, path: replica.socket });
  const file = join(folder, "all.backup");
  const { stdout } = await admin(`backup ${file} --with-secrets --json`, there);
  expect(JSON.parse(stdout)).toMatchObject({ with_secrets: true, ...COUNTS });
  const refused = await admin(`restore ${file}`, there);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("the database can only be read");
  const target = await newUrl();
  expect(await admin(`restore ${file} --keep-secrets`, target)).toMatchObject({ exitCode: 0 });
  const keys = [await admin("key list --json", url), await admin("key list --json", target)];
  expect(keys[0]?.stdout).toBe(keys[1]?.stdout ?? "");
});

test("a database that is not there, or has nothing in it, can't be backed up", async () => {
  using ready = await prepare();
  const { folder, url, admin } = ready;
  const gone = await admin(`backup ${folder}/x`, url.replace(/\/[^/]*$/, "/gone"));
  expect(gone.stderr).toContain("there is no database of this name");
  const empty = await admin(`backup ${folder}/x`, await newUrl());
  expect(empty.stderr).toContain("the database has nothing of handoff in it");
  expect(readdirSync(folder)).toEqual([]);
});

test("the next backup removes what a killed one has left", async () => {
  using ready = await prepare();
  const { folder, connection, url, admin } = ready;
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 2 });
  const env = { HANDOFF_DATABASE_URL: url };
  await killHeldUp(beside, "LOCK TABLE events", ["admin", "backup", join(folder, "x.backup")], env);
  expect(readdirSync(folder).join(" ")).toMatch(/^\.handoff-backup-\S+\.part/);
  expect(await admin(`backup ${folder}/x.backup`)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(folder)).toEqual(["x.backup"]);
});

test("a killed restore leaves the database empty, and the next one removes its temporary files", async () => {
  using ready = await prepare();
  const { folder, admin } = ready;
  const file = join(folder, "all.backup");
  await admin(`backup ${file} --with-secrets`);
  const connection = await cluster.makeDatabase();
  await openOver(connection, createTestClock()).then(({ store }) => store.close());
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const env = { HANDOFF_DATABASE_URL: urlOf(connection), TMPDIR: temporary };
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 2 });
  await killHeldUp(beside, "LOCK TABLE events", ["admin", "restore", file], env);
  expect(readdirSync(temporary)).toEqual([expect.stringMatching(/^handoff-restore-/)]);
  expect(statSync(join(temporary, readdirSync(temporary)[0] ?? "")).mode & 0o777).toBe(0o700);
  expect((await admin("team list", urlOf(connection))).stdout).not.toContain("ops");
  expect(await runProgram(["admin", "restore", file], env)).toMatchObject({ exitCode: 0 });
  expect(readdirSync(temporary)).toEqual([]);
});

test("a missing, read-only or full directory for temporary files is named, and so is TMPDIR", async () => {
  using ready = await prepare();
  const { folder, url, admin } = ready;
  const file = join(folder, "one.backup");
  await admin(`backup ${file}`);
  const target = await newUrl();
  const absent = join(folder, "absent");
  const sayIn = async (temporary: string, line = `restore ${file}`, database = target) => {
    const { exitCode, stdout, stderr } = await runProgram(["admin", ...line.split(" ")], {
      HANDOFF_DATABASE_URL: database,
      TMPDIR: temporary,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    return stderr;
  };
  expect(await sayIn(absent)).toBe(
    `handoff: Can't use '${absent}', the directory for temporary files: there is no such file or directory. Make it one that you can write, or name another one with the variable TMPDIR. Nothing was restored.\n`,
  );
  expect(await sayIn(absent, "backup -", url)).toContain(
    `Can't write '${absent}': there is no such file or directory. Name another directory with the variable TMPDIR.`,
  );
  using disk = mountTmpfs("64k");
  const full = `there is no room left on the file system of '${disk.path}'. Make at least 1 MiB free there, then try again. To see what is used, run: df -h '${disk.path}'. Or name another directory with the variable TMPDIR`;
  expect(await sayIn(disk.path)).toContain(full);
  expect(readdirSync(disk.path)).toEqual([]);
  remount(disk.path, "ro");
  expect(await sayIn(disk.path)).toContain(
    `Can't use '${disk.path}', the directory for temporary files: its file system is read-only.`,
  );
  expect(await admin(`restore ${file}`, target)).toMatchObject({ exitCode: 0 });
});
