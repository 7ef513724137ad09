import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { tryFlock } from "../../../../src/store/sqlite/files/c-library.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());
const at = (name: string) => join(folder.path, name);

test("only a lock that is held elsewhere counts as taken; a file that can't be locked throws", () => {
  const [first, second] = [openSync(at("file"), "w"), openSync(at("file"), "w")];
  expect([tryFlock(first), tryFlock(second)]).toEqual([true, false]);
  closeSync(first);
  expect(tryFlock(second)).toBeTrue();
  closeSync(second);
  expect(() => tryFlock(second)).toThrow(expect.objectContaining({ code: "EBADF" }));
});
