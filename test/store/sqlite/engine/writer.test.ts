import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createWriter } from "../../../../src/store/sqlite/engine/writer.ts";
import type { WriterDeps } from "../../../../src/store/sqlite/engine/writer.ts";
import { refusalOf } from "../../../support/secrets.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

/** A writer over a database in memory, with a ballast that only says what was asked of it. */
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

test("what arrives together is committed together, in the order in which it came", async () => {
  const { writer, commits, insert, database } = openTestWriter();
  const numbers = Array.from({ length: 300 }, (_, index) => index);
  expect(await Promise.all(numbers.map((n) => writer.write("creation", () => (insert(n), n))))).toEqual(numbers);
  expect(commits()).toBe(2);
  expect(database.query("SELECT content FROM things ORDER BY id").values().flat()).toEqual(numbers);
});

test("nobody hears of success before the COMMIT", async () => {
  const log: string[] = [];
  const { writer } = openTestWriter({
    beforeCommit: () => void log.push("before"),
    afterCommit: () => void log.push("after"),
  });
  await Promise.all(
    [1, 2].map((n) => writer.write("essential", () => void log.push(`run ${n}`)).then(() => log.push(`told ${n}`))),
  );
  expect(log).toEqual(["run 1", "run 2", "before", "after", "told 1", "told 2"]);
});

test("the WAL is kept short between two batches, once the callers of the first have been told", async () => {
  const log: string[] = [];
  const { writer } = openTestWriter({ maxBatch: 1, keepWalShort: () => void log.push("kept short") });
  const write = (n: number) => writer.write("essential", () => void log.push(`run ${n}`));
  await Promise.all([1, 2].map((n) => write(n).then(() => log.push(`told ${n}`))));
  await writer.close();
  expect(log).toEqual(["run 1", "told 1", "kept short", "run 2", "told 2", "kept short"]);
});

test("after a slow flush the next batch waits for those who were just answered, but not for long", async () => {
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
  // On a busy machine the time may be over before they are back.
  let found = 0;
  for (let tries = 0; found !== 2 && tries < 20; tries++) found = await commitsOf(answeredAndBack);
  expect(found).toBe(2);
  const alone = async () => {
    await write(4);
    await write(5);
  };
  expect(await commitsOf(alone)).toBe(2);
});

test("a batch that is full waits for nobody, however slow the disk is", async () => {
  const times: number[] = [];
  const { writer } = openTestWriter({ maxBatch: 1, beforeCommit: () => Bun.sleepSync(20) });
  const write = () => writer.write("essential", () => void times.push(performance.now()));
  await Promise.all(Array.from({ length: 8 }, write));
  // On a busy machine some of them take longer.
  const shortest = Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  expect(shortest).toBeLessThan(24);
});

test("a batch is closed when it adds more than its share of bytes", async () => {
  const { writer, commits } = openTestWriter();
  const large = 3 * 1024 * 1024;
  await Promise.all(Array.from({ length: 6 }, () => writer.write("creation", () => undefined, large)));
  expect(commits()).toBe(3);
});

test("a failing operation is undone alone, and its caller hears why", async () => {
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

test("on a full disk creations are refused, essential writes go on, and creations are taken again with the ballast", async () => {
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

test("an essential write that finds no room at all does not take others with it", async () => {
  const { writer, database, insert, count } = openTestWriter();
  const { page_count: pages = 0 } = database.query<{ page_count: number }, []>("PRAGMA page_count").get() ?? {};
  database.run(`PRAGMA max_page_count = ${pages}`);
  const outcomes = await Promise.all(
    ["small", "x".repeat(100_000), "small"].map((text) => refusalOf(writer.write("essential", () => insert(text)))),
  );
  expect(outcomes).toEqual([undefined, "storage_unavailable", undefined]);
  expect(count()).toBe(2);
});

test("a COMMIT that fails acknowledges nobody, and the next batch starts afresh", async () => {
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

test("closing waits for what is under way and refuses what comes later", async () => {
  const { writer, insert, count } = openTestWriter({ maxBatch: 1 });
  const writes = [1, 2, 3].map((n) => writer.write("creation", () => insert(n)));
  await Promise.all([writer.close(), writer.close()]);
  expect(count()).toBe(3);
  await Promise.all(writes);
  expect(await refusalOf(writer.write("essential", () => insert(4)))).toBe("storage_unavailable");
});

test("after its patience it is held up for as long as another process holds the database, though nobody tries", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "database");
  using database = new Database(path);
  using other = new Database(path);
  other.run("CREATE TABLE things (content)");
  const { writer } = openTestWriter({ database, lockPatienceMs: 0 });
  const write = () => writer.write("essential", () => void database.run("INSERT INTO things VALUES (1)"));
  other.run("BEGIN IMMEDIATE");
  expect(await refusalOf(write())).toBe("storage_unavailable");
  // The batch is over a turn later.
  await new Promise(setImmediate);
  expect([writer.isHeldUp(), writer.isHeldUp()]).toEqual([true, true]);
  other.run("COMMIT");
  expect(writer.isHeldUp()).toBeFalse();
  await write();
  expect(writer.isHeldUp()).toBeFalse();
  await writer.close();
});
