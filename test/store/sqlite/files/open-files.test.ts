import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refusalOf } from "../../../support/secrets.ts";
import { openSqliteSecrets } from "../../../support/sqlite-secrets.ts";

/** Changes of the files of an open database. Each returns a function that undoes it. */
const LOSSES: Record<string, (path: string) => () => void> = {
  "the database is renamed": (path) => {
    renameSync(path, `${path}.elsewhere`);
    return () => renameSync(`${path}.elsewhere`, path);
  },
  "the database is replaced by a copy": (path) => {
    renameSync(path, `${path}.elsewhere`);
    copyFileSync(`${path}.elsewhere`, path);
    return () => renameSync(`${path}.elsewhere`, path);
  },
  "another program writes to the database": (path) => {
    // With programs, because closing the file in this process would release its locks.
    const write = (from: string) => Bun.spawnSync(["dd", `if=${from}`, `of=${path}`, "conv=notrunc", "status=none"]);
    Bun.spawnSync(["cp", path, `${path}.elsewhere`]);
    const first = Buffer.from(readFileSync(`${path}.elsewhere`).subarray(0, 4096));
    first.writeUInt32BE(first.readUInt32BE(24) + 1, 24);
    writeFileSync(`${path}.other`, first);
    expect(write(`${path}.other`).success).toBe(true);
    return () => void write(`${path}.elsewhere`);
  },
  "the WAL is replaced by a copy": (path) => {
    renameSync(`${path}-wal`, `${path}.elsewhere`);
    copyFileSync(`${path}.elsewhere`, `${path}-wal`);
    return () => {
      rmSync(`${path}-wal`);
      renameSync(`${path}.elsewhere`, `${path}-wal`);
    };
  },
};

for (const [what, lose] of Object.entries(LOSSES)) {
  test(`once ${what} nothing is written, and health reports it, even after the files are put back`, async () => {
    await using secrets = await openSqliteSecrets();
    const { store } = secrets.backend.service;
    const { id } = await secrets.create("kept");
    const codes = async () => (await store.findTroubles()).map(({ code }) => code);
    expect(await codes()).toEqual([]);
    const putBack = lose(join(secrets.folder, "handoff.db"));
    for (const step of [() => undefined, putBack]) {
      step();
      expect(await refusalOf(secrets.create("lost"))).toBe("storage_unavailable");
      expect(await refusalOf(secrets.claim(id))).toBe("storage_unavailable");
      expect(await codes()).toEqual(["files_lost"]);
    }
    // A store that opens the database again has all rows.
    await secrets.backend.reopen();
    expect((await secrets.claim(id)).envelope.ciphertext).toBe("kept");
  });
}

/** Runs SQL on the database in another process, as admin commands do. */
function inAnotherProcess(path: string, sql: string): void {
  const run = Bun.spawnSync(["sqlite3", "-cmd", ".timeout 5000", path, sql]);
  expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
}

test("another installation's database in place of this one is noticed after a checkpoint", async () => {
  await using other = await openSqliteSecrets();
  await other.create("theirs");
  await using secrets = await openSqliteSecrets();
  await secrets.create("kept");
  const [theirs, path] = [other, secrets].map(({ folder }) => join(folder, "handoff.db")) as [string, string];
  for (const each of [theirs, path]) inAnotherProcess(each, "PRAGMA wal_checkpoint(TRUNCATE)");
  await secrets.create("in the WAL");
  expect(Bun.spawnSync(["cp", theirs, path]).success).toBe(true);
  inAnotherProcess(path, "PRAGMA wal_checkpoint");
  expect(await refusalOf(secrets.create("lost"))).toBe("storage_unavailable");
  const { store } = secrets.backend.service;
  expect((await store.findTroubles()).map(({ code }) => code)).toEqual(["files_lost"]);
});

test("a VACUUM by another process, which moves tables, doesn't count as lost files", async () => {
  await using secrets = await openSqliteSecrets();
  const { id } = await secrets.create("kept");
  const path = join(secrets.folder, "handoff.db");
  inAnotherProcess(path, "PRAGMA wal_checkpoint(TRUNCATE)");
  await secrets.create("before");
  const pageOf = "SELECT rootpage FROM sqlite_schema WHERE name = 'installations'";
  const page = () => Bun.spawnSync(["sqlite3", path, pageOf]).stdout.toString();
  const before = page();
  inAnotherProcess(path, "CREATE TABLE dropped (n); DROP TABLE dropped; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  expect(page()).not.toBe(before);
  await secrets.create("after");
  expect((await secrets.claim(id)).envelope.ciphertext).toBe("kept");
});
