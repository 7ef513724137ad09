import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { breakSeal, seal } from "../../../src/store/copies/backup-files.ts";
import { restoreBackup } from "../../../src/store/copies/folder-restores.ts";
import { openBackupOrigin } from "../../../src/store/copies/postgres-backups.ts";
import { restoreIntoPostgres } from "../../../src/store/copies/postgres-restores.ts";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { fillStore, handedOut, messageOf, openFolder, readAll } from "../../support/filled-stores.ts";
import type { Filled } from "../../support/filled-stores.ts";
import { look } from "../../support/postgres-storage.ts";
import { openOver } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { inDatabase, recountStoredBytes } from "../../support/sqlite-files.ts";
import { addSecret, callOf, claim, hashOf, OPERATOR, sweepAll } from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestClock } from "../../support/test-clocks.ts";
import type { TestClock } from "../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

/** The number of secrets that `fillStore` creates. */
const FILLED_SECRETS = 35;

interface FilledDatabase extends WorkingStore, AsyncDisposable {
  readonly connection: ConnectionOptions;
  readonly time: TestClock;
  readonly filled: Filled;
  /** A folder for the files of a test. */
  readonly folder: string;
}

/** Opens a filled PostgreSQL database as a server does. */
async function fillDatabase(): Promise<FilledDatabase> {
  const folder = temporaryFolder();
  const connection = await cluster.makeDatabase();
  const time = createTestClock();
  const place = await openOver(connection, time);
  const filled = await fillStore(place);
  return {
    ...place,
    connection,
    time,
    filled,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await place.store.close();
      folder[Symbol.dispose]();
    },
  };
}

async function backUp({ connection, folder }: FilledDatabase, name: string, hasSecrets: boolean) {
  const path = join(folder, name);
  await using origin = await openBackupOrigin(connection);
  const { counts } = await origin.write(path, hasSecrets);
  return { path, counts, installation: origin.installation };
}

/** The options of a restore of the backup `path` into `folder`. */
function restoring({ clock, ids, folder }: FilledDatabase, path: string, name: string, keepSecrets: boolean) {
  const write = async (to: string) => writeFileSync(to, readFileSync(path), { mode: 0o600 });
  const rest = { given: path, tombstoneSeconds: 86_400, operator: OPERATOR, clock, ids };
  return { folder: join(folder, name), write, keepSecrets, ...rest };
}

test("a backup of PostgreSQL has teams, keys and metadata, but no ciphertexts, notes or sessions", async () => {
  await using source = await fillDatabase();
  const { path, counts, installation } = await backUp(source, "one.backup", false);
  expect(counts).toEqual({ teams: 2, identities: 2, keys: 2, secrets: 35, requests: 2 });
  expect(installation).toBe(await source.store.findInstallation());
  const bytes = readFileSync(path);
  const texts = ["x".repeat(60), `text-of-${source.filled.waiting}`, `note-of-${source.filled.asked}`];
  expect(texts.map((text) => bytes.includes(text))).toEqual([false, false, false]);
  expect(bytes.includes(hashOf("session"))).toBe(false);
});

test("no backup has what leads to a large secret, which a restore that keeps secrets revokes", async () => {
  await using source = await fillDatabase();
  const { waiting } = source.filled;
  const uploadId = `upl_${"0".repeat(26)}`;
  await using beside = new SQL({ ...source.connection, adapter: "postgres", max: 1 });
  await beside.unsafe("UPDATE secrets SET envelope_version = 2, ciphertext_bytes = 5000000000 WHERE id = $1", [
    waiting,
  ]);
  await beside.unsafe("UPDATE ciphertexts SET ciphertext = $1 WHERE secret_id = $2", [uploadId, waiting]);
  const { path } = await backUp(source, "one.backup", true);
  expect(readFileSync(path).includes(uploadId)).toBe(false);
  const target = await cluster.makeDatabase();
  await restoreIntoPostgres({ ...restoring(source, path, "stage", true), connection: target });
  const restored = await openOver(target, source.time);
  const { teamId } = source.filled;
  expect(await restored.store.findSecret(teamId, waiting)).toMatchObject({
    state: "revoked",
    ciphertextBytes: 5_000_000_000,
  });
  await restored.store.close();
});

