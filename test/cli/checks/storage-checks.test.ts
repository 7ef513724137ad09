import { expect, test } from "bun:test";
import { checkStorage } from "../../../src/cli/checks/storage-checks.ts";
import { fillFolder } from "../../support/filled-stores.ts";
import { inDatabase } from "../../support/sqlite-files.ts";

test("foreign tables and triggers in the database are reported, and foreign indexes aren't", async () => {
  using filled = await fillFolder();
  const warnings = () =>
    checkStorage(filled.folder, filled.time.now()).findings.filter(({ check }) => check === "schema");
  inDatabase(filled.folder, (database) => database.run("CREATE INDEX mine ON secrets (created_at)"));
  expect(warnings()).toEqual([]);
  inDatabase(filled.folder, (database) => {
    database.run('CREATE TABLE "ke\u001bpt" (body)');
    database.run("CREATE TRIGGER steal BEFORE DELETE ON ciphertexts BEGIN SELECT 1; END");
  });
  expect(warnings()).toEqual([
    {
      level: "warning",
      check: "schema",
      text: expect.stringContaining("make: table 'ke\uFFFDpt', and 1 more. It can"),
    },
  ]);
});
