import { expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { runExecutable } from "../support/executions.ts";
import { takeBack } from "../support/old-databases.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("a server that upgrades a database logs the copy of the old one, and the next start makes none", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const admin = (line: string) => runExecutable(["admin", ...line.split(" ")], { HANDOFF_DATA_DIR: data });
  await admin("team create ops");
  takeBack(data, "0012_admin_log.sql");
  chmodSync(join(data, "handoff.db"), 0o600);
  const logged = async () => {
    await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", data]);
    // Beside it, admin commands work as always.
    expect((await admin("team list")).stdout).toContain(" ops ");
    return server.stderr();
  };
  const [, copy = ""] = /"copy":"([^"]+)"/.exec(await logged()) ?? [];
  expect(copy).toMatch(/\/data\/before-upgrade-\d{8}T\d{6}Z\.backup$/);
  expect(existsSync(copy)).toBe(true);
  expect(await logged()).not.toContain('"copy"');
});
