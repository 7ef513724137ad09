import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { codeOf } from "../../../../src/contract/error-traces.ts";
import { createBackgroundReport } from "../../../../src/store/sqlite/engine/background-failures.ts";
import { openTestService } from "../../../support/service.ts";
import { openSqliteStorage } from "../../../support/sqlite-storage.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

/** Returns the error that `action` throws. */
function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("it threw nothing");
}

test("failed background work is reported with its cause, at most once a minute", async () => {
  const failures: string[] = [];
  const onFailure = (work: string, error: unknown) => void failures.push(`${work} ${codeOf(error)}`);
  const storage = openSqliteStorage({ onFailure });
  await using backend = await openTestService({}, storage);
  const { key } = await backend.mint();
  // Another program has added a trigger that fails.
  using other = new Database(join(storage.folder, "handoff.db"));
  other.run("CREATE TRIGGER trap BEFORE UPDATE ON api_keys BEGIN SELECT RAISE(ABORT, 'quoted content'); END");
  const use = async () => {
    backend.service.store.recordKeyUse(key.id);
    // The next write runs after this one.
    await backend.mint();
  };
  await use();
  expect(failures).toEqual(["key_use SQLITE_CONSTRAINT_TRIGGER"]);
  backend.clock.advance(60_000);
  await use();
  expect(failures).toHaveLength(1);
  other.run("DROP TRIGGER trap");
  backend.clock.advance(60_000);
  await use();
  expect((await backend.service.store.listKeys(undefined)).some(({ lastUsedAt }) => lastUsedAt !== null)).toBe(true);
});

test("a full disk and a locked database are not reported, because they are troubles", () => {
  using folder = temporaryFolder();
  const reported: string[] = [];
  const report = createBackgroundReport((work) => void reported.push(work));
  const open = () => new Database(join(folder.path, "a.db"));
  using first = open();
  using second = open();
  first.run("CREATE TABLE things (content)");
  first.run("BEGIN IMMEDIATE");
  const locked = thrownBy(() => second.run("BEGIN IMMEDIATE"));
  first.run("PRAGMA max_page_count = 2");
  const full = thrownBy(() => first.run("INSERT INTO things VALUES (zeroblob(100000))"));
  expect([codeOf(locked), codeOf(full)]).toEqual(["SQLITE_BUSY", "SQLITE_FULL"]);
  for (const error of [locked, full, new Error("wrapped", { cause: full })]) report("room", error);
  expect(reported).toEqual([]);
  report("room", new Error("anything else"));
  report("room", new Error("anything else"));
  report("checkpoint", new Error("anything else"));
  report("room", undefined);
  expect(reported).toEqual(["room", "checkpoint"]);
});
