import { expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../../../src/store/sqlite/engine/database.ts";
import { LATEST_VERSION } from "../../../../src/store/sqlite/engine/migrations.ts";
import { inspectDatabase } from "../../../../src/store/sqlite/files/database-header.ts";
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
