import { expect, test } from "bun:test";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { runExecutable } from "../support/executions.ts";

const ROOT = join(import.meta.dir, "../..");

test("the version includes the commit of the build, and Bun and SQLite", async () => {
  const { version } = packageJson;
  expect((await runExecutable(["version"])).stdout).toBe(`handoff ${version}\n`);
  const { stdout } = await runExecutable(["version", "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    version,
    commit: expect.stringMatching(/^([0-9a-f]{40}(-modified)?|unknown)$/),
    date: expect.stringMatching(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|unknown)$/),
    bun: packageJson.devDependencies.bun,
    sqlite: expect.stringMatching(/^3\.\d+\.\d+$/),
  });
  const top = await Bun.$`git rev-parse --show-toplevel`.cwd(ROOT).nothrow().quiet().text();
  expect(stdout.includes('"commit":"unknown"')).toBe(top.trim() !== ROOT);
});
