import { afterAll, afterEach, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { takeBack } from "../support/old-databases.ts";
import { urlOf } from "../support/postgres-urls.ts";
import { openOver } from "../support/postgres.ts";
import { recordChanges } from "../support/recorded-changes.ts";
import type { Recording } from "../support/recorded-changes.ts";
import { sharedPostgres } from "../support/shared-postgres.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";
import { createTestClock } from "../support/test-clocks.ts";

// What a command leaves that is killed, or whose machine loses its power, after each of the system calls by which it
// changes the data folder. Every call is tried with HANDOFF_EVERY_CALL=1; otherwise those that change the database's
// file or take one away, and some of the others.

const EVERY = process.env["HANDOFF_EVERY_CALL"] === "1";
const ONE_IN = 24;

const umask = process.umask();
afterEach(() => void process.umask(umask));

const admin = (folder: string, line: string) =>
  runHere(["admin", ...line.split(" ")], { HANDOFF_DATA_DIR: folder, HOME: "/nonexistent" });

async function teamsIn(folder: string): Promise<string[]> {
  const { stdout } = await admin(folder, "team list --json");
  return JSON.parse(stdout || "[]").map(({ name }: { readonly name: string }) => name);
}

/** The numbers of calls after which it is looked what is there. */
function stepsOf({ calls }: Recording): number[] {
  return calls.flatMap(({ name, path }, index) => {
    const isOfDatabase = path.endsWith("handoff.db") || name === "rename" || name === "remove";
    return EVERY || isOfDatabase || index % ONE_IN === 0 ? [index + 1] : [];
  });
}

/** A digest of all that is in a folder. */
function digestOf(folder: string): string {
  const digest = new Bun.CryptoHasher("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const path = join(folder, name);
    const content = statSync(path).isFile() ? readFileSync(path) : undefined;
    digest.update(`${name}\0${content?.length}\0`).update(content ?? "");
  }
  return digest.digest("hex");
}

/** Calls `check` with a folder for each moment, but once for moments at which the same is in it. */
async function sweep(recording: Recording, check: (folder: string, step: number) => Promise<void>): Promise<void> {
  // Where a flush costs nothing.
  using disk = mountTmpfs("64m");
  const checked = new Set<string>();
  for (const step of stepsOf(recording)) {
    for (const end of ["killedAfter", "cutOffAfter"] as const) {
      const folder = join(disk.path, "data");
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
      if (!recording[end](step, folder)) continue;
      const digest = digestOf(folder);
      if (checked.has(digest)) continue;
      checked.add(digest);
      try {
        await check(folder, step);
      } catch (error) {
        const { name, path } = recording.calls[step - 1] ?? {};
        throw new Error(`${end} ${step} of ${recording.calls.length}: ${name} of '${path}'`, { cause: error });
      }
    }
  }
}

/** A data folder with a team and a key. */
async function filled(parent: string): Promise<string> {
  const folder = join(parent, "data");
  await admin(folder, "team create ops");
  await admin(folder, "key create --team ops --identity ci --scope all");
  return folder;
}

/** The answer of `ask` about a copy of `folder`, which it may change. */
async function inCopy<T>(folder: string, ask: (copy: string) => Promise<T>): Promise<T> {
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  try {
    return await ask(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const isThere = expect.stringContaining("there is already a team 'more'");
const DONE = { exitCode: 0 };

test("the first command on an empty folder, killed anywhere, is run again", async () => {
  using place = temporaryFolder();
  const recording = await recordChanges(["admin", "team", "create", "more", "--data-dir", place.path], place.path);
  await sweep(recording, async (folder) => {
    const again = await admin(folder, "team create more");
    if (again.exitCode !== 0) expect(again.stderr).toEqual(isThere);
    expect(await teamsIn(folder)).toEqual(["more"]);
  });
}, 600_000);

test("what brings a database up to date, killed anywhere, is run again, and nothing is lost", async () => {
  using place = temporaryFolder();
  const old = await filled(place.path);
  takeBack(old, "0012_admin_log.sql");
  const recording = await recordChanges(["admin", "team", "create", "more", "--data-dir", old], old);
  await sweep(recording, async (folder) => {
    const again = await admin(folder, "team create more");
    if (again.exitCode !== 0) expect(again.stderr).toEqual(isThere);
    expect(await teamsIn(folder)).toEqual(["ops", "more"]);
    expect((await admin(folder, "key list")).stdout).toContain(" live ");
    expect(existsSync(join(folder, ".before-upgrade.part"))).toBe(false);
  });
}, 600_000);

test("a restore, killed anywhere, is run again, and before that nothing or all of it is there", async () => {
  using place = temporaryFolder();
  const backup = join(place.path, "one.backup");
  await admin(await filled(place.path), `backup ${backup}`);
  const empty = join(place.path, "empty");
  mkdirSync(empty, { mode: 0o700 });
  const recording = await recordChanges(["admin", "restore", backup, "--data-dir", empty], empty);
  await sweep(recording, async (folder) => {
    expect([[], ["ops"]]).toContainEqual(await inCopy(folder, teamsIn));
    const again = await admin(folder, `restore ${backup}`);
    if (again.exitCode !== 0) expect(again.stderr).toContain("there is a database in");
    expect(await teamsIn(folder)).toEqual(["ops"]);
    expect((await admin(folder, "key list")).stdout).toContain(" live ");
  });
}, 600_000);

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

/** The number of teams in a database. */
async function teamsInPostgres(connection: ConnectionOptions): Promise<number> {
  await using sql = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const [row] = (await sql.unsafe("SELECT count(*)::int AS teams FROM teams")) as { teams: number }[];
  return row?.teams ?? NaN;
}

test("a move, killed anywhere, is run again, and at no moment can both be served from", async () => {
  using place = temporaryFolder();
  const data = await filled(place.path);
  const target = await cluster.makeDatabase();
  await openOver(target, createTestClock()).then(({ store }) => store.close());
  // As it is until the move ends.
  const empty = await cluster.makeDatabase(target.database);
  const recording = await recordChanges(["admin", "move", "--to", urlOf(target), "--yes", "--data-dir", data], data);
  expect(await teamsInPostgres(target)).toBe(1);
  await sweep(recording, async (folder) => {
    const opened = await inCopy(folder, (copy) => admin(copy, "team list"));
    if (opened.exitCode !== 0) expect(opened.stderr).toContain("If the move did not come to its end, run it again");
    // As long as it changes the folder, PostgreSQL has kept nothing of it.
    const connection = await cluster.makeDatabase(empty.database);
    expect(await admin(folder, `move --to ${urlOf(connection)} --yes`)).toMatchObject(DONE);
    expect(await teamsInPostgres(connection)).toBe(1);
    expect((await admin(folder, "team list")).stderr).toContain("was moved to");
  });
  const whole = join(place.path, "whole");
  expect(recording.killedAfter(recording.calls.length, whole)).toBe(true);
  expect(await admin(whole, `move --to ${urlOf(target)} --yes`)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("has arrived in"),
  });
}, 600_000);

test("taking a move back, killed anywhere, is run again, or is done", async () => {
  using place = temporaryFolder();
  const data = await filled(place.path);
  const url = urlOf(await cluster.makeDatabase());
  expect(await admin(data, `move --to ${url} --yes`)).toMatchObject(DONE);
  const recording = await recordChanges(["admin", "move", "--undo", "--yes", "--data-dir", data], data);
  await sweep(recording, async (folder) => {
    const opened = await inCopy(folder, (copy) => admin(copy, "team list"));
    if (opened.exitCode !== 0) expect(opened.stderr).toContain(`was moved to '${url}'`);
    const again = await admin(folder, "move --undo --yes");
    if (again.exitCode !== 0) expect(again.stderr).toContain("nothing was moved from");
    expect(await teamsIn(folder)).toEqual(["ops"]);
  });
}, 600_000);
