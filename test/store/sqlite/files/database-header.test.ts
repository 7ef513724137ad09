import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../../../src/store/sqlite/engine/database.ts";
import { LATEST_VERSION } from "../../../../src/store/sqlite/engine/migrations.ts";
import { inspectDatabase } from "../../../../src/store/sqlite/files/database-header.ts";
import { OLD_DATABASES, writeOldDatabase } from "../../../support/old-databases.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

/** Raises the version of the database in another process, and empties the WAL each time. */
const RAISE_VERSION = `
  import { Database } from "bun:sqlite";
  const database = new Database(process.argv[1]);
  for (let version = ${LATEST_VERSION + 1}; version < ${LATEST_VERSION + 200}; version += 1) {
    database.run("PRAGMA user_version = " + version);
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }`;

test("the version that is read never goes back while another process empties the WAL", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "handoff.db");
  const database = openDatabase(folder.path);
  const raising = Bun.spawn([process.execPath, "-e", RAISE_VERSION, path], { stderr: "inherit" });
  const versions: number[] = [];
  while (raising.exitCode === null) {
    versions.push(inspectDatabase(path, Infinity) ?? 0);
    if (versions.length % 8 === 0) await Bun.sleep(0);
  }
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect(versions.at(-1)).toBeGreaterThan(LATEST_VERSION);
  database.close();
});

const SCHEMA_PAGE_END = 4096;

test("a half-written database of an older version is read again before it is called damaged", async () => {
  using folder = temporaryFolder();
  const [old = { version: 0, calls: [], tables: {} }] = OLD_DATABASES;
  writeOldDatabase(old, folder.path);
  const path = join(folder.path, "handoff.db");
  const whole = join(folder.path, "whole");
  copyFileSync(path, whole);
  // As a process that stands still in its checkpoint leaves it: the page has no tables yet.
  writeFileSync(path, readFileSync(path).fill(0xff, 100, SCHEMA_PAGE_END));
  expect(() => inspectDatabase(path, LATEST_VERSION)).toThrow("is damaged. Nothing in it was changed");
  // Without cutting the file off first, as no checkpoint does either.
  const mend = Bun.spawn(["dd", `if=${whole}`, `of=${path}`, "conv=notrunc", "status=none"]);
  expect(inspectDatabase(path, LATEST_VERSION)).toBe(old.version);
  await mend.exited;
});
