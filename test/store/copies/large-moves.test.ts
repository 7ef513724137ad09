import { afterAll, expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { SecretRecord } from "../../../src/domain/ports/secrets.ts";
import { openFolderBlobs } from "../../../src/store/blobs/folder-blobs.ts";
import { openObjectBlobs } from "../../../src/store/blobs/object-blobs.ts";
import type { ObjectStore } from "../../../src/store/blobs/object-store.ts";
import { ObjectStoreError } from "../../../src/store/blobs/object-store.ts";
import { restoreBackup } from "../../../src/store/copies/folder-restores.ts";
import type { OpenBlobs } from "../../../src/store/copies/large-moves.ts";
import { moveToPostgres, undoMove } from "../../../src/store/copies/moves.ts";
import { openBackupOrigin } from "../../../src/store/copies/postgres-backups.ts";
import { restoreIntoPostgres } from "../../../src/store/copies/postgres-restores.ts";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { openStore } from "../../../src/store/sqlite/assembly/store.ts";
import { readBlob } from "../../support/blobs.ts";
import { messageOf } from "../../support/filled-stores.ts";
import { openLargeFolder, restoring, targetIn, TOMBSTONES } from "../../support/large-folders.ts";
import type { LargeFolder } from "../../support/large-folders.ts";
import { memoryObjects } from "../../support/object-stores.ts";
import { look } from "../../support/postgres-storage.ts";
import { openOver } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { OPERATOR } from "../../support/stores.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const MIB = 1024 * 1024;
const ADDRESS = "postgresql://handoff@db.test/handoff";

const blobsIn =
  (objects: ObjectStore): OpenBlobs =>
  (installation, findParts) =>
    openObjectBlobs({ objects, findParts, folder: () => installation });

/** A data folder with large secrets, whose server has ended, and a database with an object store that are empty. */
async function setUp() {
  const from = await openLargeFolder();
  const all = [await from.add(20 * MIB), await from.add(1000)];
  const claimed = await from.add(MIB);
  await from.claimLarge(claimed.secret, "one");
  await from.addUpload();
  await from.backUp();
  await from.place.store.close();
  const [connection, objects] = [await cluster.makeDatabase(), memoryObjects()];
  return { ...from, all, claimed, connection, objects, openBlobs: blobsIn(objects) };
}

const restoreInto = (from: LargeFolder, connection: ConnectionOptions, openBlobs: OpenBlobs | undefined) =>
  restoreIntoPostgres({ ...restoring(from), folder: join(from.folder, crypto.randomUUID()), connection, openBlobs });

/** Opens the store over a database, with the blobs of large secrets. */
async function openThere({ place }: LargeFolder, connection: ConnectionOptions, openBlobs: OpenBlobs) {
  const { store } = await openOver(connection, place.time);
  const blobs = openBlobs((await store.findInstallation()) ?? "", store.findParts);
  return {
    store,
    stateOf: async ({ id, teamId }: SecretRecord) => (await store.findSecret(teamId, id))?.state,
    /** Whether a large secret has this content. */
    async has({ secret, file }: Awaited<ReturnType<LargeFolder["add"]>>) {
      const upload = await store.findUploadOf(secret.id);
      return upload !== undefined && Buffer.from(file).equals(await readBlob(blobs, upload.id, upload.bytes));
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** What the teams of a database are charged, as it is counted and counted anew. */
async function chargesIn(connection: ConnectionOptions) {
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  return await look(beside);
}

/** Counts the teams in a database, without the store. */
async function teamsIn(connection: ConnectionOptions): Promise<number> {
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const [row] = (await beside.unsafe("SELECT count(*)::int AS teams FROM teams")) as { teams: number }[];
  return row?.teams ?? NaN;
}

test("large secrets are restored into PostgreSQL and its object store, and backed up from there", async () => {
  await using from = await setUp();
  const { all, claimed, connection, objects, openBlobs } = from;
  const { large, ended } = await restoreInto(from, connection, openBlobs);
  expect({ large, ended }).toEqual({
    large: { secrets: 3, bytes: 21 * MIB + 1000 },
    ended: { secrets: 0, requests: 0 },
  });
  // Three, one and one.
  expect(objects.kept.size).toBe(5);
  {
    await using there = await openThere(from, connection, openBlobs);
    for (const each of [...all, claimed]) expect(await there.has(each)).toBe(true);
    expect(await Promise.all(all.map(({ secret }) => there.stateOf(secret)))).toEqual(["available", "available"]);
    expect((await there.store.keptUploads()).size).toBe(3);
    const { storedBytes, recountedBytes } = await chargesIn(connection);
    expect(storedBytes).toBeGreaterThan(21 * MIB);
    expect(storedBytes).toBe(recountedBytes);
  }
  const path = join(from.folder, "from-postgres.backup");
  await using origin = await openBackupOrigin(connection, openBlobs);
  expect((await origin.write(path, true)).large).toEqual({
    secrets: 3,
    bytes: 21 * MIB + 1000,
    damaged: [],
    unreached: 0,
  });
  await restoreBackup(restoring({ ...from, path }));
  const folder = targetIn(from);
  const { clock, ids } = from.place;
  const store = openStore({ folder, clock, ids, ballastBytes: 0, ...TOMBSTONES });
  const blobs = openFolderBlobs(join(folder, "blobs"), 0);
  for (const { secret, file } of [...all, claimed]) {
    const upload = await store.findUploadOf(secret.id);
    expect(Buffer.from(file).equals(await readBlob(blobs, upload?.id ?? "", file.length))).toBe(true);
  }
  await store.close();
});

test("what is erased while a backup of PostgreSQL reads it isn't in it, and what has lost an object is named", async () => {
  await using from = await setUp();
  const { all, claimed, connection, objects, openBlobs } = from;
  await restoreInto(from, connection, openBlobs);
  await using there = await openThere(from, connection, openBlobs);
  const [first, second] = all.map(({ secret }) => secret);
  if (!first || !second) throw new Error("there are none");
  const lost = (await there.store.findUploadOf(second.id))?.id ?? "";
  for (const key of [...objects.kept.keys()].filter((each) => each.includes(lost))) objects.kept.delete(key);
  let gets = 0;
  const get: ObjectStore["get"] = async function* (...args) {
    if ((gets += 1) === 2) await there.store.revokeSecret(from.teamId, first.id, null);
    yield* objects.get(...args);
  };
  await using origin = await openBackupOrigin(connection, blobsIn({ ...objects, get }));
  const path = join(from.folder, "from-postgres.backup");
  const { large } = await origin.write(path, true);
  expect(large).toEqual({ secrets: 1, bytes: claimed.file.length, damaged: [second.id], unreached: 0 });
});

test("without an object store, a backup says what it doesn't have, and a restore revokes large secrets", async () => {
  await using from = await setUp();
  const { all, connection, openBlobs } = from;
  await restoreInto(from, connection, openBlobs);
  await using origin = await openBackupOrigin(connection);
  const { large } = await origin.write(join(from.folder, "without.backup"), true);
  expect(large).toEqual({ secrets: 0, bytes: 0, damaged: [], unreached: 3 });
  const other = await cluster.makeDatabase();
  const restored = await restoreInto(from, other, undefined);
  expect([restored.large.secrets, restored.ended.secrets]).toEqual([0, 2]);
  await using there = await openThere(from, other, openBlobs);
  expect(await Promise.all(all.map(({ secret }) => there.stateOf(secret)))).toEqual(["revoked", "revoked"]);
});

test("an object store that fails leaves the database empty, and nothing in the store", async () => {
  await using from = await setUp();
  const { connection, objects } = from;
  let puts = 0;
  const put: ObjectStore["put"] = async (key, bytes) => {
    if (key.includes("/upl_") && (puts += 1) === 3) throw new ObjectStoreError("SlowDown", true);
    await objects.put(key, bytes);
  };
  const failing = blobsIn({ ...objects, put });
  const said = await messageOf(restoreInto(from, connection, failing));
  expect(said).toContain("the object store can't be used (SlowDown). Nothing was moved or restored");
  expect([await teamsIn(connection), objects.kept.size]).toEqual([0, 0]);
  // It keeps nothing of what it says.
  const lying = blobsIn({
    ...objects,
    put: async (key, bytes) => (key.includes("/upl_") ? undefined : objects.put(key, bytes)),
  });
  expect(await messageOf(restoreInto(from, connection, lying))).toContain("it doesn't keep");
  expect(await teamsIn(connection)).toBe(0);
});

test("a move takes large secrets along into an object store", async () => {
  await using from = await setUp();
  const { all, claimed, connection, folder, openBlobs } = from;
  const target = { connection, address: ADDRESS, openBlobs };
  const large = { secrets: 3, bytes: 21 * MIB + 1000 };
  expect(await moveToPostgres(folder, target, OPERATOR)).toMatchObject({ large, wasMoved: false });
  expect(await moveToPostgres(folder, target, OPERATOR)).toMatchObject({ large, wasMoved: true });
  await using there = await openThere(from, connection, openBlobs);
  for (const each of [...all, claimed]) expect(await there.has(each)).toBe(true);
  // What was being uploaded has to begin again.
  expect(await there.store.countUploads()).toMatchObject({ uploads: 0, secrets: 3 });
  const { storedBytes, recountedBytes } = await chargesIn(connection);
  expect(storedBytes).toBe(recountedBytes);
});

test("undoing a move leaves nothing in the object store, and goes on where that failed", async () => {
  await using from = await setUp();
  const { all, connection, folder, objects, openBlobs } = from;
  const { clock, ids } = from.place;
  const open = () => openStore({ folder, clock, ids, ballastBytes: 0, ...TOMBSTONES });
  await moveToPostgres(folder, { connection, address: ADDRESS, openBlobs }, OPERATOR);
  let removals = 0;
  const remove: ObjectStore["remove"] = async (key) => {
    if (key.includes("/upl_") && (removals += 1) === 2) throw new ObjectStoreError("SlowDown", true);
    await objects.remove(key);
  };
  const undo = async (blobs: OpenBlobs, stop = "") => {
    const looks: unknown[] = [];
    const target = { connectionTo: () => connection, openBlobs: blobs };
    const said = await messageOf(
      undoMove(folder, OPERATOR, target, async (_, { state, objects: there }) => {
        looks.push(state, there);
        if (stop !== "") throw new Error(stop);
      }),
    );
    return { said, looks };
  };
  const away: ObjectStore["list"] = () => {
    throw new ObjectStoreError("NoSuchBucket", false);
  };
  expect((await undo(blobsIn({ ...objects, list: away }))).said).toContain(
    "(NoSuchBucket). Nothing was changed. Check",
  );
  const other = await undo(blobsIn(memoryObjects()), "stop");
  expect(other).toEqual({ said: "stop", looks: ["unused", "missing"] });
  expect(objects.kept.size).toBe(5);
  const failed = await undo(blobsIn({ ...objects, remove }));
  expect(failed.looks).toEqual(["unused", "found"]);
  expect(failed.said).toContain("can't be used (SlowDown). The database was emptied, but");
  expect(objects.kept.size).toBeGreaterThan(0);
  // No server starts on the folder meanwhile.
  expect(open).toThrow("was moved");
  expect(await undo(openBlobs)).toEqual({ said: "", looks: ["undone", "none"] });
  expect([await teamsIn(connection), objects.kept.size]).toEqual([0, 0]);
  const store = open();
  const blobs = openFolderBlobs(join(folder, "blobs"), 0);
  for (const { secret, file } of all) {
    const upload = await store.findUploadOf(secret.id);
    expect(Buffer.from(file).equals(await readBlob(blobs, upload?.id ?? "", file.length))).toBe(true);
  }
  await store.close();
});

test("a move is refused while a file is damaged, and leaves nothing in the object store", async () => {
  await using from = await setUp();
  const { claimed, connection, folder, objects, openBlobs } = from;
  truncateSync(claimed.path, 5);
  const said = await messageOf(moveToPostgres(folder, { connection, address: ADDRESS, openBlobs }, OPERATOR));
  expect(said).toContain(`${claimed.secret.id} can't be read (BLOB_DAMAGED). Nothing was moved`);
  expect([await teamsIn(connection), objects.kept.size]).toEqual([0, 0]);
});
