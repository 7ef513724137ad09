import { expect, test } from "bun:test";
import type { KeyRecord } from "../../../../src/domain/ports/identities.ts";
import { createKnownKeys, watchCommits } from "../../../../src/store/sqlite/engine/known-keys.ts";

const HASH = new Uint8Array(32).fill(1);
const LAST_COUNT = 2 ** 32 - 1;

/** The next turn of the event loop, where what has arrived since is looked at. */
const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Keys that are known over a count of commits that a test moves. */
function openKeys(first = 10) {
  const disk = { commits: first, key: keyNamed("first"), reads: 0 };
  const keys = createKnownKeys(() => disk.commits);
  const find = async () => {
    await nextTurn();
    return keys.find(HASH, () => {
      disk.reads += 1;
      return disk.key;
    })?.name;
  };
  return { disk, find, trust: keys.trust };
}

function keyNamed(name: string): KeyRecord {
  return { name } as KeyRecord;
}

test("a key is read once, and again after a commit that nobody has told of", async () => {
  const { disk, find } = openKeys();
  expect([await find(), await find()]).toEqual(["first", "first"]);
  expect(disk.reads).toBe(1);
  disk.key = keyNamed("second");
  disk.commits += 1;
  expect(await find()).toBe("second");
});

test("a commit that the writer vouches for changes nothing, and one that it does not vouch for everything", async () => {
  const { disk, find, trust } = openKeys();
  await find();
  disk.commits += 1;
  trust({ latest: 11, mayChangeKeys: false });
  expect([await find(), disk.reads]).toEqual(["first", 1]);
  disk.key = keyNamed("second");
  disk.commits += 1;
  trust({ latest: 12, mayChangeKeys: true });
  expect([await find(), disk.reads]).toEqual(["second", 2]);
});

test("a commit beyond what the writer vouches for counts, whether it is seen before or after the report", async () => {
  const { disk, find, trust } = openKeys();
  await find();
  disk.commits = 12;
  trust({ latest: 11, mayChangeKeys: false });
  disk.key = keyNamed("second");
  expect([await find(), disk.reads]).toEqual(["second", 2]);
  // It comes late, and is about less than what was read since.
  trust({ latest: 11, mayChangeKeys: true });
  expect([await find(), disk.reads]).toEqual(["second", 2]);
});

test("the count may begin anew", async () => {
  const { disk, find, trust } = openKeys(LAST_COUNT);
  await find();
  disk.commits = 0;
  trust({ latest: 0, mayChangeKeys: false });
  expect([await find(), disk.reads]).toEqual(["first", 1]);
});

test("a writer vouches for one commit at a time, and not for one that changes a key", () => {
  let commits = LAST_COUNT;
  const watch = watchCommits(() => commits);
  expect(watch.report()).toEqual({ latest: LAST_COUNT, mayChangeKeys: false });
  commits = 0;
  expect(watch.report()).toEqual({ latest: 0, mayChangeKeys: false });
  commits = 2;
  expect(watch.report()).toEqual({ latest: 2, mayChangeKeys: true });
  commits = 3;
  watch.forget();
  expect(watch.report()).toEqual({ latest: 3, mayChangeKeys: true });
  expect(watch.report()).toEqual({ latest: 3, mayChangeKeys: false });
});
