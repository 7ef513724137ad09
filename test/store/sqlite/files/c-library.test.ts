import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renameNew, tryFlock } from "../../../../src/store/sqlite/files/c-library.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());
const at = (name: string) => join(folder.path, name);

test("only a lock that another has is said to be taken; a file that cannot be locked is named as that", () => {
  const [first, second] = [openSync(at("file"), "w"), openSync(at("file"), "w")];
  expect([tryFlock(first), tryFlock(second)]).toEqual([true, false]);
  closeSync(first);
  expect(tryFlock(second)).toBeTrue();
  closeSync(second);
  expect(() => tryFlock(second)).toThrow(expect.objectContaining({ code: "EBADF" }));
});

test("a file gets a new name in one step, and none that something has", () => {
  writeFileSync(at("one"), "one");
  writeFileSync(at("two"), "two");
  expect(() => renameNew(at("one"), at("two"))).toThrow(expect.objectContaining({ code: "EEXIST" }));
  expect(() => renameNew(at("none"), at("three"))).toThrow(expect.objectContaining({ code: "ENOENT" }));
  expect(renameNew(at("one"), at("ünï three"))).toBeTrue();
  expect(readdirSync(folder.path).toSorted()).toEqual(["two", "ünï three"]);
  expect([readFileSync(at("ünï three"), "utf8"), statSync(at("ünï three")).nlink]).toEqual(["one", 1]);
  expect(readFileSync(at("two"), "utf8")).toBe("two");
});
