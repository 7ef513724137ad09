import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BREAKS } from "../../scripts/breaks/all.ts";

const ROOT = join(import.meta.dir, "../..");

test("every break fits the code as it is, and names tests that are there", () => {
  const misfits = BREAKS.filter(({ file, find, replace, tests }) => {
    const count = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), "utf8").split(find).length - 1 : 0;
    return count !== 1 || find === replace || !tests.every((each) => existsSync(join(ROOT, each)));
  });
  expect(misfits.map(({ what, file }) => `${what}: ${file}`)).toEqual([]);
  expect(BREAKS.length).toBeGreaterThan(60);
});
