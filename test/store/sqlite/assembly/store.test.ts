import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMonotonicClock, systemClock } from "../../../../src/domain/values/clocks.ts";
import { createIds } from "../../../../src/domain/values/ids.ts";
import { systemRandom } from "../../../../src/domain/values/random.ts";
import { openStore } from "../../../../src/store/sqlite/assembly/store.ts";
import { openThreadedStore } from "../../../../src/store/sqlite/assembly/threaded-store.ts";
import { DatabaseError } from "../../../../src/store/sqlite/files/errors.ts";
import { until } from "../../../support/polls.ts";
import { newSecret } from "../../../support/stores.ts";
import { temporaryFolder } from "../../../support/temporary.ts";
import { createTestClock } from "../../../support/test-clocks.ts";
import { startWriterThread } from "../../../support/writer-threads.ts";

const optionsFor = (folder: string) => {
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  return { folder, clock, ids, tombstoneSeconds: 86_400, ballastBytes: 0 };
};
const open = (folder: string) => openStore(optionsFor(folder));
const openThreaded = (folder: string) =>
  openThreadedStore({ ...optionsFor(folder), startThread: startWriterThread, onEnd: () => {} });

/** Returns the files below `folder` that this process has open. */
const openFiles = (folder: string) =>
  readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const path = readlinkSync(join("/proc/self/fd", name));
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });

test("a database that can be opened but not used is named in the error, and its files are closed", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "handoff.db");
  await open(folder.path).close();
  using database = new Database(path);
  database.run("ALTER TABLE clocks RENAME TO elsewhere");
  expect(() => open(folder.path)).toThrow(DatabaseError);
  expect(() => open(folder.path)).toThrow(`cannot use the database '${path}'`);
  database.run("ALTER TABLE elsewhere RENAME TO clocks");
  database.close(true);
  expect(openFiles(folder.path)).toEqual([]);
  const store = open(folder.path);
  expect(await store.findTroubles()).toEqual([]);
  await store.close();
  expect(openFiles(folder.path)).toEqual([]);
});

test("no file stays open when a table is missing, whichever statement meets that first", async () => {
  const refused: string[] = [];
  for (const table of ["api_keys", "clocks", "installations", "secrets", "teams"]) {
    for (const openOne of [open, openThreaded]) {
      using folder = temporaryFolder();
      await open(folder.path).close();
      using database = new Database(join(folder.path, "handoff.db"));
      database.run(`ALTER TABLE ${table} RENAME TO elsewhere`);
      database.close(true);
      try {
        await openOne(folder.path).close();
      } catch {
        refused.push(`${openOne.name} ${table}`);
      }
      await until(() => openFiles(folder.path).length === 0);
    }
  }
  expect(refused).toEqual([
    "open api_keys",
    "openThreaded api_keys",
    "open clocks",
    "openThreaded clocks",
    "open installations",
  ]);
}, 20_000);

test("an error about the files beside the database is a DatabaseError too, and closes all files", async () => {
  using folder = temporaryFolder();
  await open(folder.path).close();
  mkdirSync(join(folder.path, "handoff.db-shm"));
  expect(() => open(folder.path)).toThrow(DatabaseError);
  expect(openFiles(folder.path)).toEqual([]);
  rmSync(join(folder.path, "handoff.db-shm"), { recursive: true });
  await open(folder.path).close();
});

test("events of two processes have IDs in commit order, even if one process has an earlier time", async () => {
  using folder = temporaryFolder();
  const openAt = (start: number) => {
    const clock = createMonotonicClock(createTestClock(start));
    const ids = createIds(clock, systemRandom);
    const store = openStore({ folder: folder.path, clock, ids, tombstoneSeconds: 86_400, ballastBytes: 0 });
    return { store, ids, clock };
  };
  const start = Date.parse("2026-11-21T09:30:00Z");
  // A server's writer uses the time of its callers, who came before it waited for the other process.
  const [server, admin] = [openAt(start), openAt(start + 50)];
  const teamId = server.ids.next("team");
  await server.store.createTeam({
    id: teamId,
    name: "team",
    createdAt: start,
    storedBytes: 0,
    quotaBytes: null,
    rules: null,
  });
  for (const place of [server, admin, server, admin, admin, server]) {
    await place.store.createSecret(newSecret(place, teamId));
  }
  const bySeq = new Database(join(folder.path, "handoff.db"), { readonly: true });
  const committed = bySeq.query<{ id: string }, []>("SELECT id FROM events ORDER BY seq").all();
  bySeq.close();
  expect(committed).toHaveLength(6);
  expect(committed).toEqual(committed.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  await admin.store.close();
  await server.store.close();
});