test("a backup records its time, except in a read-only database", async () => {
  await using source = await fillDatabase();
  await using beside = new SQL({ ...source.connection, adapter: "postgres", max: 1 });
  const noted = async () => Number((await beside.unsafe("SELECT last_backup_at AS at FROM installations"))[0].at);
  const backUpAndNote = async (name: string) => {
    await using origin = await openBackupOrigin(source.connection);
    await origin.write(join(source.folder, name), false);
    await origin.note();
    return origin.takenAt;
  };
  expect(await noted()).toBe(0);
  const takenAt = await backUpAndNote("one.backup");
  expect(await noted()).toBe(takenAt);
  const [{ name }] = await beside.unsafe("SELECT quote_ident(current_database()) AS name");
  await beside.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  expect(await backUpAndNote("two.backup")).toBeGreaterThan(takenAt);
  expect(await noted()).toBe(takenAt);
});

test("a backup of PostgreSQL with secrets is restored into a data folder, and used from there", async () => {
  await using source = await fillDatabase();
  const { filled, time } = source;
  const before = await readAll(source, filled);
  const { path } = await backUp(source, "all.backup", true);
  const restored = await restoreBackup(restoring(source, path, "data", true));
  expect(restored).toMatchObject({ hasSecrets: true, rows: { secrets: 35 }, ended: { secrets: 0, requests: 0 } });
  const folder = join(source.folder, "data");
  const target = openFolder(folder, time);
  try {
    const { adminLog, ...after } = await readAll(target, filled);
    const { adminLog: logBefore, ...rest } = before;
    expect(after).toEqual(rest);
    expect(adminLog.slice(0, -1)).toEqual(logBefore);
    expect(adminLog.at(-1)).toMatchObject({ action: "database.restored" });
    expect(await target.store.findInstallation()).not.toBe(await source.store.findInstallation());
    const { teamId, waiting, claimed } = filled;
    expect(await target.store.replayCreation(teamId, callOf("create", "what"))).toMatchObject({ kind: "replayed" });
    expect(await handedOut(claim(target, { id: claimed, teamId }, "claim"))).toBe("x".repeat(70_000));
    expect(await handedOut(claim(target, { id: waiting, teamId }))).toBe(`text-of-${waiting}`);
    await addSecret(target, teamId);
    const charged = (await target.store.listTeams()).reduce((sum, { storedBytes }) => sum + storedBytes, 0);
    expect(charged).toBe(recountStoredBytes(folder));
  } finally {
    await target.store.close();
  }
});

test("a restore into PostgreSQL revokes open secrets and requests, unless --keep-secrets keeps them", async () => {
  await using source = await fillDatabase();
  const { filled, time } = source;
  const { teamId, waiting, asked } = filled;
  const { path } = await backUp(source, "all.backup", true);
  for (const keepSecrets of [false, true]) {
    const connection = await cluster.makeDatabase();
    const restored = await restoreIntoPostgres({
      connection,
      ...restoring(source, path, `${keepSecrets}`, keepSecrets),
    });
    expect(restored.ended).toEqual(keepSecrets ? { secrets: 0, requests: 0 } : { secrets: 33, requests: 1 });
    await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
    const target = await openOver(connection, time);
    try {
      const states = [
        (await target.store.findSecret(teamId, waiting))?.state,
        (await target.store.findRequest(teamId, asked))?.state,
        (await claim(target, { id: waiting, teamId }))?.kind,
      ];
      expect(states).toEqual(keepSecrets ? ["available", "open", "claimed"] : ["revoked", "revoked", "ended"]);
      await sweepAll(target);
      const { storedBytes, recountedBytes } = await look(beside);
      expect(storedBytes).toBe(recountedBytes);
      const log = await target.store.listAdminLog({ afterId: undefined, since: undefined, limit: undefined });
      expect(log.at(-1)).toMatchObject({ action: "database.restored", ...OPERATOR });
      // The backed-up database has another ID.
      expect(await target.store.findInstallation()).not.toBe(await source.store.findInstallation());
    } finally {
      await target.store.close();
    }
    const again = restoreIntoPostgres({ connection, ...restoring(source, path, "again", keepSecrets) });
    expect(await messageOf(again)).toMatch("the database is not empty");
  }
});

