import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { watchStorage } from "../../../src/cli/server/storage-watch.ts";
import { until } from "../../support/polls.ts";
import { openTestService } from "../../support/service.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";

test("that the database does not answer is logged once, with where it was met, and that it does again", async () => {
  const storage = openSqliteStorage();
  await using backend = await openTestService({}, storage);
  const lines: [level: string, fields: object, message: string][] = [];
  const written = async (count: number) => {
    await until(() => lines.length >= count);
  };
  const write = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message]);
  using database = new Database(join(storage.folder, "handoff.db"));
  database.run("ALTER TABLE clocks RENAME TO elsewhere");
  const log = { info: write("info"), warn: write("warn"), error: write("error") };
  const { store } = backend.service;
  using looks = spyOn(store, "findTroubles");
  const stop = watchStorage(store, log, 5);
  await written(1);
  // It has looked again, and has had nothing to say.
  await until(() => looks.mock.calls.length >= 6);
  database.run("ALTER TABLE elsewhere RENAME TO clocks");
  await written(2);
  stop();
  expect(lines).toEqual([
    [
      "error",
      { trouble: "unreadable", error: "SQLiteError", code: "SQLITE_ERROR", at: expect.any(Array) },
      expect.stringContaining("The database does not answer"),
    ],
    ["info", { trouble: "unreadable" }, "this trouble of the storage is over"],
  ]);
});
