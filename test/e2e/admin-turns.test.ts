import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("concurrent admin commands wait for each other, even on the first run", async () => {
  using folder = temporaryFolder();
  const env = { HANDOFF_DATA_DIR: join(folder.path, "data") };
  const admin = (line: string) => runProgram(["admin", ...line.split(" ")], env);
  const teams = await Promise.all(Array.from({ length: 8 }, (_, index) => admin(`team create ops${index % 4}`)));
  expect(teams.filter(({ exitCode }) => exitCode === 0)).toHaveLength(4);
  for (const { exitCode, stderr } of teams) {
    if (exitCode !== 0) expect(stderr).toMatch(/there is already a team 'ops\d'/);
  }
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => admin("key create --team ops0 --identity ci --scope secrets:read")),
  );
  expect(keys.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 8 }, () => 0));
  expect(existsSync(join(env.HANDOFF_DATA_DIR, "admin.lock"))).toBe(false);
  expect(JSON.parse((await admin("identity list --json")).stdout)).toHaveLength(1);
}, 120_000);