interface ClaimedRow {
  readonly state: string;
  readonly claims: number;
  readonly events: number;
  readonly ciphertexts: number;
}

/** Selects the secrets that workers have created after the store was filled. */
const CLAIMED_ROWS = `SELECT state, claims, (SELECT count(*) FROM events WHERE secret_id = secrets.id) AS events,
    (SELECT count(*) FROM ciphertexts WHERE secret_seq = secrets.seq) AS ciphertexts
  FROM secrets ORDER BY seq LIMIT -1 OFFSET ${FILLED_SECRETS}`;

test("a backup of PostgreSQL is one snapshot while others create and claim", async () => {
  await using source = await fillDatabase();
  const { filled } = source;
  let isOver = false;
  const work = async () => {
    while (!isOver) await claim(source, await addSecret(source, filled.teamId));
  };
  const workers = [work(), work(), work()];
  try {
    for (let count = 0; count < 3; count++) {
      const { path, counts } = await backUp(source, `${count}.backup`, true);
      await restoreBackup(restoring(source, path, `${count}`, true));
      const rows = inDatabase(join(source.folder, `${count}`), (database) =>
        database.query<ClaimedRow, []>(CLAIMED_ROWS).all(),
      );
      expect(rows).toHaveLength(counts.secrets - FILLED_SECRETS);
      for (const row of rows) {
        expect(row).toEqual(
          row.state === "claimed"
            ? { state: "claimed", claims: 1, events: 2, ciphertexts: 0 }
            : { state: "available", claims: 0, events: 1, ciphertexts: 1 },
        );
      }
    }
  } finally {
    isOver = true;
    await Promise.all(workers);
  }
});

test("a damaged or truncated backup is refused, and the database stays empty", async () => {
  await using source = await fillDatabase();
  const { path } = await backUp(source, "one.backup", false);
  const bytes = readFileSync(path);
  const connection = await cluster.makeDatabase();
  const restore = (name: string) => restoreIntoPostgres({ connection, ...restoring(source, path, name, false) });
  writeFileSync(path, bytes.subarray(0, -4096));
  expect(await messageOf(restore("cut"))).toMatch("is no backup, or not all of one");
  writeFileSync(
    path,
    bytes.map((byte, at) => (at === 9000 ? byte ^ 1 : byte)),
  );
  expect(await messageOf(restore("changed"))).toMatch("is damaged");
  writeFileSync(path, bytes);
  expect((await restore("whole")).rows.secrets).toBe(35);
});

test("a row that PostgreSQL rejects is refused without quoting it, and the database stays empty", async () => {
  await using source = await fillDatabase();
  const { path } = await backUp(source, "one.backup", true);
  breakSeal(path);
  const database = new Database(path);
  database.run("UPDATE webhooks SET secret = 'whsec_' || char(0) || 'canary'");
  database.close();
  seal(path);
  const connection = await cluster.makeDatabase();
  const said = await messageOf(restoreIntoPostgres({ connection, ...restoring(source, path, "there", true) }));
  expect(said).toMatch("PostgreSQL doesn't take a row of the backup");
  expect(said).not.toContain("canary");
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  expect([...(await beside.unsafe("SELECT FROM webhooks"))]).toEqual([]);
});

test("no table of ciphertexts can be truncated during a backup", async () => {
  await using source = await fillDatabase();
  await using beside = new SQL({ ...source.connection, adapter: "postgres", max: 1 });
  const giveBack = async () => {
    await beside.unsafe("SET lock_timeout = 1");
    await beside.unsafe("TRUNCATE ciphertexts_0, request_notes_0");
  };
  await using origin = await openBackupOrigin(source.connection);
  expect(await messageOf(giveBack())).toContain("lock timeout");
  const path = join(source.folder, "all.backup");
  await origin.write(path, true);
  expect(readFileSync(path).includes(`text-of-${source.filled.waiting}`)).toBe(true);
});
