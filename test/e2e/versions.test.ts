import { expect, test } from "bun:test";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { runExecutable } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

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

test("'openapi' prints the document of a server with the same settings, byte for byte", async () => {
  using folder = temporaryFolder();
  const env = { HANDOFF_BASE_URL: "https://handoff.example", HANDOFF_MAX_EXPIRES: "10d" };
  const unix = join(folder.path, "socket");
  const data = join(folder.path, "data");
  await using _ = await startProgram(["serve", "--listen", `unix:${unix}`, "--data-dir", data], env);
  const served = await (await fetch("http://handoff.example/openapi.json", { unix })).text();
  expect(await runExecutable(["openapi"], env)).toEqual({ exitCode: 0, stdout: served, stderr: "" });
  // Generators refuse an address that is relative to nothing.
  expect(served).not.toMatch(/"url":"\//);
});
