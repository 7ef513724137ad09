import { expect, test } from "bun:test";
import type { FoundKey } from "../../../../src/domain/ports/credentials.ts";
import { createKnownKeys } from "../../../../src/store/sqlite/engine/known-keys.ts";

const HASH = new Uint8Array(32).fill(1);

const keyNamed = (name: string) => ({ name }) as FoundKey;

test("a key is read once, and again after each commit", () => {
  const disk = { commits: 10, key: keyNamed("first"), reads: 0 };
  const keys = createKnownKeys(() => disk.commits);
  const find = () => keys.find(HASH, () => ((disk.reads += 1), disk.key))?.name;
  expect([find(), find(), disk.reads]).toEqual(["first", "first", 1]);
  disk.key = keyNamed("second");
  disk.commits += 1;
  expect([find(), find(), disk.reads]).toEqual(["second", "second", 2]);
});

test("an unknown key is looked up each time", () => {
  const keys = createKnownKeys(() => 1);
  expect(keys.find(HASH, () => undefined)).toBeUndefined();
  expect(keys.find(HASH, () => keyNamed("new"))?.name).toBe("new");
});

test("without a count of commits, no key is cached", () => {
  const keys = createKnownKeys(() => {
    throw new Error("EIO");
  });
  const names = ["first", "second"];
  const find = () => keys.find(HASH, () => keyNamed(names.shift() ?? ""))?.name;
  expect([find(), find()]).toEqual(["first", "second"]);
});
