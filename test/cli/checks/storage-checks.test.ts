import { expect, test } from "bun:test";
import { checkStorage } from "../../../src/cli/checks/storage-checks.ts";
import { fillFolder } from "../../support/filled-stores.ts";
import { inDatabase } from "../../support/sqlite-files.ts";

test("foreign tables and triggers in the database are reported, and foreign indexes aren't", async () => {
  using filled = await fillFolder();
  const warnings = async () =>
    (await checkStorage(filled.folder, filled.time.now())).findings.filter(({ check }) => check === "schema");
  inDatabase(filled.folder, (database) => database.run("CREATE INDEX mine ON secrets (created_at)"));
  expect(await warnings()).toEqual([]);
  inDatabase(filled.folder, (database) => {
    database.run('CREATE TABLE "ke\u001bpt" (body)');
    database.run("CREATE TRIGGER steal BEFORE DELETE ON ciphertexts BEGIN SELECT 1; END");
  });
  expect(await warnings()).toEqual([
    {
      level: "warning",
      check: "schema",
      text: expect.stringContaining("make: table 'ke\uFFFDpt', and 1 more. It can"),
    },
  ]);
});

test("a key that was sent in a query string is reported, until it is revoked", async () => {
  using filled = await fillFolder();
  const exposed = async () =>
    (await checkStorage(filled.folder, filled.time.now())).findings.filter(({ check }) => check === "exposed key");
  const [found, ...more] = await exposed();
  expect(more).toEqual([]);
  expect(found?.level).toBe("warning");
  expect(found?.text).toMatch(
    /^The key (key_\w+) of '.+' was sent in a query string, .* Run: handoff admin key rotate \1$/,
  );
  inDatabase(filled.folder, (database) => database.run("UPDATE api_keys SET revoked_at = 1 WHERE exposed_at > 0"));
  expect(await exposed()).toEqual([]);
});
