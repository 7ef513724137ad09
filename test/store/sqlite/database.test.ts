import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../../src/store/sqlite/database.ts";
import { DatabaseError } from "../../../src/store/sqlite/errors.ts";
import { mountTmpfs } from "../../support/mounts.ts";
import { openTestSecrets } from "../../support/secrets.ts";
import { claimInProcesses } from "../../support/store-processes.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const MIB = 1024 * 1024;
const MIGRATIONS = readdirSync("drizzle/sqlite").filter((name) => name.endsWith(".sql")).length;
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** The message with which the database in `folder` is refused. */
function refusal(folder: string): string {
  try {
    openDatabase(folder).close();
  } catch (error) {
    if (error instanceof DatabaseError) return error.message;
    throw error;
  }
  return "it was opened";
}

test("folder and files are for their owner alone", async () => {
  process.umask(0o022);
  await using secrets = await openTestSecrets({}, MIB);
  await secrets.create("text");
  const { folder } = secrets.backend;
  const names = readdirSync(folder).toSorted();
  expect(names).toEqual(["ballast", "handoff.db", "handoff.db-shm", "handoff.db-wal"]);
  expect(names.map((name) => modeOf(join(folder, name)))).toEqual(["600", "600", "600", "600"]);
  using parent = temporaryFolder();
  const made = join(parent.path, "a", "b");
  openDatabase(made).close();
  expect([made, join(parent.path, "a")].map(modeOf)).toEqual(["700", "700"]);
});

test("every setting that durability and erasure depend on is in force", () => {
  using folder = temporaryFolder();
  const database = openDatabase(folder.path);
  const read = (name: string) => database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).values().flat()[0];
  const names = [
    "journal_mode",
    "synchronous",
    "secure_delete",
    "foreign_keys",
    "busy_timeout",
    "page_size",
    "temp_store",
  ];
  expect(names.map(read)).toEqual(["wal", 2, 1, 1, 5000, 4096, 2]);
  database.close();
});

test("a database of a newer version is refused, and is as it was", () => {
  using folder = temporaryFolder();
  const database = openDatabase(folder.path);
  database.run("PRAGMA user_version = 99");
  database.close();
  expect(refusal(folder.path)).toContain("newer version of handoff");
  const again = new Database(join(folder.path, "handoff.db"));
  expect(again.query("PRAGMA user_version").values()).toEqual([[99]]);
  again.close();
});

test("a file that is no database is refused and left alone", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "handoff.db");
  const text = "This is a letter, and a long one at that. ".repeat(100);
  writeFileSync(path, text);
  expect(refusal(folder.path)).toBe(`cannot use the database '${path}': the file is not a handoff database`);
  expect(await Bun.file(path).text()).toBe(text);
});

test("a file where the folder should be, and a folder that cannot be written, are said so", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "file");
  writeFileSync(path, "");
  expect(refusal(path)).toBe(`the data folder '${path}' is a file, or lies in one`);
  expect(refusal(join(path, "below"))).toEndWith("is a file, or lies in one");
  const target = join(folder.path, "mounted");
  mkdirSync(target);
  using readOnly = mountTmpfs("1m", "ro");
  expect(refusal(readOnly.path)).toContain("cannot be written by this user");
});

test("a database that another program holds locked is said so, after a while", () => {
  using folder = temporaryFolder();
  openDatabase(folder.path).close();
  const other = new Database(join(folder.path, "handoff.db"));
  other.run("PRAGMA locking_mode = EXCLUSIVE");
  other.run("BEGIN EXCLUSIVE");
  expect(refusal(folder.path)).toContain("another program holds it locked");
  other.close();
}, 20_000);

test("processes that open a new database at the same time all get it", async () => {
  for (let round = 0; round < 3; round++) {
    using folder = temporaryFolder();
    expect(await claimInProcesses(folder.path, "tea_none", [[], [], [], [], [], []])).toEqual([[], [], [], [], [], []]);
    const database = openDatabase(folder.path);
    expect(database.query("PRAGMA user_version").values()).toEqual([[MIGRATIONS]]);
    expect(database.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    database.close();
  }
}, 30_000);
