import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { MAX_ADMIN_LOG_ENTRIES } from "../../../src/domain/ports/admin-log.ts";
import { createMonotonicClock } from "../../../src/domain/values/clocks.ts";
import { createIds } from "../../../src/domain/values/ids.ts";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { openStore } from "../../../src/store/sqlite/assembly/store.ts";
import { OPERATOR } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const ALL = { afterId: undefined, since: undefined, limit: undefined };

function openLog(folder: string, operator?: typeof OPERATOR) {
  const clock = createMonotonicClock(createTestClock());
  const ids = createIds(clock, systemRandom);
  const store = openStore({ folder, clock, ids, tombstoneSeconds: 86_400, ballastBytes: 0, operator });
  const addTeam = (name: string) =>
    store.createTeam({
      id: ids.next("team"),
      name,
      createdAt: clock.now(),
      storedBytes: 0,
      quotaBytes: null,
      rules: null,
    });
  return { store, addTeam };
}

test("audit log entries can't be changed or deleted, not even with SQL", async () => {
  using folder = temporaryFolder();
  const { store, addTeam } = openLog(folder.path, OPERATOR);
  await addTeam("one");
  await addTeam("two");
  await store.close();
  using database = new Database(join(folder.path, "handoff.db"));
  expect(() => database.run("UPDATE admin_log SET user = 'nobody'")).toThrow("only added to");
  for (const which of ["", " WHERE id = 1", " WHERE id = (SELECT max(id) FROM admin_log)"]) {
    expect(() => database.run(`DELETE FROM admin_log${which}`)).toThrow("only added to");
  }
  expect(database.query("SELECT count(*) AS count FROM admin_log").get()).toEqual({ count: 2 });
});

test("the log keeps its newest entries up to its limit, and each new entry deletes an older one", async () => {
  using folder = temporaryFolder();
  const first = openLog(folder.path, OPERATOR);
  await first.addTeam("first");
  await first.store.close();
  const database = new Database(join(folder.path, "handoff.db"));
  database.run(
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO admin_log (id, at, user, action, details) SELECT i, 0, 'root', 'key.created', '{}' FROM n`,
    [MAX_ADMIN_LOG_ENTRIES],
  );
  database.close();
  const { store, addTeam } = openLog(folder.path, OPERATOR);
  await addTeam("last");
  const entries = await store.listAdminLog(ALL);
  expect(entries).toHaveLength(MAX_ADMIN_LOG_ENTRIES);
  expect(entries[0]).toMatchObject({ id: 2 });
  expect(entries.at(-1)).toMatchObject({ id: MAX_ADMIN_LOG_ENTRIES + 1, subjectName: "last" });
  await store.close();
});

test("a server, which has no admin, writes no audit log entries", async () => {
  using folder = temporaryFolder();
  const { store, addTeam } = openLog(folder.path);
  await addTeam("one");
  expect(await store.listAdminLog(ALL)).toEqual([]);
  await store.close();
});
