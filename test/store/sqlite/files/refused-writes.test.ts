import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { whyNotUsable } from "../../../../src/store/sqlite/files/refused-writes.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

test("the first file that its owner can't access is named, with the chmod that fixes it", () => {
  using folder = temporaryFolder();
  const paths = ["handoff.db", "handoff.db-wal"].map((name) => join(folder.path, name));
  const [database, wal] = paths;
  if (!database || !wal) throw new Error("two names");
  writeFileSync(database, "", { mode: 0o600 });
  const refused = Object.assign(new Error("refused"), { code: "EACCES" });
  const why = () => whyNotUsable(refused, folder.path, paths);
  expect(why()).toEndWith("cannot be written by this user");
  writeFileSync(wal, "", { mode: 0o400 });
  const advice = `. The mode of '${wal}' doesn't let its owner. Run: chmod 600 '${wal}'`;
  expect(why()).toEndWith(`cannot be written by this user${advice}`);
  chmodSync(wal, 0o600);
  chmodSync(folder.path, 0o500);
  expect(why()).toEndWith(`Run: chmod 700 '${folder.path}'`);
  chmodSync(folder.path, 0o700);
});
