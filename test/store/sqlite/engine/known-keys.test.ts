import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { FoundKey } from "../../../../src/domain/ports/credentials.ts";
import { createKnownKeys, watchCommits } from "../../../../src/store/sqlite/engine/known-keys.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

const HASH = new Uint8Array(32).fill(1);
const LAST_COUNT = 2 ** 32 - 1;

const keyNamed = (name: string) => ({ name }) as FoundKey;

/** Known keys over a count of commits that a test moves. */
function openKeys(commits = 10) {
  const disk = { commits, key: keyNamed("first"), reads: 0 };
  const keys = createKnownKeys(() => disk.commits);
  const find = () => keys.find(HASH, () => ((disk.reads += 1), disk.key))?.name;
  return { disk, find, trust: keys.trust };
}

test("a key is read once, and again after a commit that nobody has reported", () => {
  const { disk, find } = openKeys();
  expect([find(), find(), disk.reads]).toEqual(["first", "first", 1]);
  disk.key = keyNamed("second");
  disk.commits += 1;
  expect([find(), find(), disk.reads]).toEqual(["second", "second", 2]);
});

test("a key is read again after a reported commit only if it may have changed", () => {
  const { disk, find, trust } = openKeys();
  find();
  disk.commits += 1;
  trust({ latest: 11, mayChangeKeys: false });
  expect([find(), disk.reads]).toEqual(["first", 1]);
  disk.key = keyNamed("second");
  disk.commits += 1;
  trust({ latest: 12, mayChangeKeys: true });
  expect([find(), disk.reads]).toEqual(["second", 2]);
});

test("a commit after the reported ones counts, whether it is seen before or after the report", () => {
  const { disk, find, trust } = openKeys();
  find();
  disk.commits = 12;
  trust({ latest: 11, mayChangeKeys: false });
  disk.key = keyNamed("second");
  expect([find(), disk.reads]).toEqual(["second", 2]);
  // The report comes late, and what was read since is newer.
  trust({ latest: 11, mayChangeKeys: true });
  expect([find(), disk.reads]).toEqual(["second", 2]);
});

test("an unknown key is looked up each time", () => {
  const keys = createKnownKeys(() => 1);
  expect(keys.find(HASH, () => undefined)).toBeUndefined();
  expect(keys.find(HASH, () => keyNamed("new"))?.name).toBe("new");
});

test("without a count of commits, no key is cached, and no commit is reported", () => {
  const fail = () => {
    throw new Error("EIO");
  };
  const keys = createKnownKeys(fail);
  const names = ["first", "second"];
  const find = () => keys.find(HASH, () => keyNamed(names.shift() ?? ""))?.name;
  expect([find(), find()]).toEqual(["first", "second"]);
  using database = new Database(":memory:");
  expect(watchCommits(database, fail).report()).toBeUndefined();
});

test("the count of commits may begin anew", () => {
  const { disk, find, trust } = openKeys(LAST_COUNT);
  find();
  disk.commits = 0;
  trust({ latest: 0, mayChangeKeys: false });
  expect([find(), disk.reads]).toEqual(["first", 1]);
});

test("a writer reports that keys may have changed after a commit of another, and after one that may change a key", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "watched.db");
  using database = new Database(path);
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE numbers (number INTEGER)");
  let commits = 1;
  const watch = watchCommits(database, () => commits);
  const commit = (connection: Database) => {
    connection.run("INSERT INTO numbers VALUES (1)");
    commits += 1;
  };
  commit(database);
  commit(database);
  expect(watch.report()).toEqual({ latest: 3, mayChangeKeys: false });
  using other = new Database(path);
  commit(other);
  commit(database);
  expect(watch.report()).toEqual({ latest: 5, mayChangeKeys: true });
  watch.noteKeyChange();
  commit(database);
  expect(watch.report()).toEqual({ latest: 6, mayChangeKeys: true });
  expect(watch.report()).toEqual({ latest: 6, mayChangeKeys: false });
});
