import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { KeyRecord } from "../../../../src/domain/ports/identities.ts";
import { createKnownKeys, watchCommits } from "../../../../src/store/sqlite/engine/known-keys.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

const HASH = new Uint8Array(32).fill(1);
const LAST_COUNT = 2 ** 32 - 1;

/** Keys that are known over a count of commits that a test moves. */
function openKeys(first = 10) {
  const disk = { commits: first, key: keyNamed("first"), reads: 0 };
  const keys = createKnownKeys(() => disk.commits);
  const find = () =>
    keys.find(HASH, () => {
      disk.reads += 1;
      return disk.key;
    })?.name;
  return { disk, find, trust: keys.trust };
}

function keyNamed(name: string): KeyRecord {
  return { name } as KeyRecord;
}

test("a key is read once, and again after a commit that nobody has told of", () => {
  const { disk, find } = openKeys();
  expect([find(), find()]).toEqual(["first", "first"]);
  expect(disk.reads).toBe(1);
  disk.key = keyNamed("second");
  disk.commits += 1;
  expect(find()).toBe("second");
});

test("a commit that the writer vouches for changes nothing, and one that it does not vouch for everything", () => {
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

test("a commit beyond what the writer vouches for counts, whether it is seen before or after the report", () => {
  const { disk, find, trust } = openKeys();
  find();
  disk.commits = 12;
  trust({ latest: 11, mayChangeKeys: false });
  disk.key = keyNamed("second");
  expect([find(), disk.reads]).toEqual(["second", 2]);
  // It comes late, and is about less than what was read since.
  trust({ latest: 11, mayChangeKeys: true });
  expect([find(), disk.reads]).toEqual(["second", 2]);
});

test("where commits cannot be counted nothing is known, and nothing is vouched for", () => {
  const unreadable = () => {
    throw new Error("EIO");
  };
  const keys = createKnownKeys(unreadable);
  const names = ["first", "second"];
  const find = () => keys.find(HASH, () => keyNamed(names.shift() ?? ""))?.name;
  expect([find(), find()]).toEqual(["first", "second"]);
  using database = new Database(":memory:");
  expect(watchCommits(database, unreadable).report()).toBeUndefined();
});

test("the count may begin anew", () => {
  const { disk, find, trust } = openKeys(LAST_COUNT);
  find();
  disk.commits = 0;
  trust({ latest: 0, mayChangeKeys: false });
  expect([find(), disk.reads]).toEqual(["first", 1]);
});

test("a writer vouches for its own commits, and not for those of another, nor for one that changes a key", () => {
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
  watch.forget();
  commit(database);
  expect(watch.report()).toEqual({ latest: 6, mayChangeKeys: true });
  expect(watch.report()).toEqual({ latest: 6, mayChangeKeys: false });
});
