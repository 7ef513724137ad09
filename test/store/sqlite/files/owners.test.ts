import { expect, test } from "bun:test";
import { chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chownCommand } from "../../../../src/store/sqlite/files/owners.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

test("the command for an owner works for a user without a name, and behind the link that systemd makes", () => {
  expect(process.getuid?.()).toBe(0);
  using folder = temporaryFolder();
  const [data, link] = [join(folder.path, "da'ta"), join(folder.path, "link")];
  mkdirSync(data);
  symlinkSync(data, link);
  chownSync(data, 64_001, 64_002);
  const file = join(data, "handoff.db");
  for (const path of [data, link]) {
    writeFileSync(file, "");
    chownSync(file, 0, 0);
    expect(Bun.spawnSync(["sh", "-c", chownCommand(path, data)]).exitCode).toBe(0);
    expect(statSync(file)).toMatchObject({ uid: 64_001, gid: 64_002 });
  }
});
