import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createWriter } from "../../../../src/store/sqlite/engine/writer.ts";
import type { WriterDeps } from "../../../../src/store/sqlite/engine/writer.ts";
import { refusalOf } from "../../../support/secrets.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

/** Opens a writer over a database in memory, with a fake ballast. */
function openTestWriter(deps: Partial<WriterDeps> = {}) {
  const database = new Database(":memory:");
  database.run("CREATE TABLE things (id INTEGER PRIMARY KEY, content)");
  let held = true;
  const ballast = {
    held: () => held,
    release: () => void (held = false),
    acquire: () => (held = true),
  };
  let commits = 0;
  const writer = createWriter({
    areFilesOurs: () => true,
    report: () => undefined,
    database,
    reserve: ballast,
    afterBegin: () => undefined,
    beforeCommit: () => undefined,
    afterCommit: () => void (commits += 1),
    keepWalShort: () => undefined,
    afterRollback: () => undefined,
    beforeOperation: () => () => undefined,
    ...deps,
  });
  return {
    writer,
    ballast,
    database,
    commits: () => commits,
    insert: (content: string | number) => database.query("INSERT INTO things (content) VALUES (?)").run(content),
    count: () => database.query<{ n: number }, []>("SELECT count(*) AS n FROM things").get()?.n,
  };
}

test("writes that arrive together are committed together, in their order", async () => {
  const { writer, commits, insert, database } = openTestWriter();
  const numbers = Array.from({ length: 300 }, (_, index) => index);
  expect(await Promise.all(numbers.map((n) => writer.write("creation", () => (insert(n), n))))).toEqual(numbers);
  expect(commits()).toBe(2);
  expect(database.query("SELECT content FROM things ORDER BY id").values().flat()).toEqual(numbers);
});

test("no write is acknowledged before the COMMIT", async () => {
  const log: string[] = [];
  const { writer } = openTestWriter({
    beforeCommit: () => void log.push("before"),
    afterCommit: () => void log.push("after"),
  });
  await Promise.all(
    [1, 2].map((n) => writer.write("essential", () => void log.push(`run ${n}`)).then(() => log.push(`answered ${n}`))),
  );
  expect(log).toEqual(["run 1", "run 2", "before", "after", "answered 1", "answered 2"]);
});

test("the WAL is shortened between two batches, after the callers of the first were answered", async () => {
  const log: string[] = [];
  const { writer } = openTestWriter({ maxBatch: 1, keepWalShort: () => void log.push("kept short") });
  const write = (n: number) => writer.write("essential", () => void log.push(`run ${n}`));
  await Promise.all([1, 2].map((n) => write(n).then(() => log.push(`answered ${n}`))));
  await writer.close();
  expect(log).toEqual(["run 1", "answered 1", "kept short", "run 2", "answered 2", "kept short"]);
});

test("after a slow flush the next batch waits briefly for writes of the callers that were just answered", async () => {
  const { writer, commits, insert } = openTestWriter({ beforeCommit: () => Bun.sleepSync(40) });
  const write = (n: number) => writer.write("creation", () => insert(n));
  const commitsOf = async (work: () => Promise<unknown>) => {
    const before = commits();
    await work();
    return commits() - before;
  };
  const answeredAndBack = async () => {
    await write(1);
    const waited = write(2);
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([waited, write(3)]);
  };
  // On a busy machine, the wait may end before they write again.
  let found = 0;
  for (let tries = 0; found !== 2 && tries < 20; tries++) found = await commitsOf(answeredAndBack);
  expect(found).toBe(2);
  const alone = async () => {
    await write(4);
    await write(5);
  };
  expect(await commitsOf(alone)).toBe(2);
});

test("a full batch never waits, however slow the disk is", async () => {
  const times: number[] = [];
  const { writer } = openTestWriter({ maxBatch: 1, beforeCommit: () => Bun.sleepSync(20) });
  const write = () => writer.write("essential", () => void times.push(performance.now()));
  await Promise.all(Array.from({ length: 8 }, write));
  // On a busy machine, some batches take longer.
  const shortest = Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  expect(shortest).toBeLessThan(24);
});

test("a batch is closed once it adds too many bytes", async () => {
  const { writer, commits } = openTestWriter();
  const large = 3 * 1024 * 1024;
  await Promise.all(Array.from({ length: 6 }, () => writer.write("creation", () => undefined, large)));
  expect(commits()).toBe(3);
});

test("a failed operation is undone alone, and its caller gets the error", async () => {
  const { writer, insert, count } = openTestWriter();
  const results = await Promise.allSettled([
    writer.write("creation", () => insert(1)),
    writer.write("creation", () => {
      insert(2);
      throw new Error("mine");
    }),
    writer.write("creation", () => insert(3)),
  ]);
  expect(results).toMatchObject([{ status: "fulfilled" }, { reason: new Error("mine") }, { status: "fulfilled" }]);
  expect(count()).toBe(2);
});

test("on a full disk creations are refused and essential writes succeed, until the ballast is back", async () => {
  const { writer, ballast, database, insert, count } = openTestWriter();
  insert("x".repeat(100_000));
  const { page_count: pages = 0 } = database.query<{ page_count: number }, []>("PRAGMA page_count").get() ?? {};
  database.run(`PRAGMA max_page_count = ${pages}`);
  const create = () => writer.write("creation", () => insert("y".repeat(100_000)));
  const [created, erased] = await Promise.all([
    refusalOf(create()),
    refusalOf(writer.write("essential", () => database.run("UPDATE things SET content = 'z'"))),
  ]);
  expect({ created, erased }).toEqual({ created: "storage_unavailable", erased: undefined });
  expect(ballast.held()).toBe(false);
  expect(await refusalOf(create())).toBe("storage_unavailable");
  ballast.acquire();
  expect(await refusalOf(create())).toBeUndefined();
  expect(count()).toBe(2);
});

test("an essential write without any space left fails alone", async () => {
  const { writer, database, insert, count } = openTestWriter();
  const { page_count: pages = 0 } = database.query<{ page_count: number }, []>("PRAGMA page_count").get() ?? {};
  database.run(`PRAGMA max_page_count = ${pages}`);
  const outcomes = await Promise.all(
    ["small", "x".repeat(100_000), "small"].map((text) => refusalOf(writer.write("essential", () => insert(text)))),
  );
  expect(outcomes).toEqual([undefined, "storage_unavailable", undefined]);
  expect(count()).toBe(2);
});

test("after a failed COMMIT no write is acknowledged, and the next batch succeeds", async () => {
  const { writer, database, insert, count } = openTestWriter();
  database.run("PRAGMA foreign_keys = ON");
  database.run("CREATE TABLE parts (thing REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED)");
  const results = await Promise.allSettled([
    writer.write("essential", () => insert(1)),
    writer.write("essential", () => database.run("INSERT INTO parts VALUES (999)")),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(count()).toBe(0);
  await writer.write("essential", () => insert(1));
  expect(count()).toBe(1);
});

test("closing waits for pending writes and refuses later ones", async () => {
  const { writer, insert, count } = openTestWriter({ maxBatch: 1 });
  const writes = [1, 2, 3].map((n) => writer.write("creation", () => insert(n)));
  await Promise.all([writer.close(), writer.close()]);
  expect(count()).toBe(3);
  await Promise.all(writes);
  expect(await refusalOf(writer.write("essential", () => insert(4)))).toBe("storage_unavailable");
});

test("after its lock timeout, the writer is held up until the other process releases the database", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "database");
  using database = new Database(path);
  using other = new Database(path);
  other.run("CREATE TABLE things (content)");
  const { writer } = openTestWriter({ database, lockPatienceMs: 0 });
  const write = () => writer.write("essential", () => void database.run("INSERT INTO things VALUES (1)"));
  other.run("BEGIN IMMEDIATE");
  expect(await refusalOf(write())).toBe("storage_unavailable");
  // The batch ends one tick later.
  await new Promise(setImmediate);
  expect([writer.isHeldUp(), writer.isHeldUp()]).toEqual([true, true]);
  other.run("COMMIT");
  expect(writer.isHeldUp()).toBeFalse();
  await write();
  expect(writer.isHeldUp()).toBeFalse();
  await writer.close();
});
