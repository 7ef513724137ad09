import { afterAll, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { moveToPostgres } from "../../../src/store/copies/moves.ts";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { lockFolder } from "../../../src/store/sqlite/files/server-lock.ts";
import { fillFolder, handedOut, messageOf, openFolder, readAll } from "../../support/filled-stores.ts";
import type { FilledFolder } from "../../support/filled-stores.ts";
import { look } from "../../support/postgres-storage.ts";
import { openOver } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { addSecret, callOf, claim, DAY, hashOf, OPERATOR } from "../../support/stores.ts";
import { openUploads } from "../../support/uploads.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const PLACE = "postgresql://handoff@db.test/handoff";

const move = ({ folder }: FilledFolder, connection: ConnectionOptions) =>
  moveToPostgres(folder, { connection, address: PLACE }, OPERATOR);

/** Counts the teams in a database, without the store. */
async function teamsIn(connection: ConnectionOptions): Promise<number> {
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const [row] = (await beside.unsafe("SELECT count(*)::int AS teams FROM teams")) as { teams: number }[];
  return row?.teams ?? NaN;
}

test("after a move, everything of the data folder is used from PostgreSQL", async () => {
  using source = await fillFolder();
  const { time, filled, before } = source;
  const connection = await cluster.makeDatabase();
  expect(await move(source, connection)).toEqual({
    counts: { teams: 2, identities: 2, keys: 2, secrets: 35, requests: 2 },
    large: { secrets: 0, bytes: 0 },
    wasMoved: false,
  });
  const target = await openOver(connection, time);
  try {
    const { adminLog, ...after } = await readAll(target, filled);
    const { adminLog: logBefore, ...rest } = before;
    expect(after).toEqual(rest);
    expect(adminLog.slice(0, -1)).toEqual(logBefore);
    expect(adminLog.at(-1)).toMatchObject({ ...OPERATOR, action: "database.moved" });
    // Calls can be replayed, and ciphertexts can be claimed.
    const { teamId, waiting, claimed } = filled;
    expect(await target.store.replayCreation(teamId, callOf("create", "what"))).toMatchObject({ kind: "replayed" });
    expect(await handedOut(claim(target, { id: claimed, teamId }, "claim"))).toBe("x".repeat(70_000));
    expect(await handedOut(claim(target, { id: waiting, teamId }))).toBe(`text-of-${waiting}`);
    expect((await target.store.findKeyByHash(hashOf("successor")))?.hint).toBe("hak_abcd");
    // Later events come after all existing ones.
    const last = await addSecret(target, teamId);
    const known = before.events.flat().filter((event) => event.teamId === teamId);
    const events = await target.store.listEvents(teamId, known.at(-1)?.id, 1000);
    expect(events.map(({ type, secretId }) => [type, secretId])).toEqual([
      ["secret.claimed", waiting],
      ["secret.created", last.id],
    ]);
    await target.store.renameTeam(teamId, "anew");
  } finally {
    await target.store.close();
  }
});

test("after a move, teams are charged as PostgreSQL stores their rows", async () => {
  using source = await fillFolder();
  const connection = await cluster.makeDatabase();
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  await move(source, connection);
  const target = await openOver(connection, source.time);
  try {
    await addSecret(target, source.filled.teamId);
    const { storedBytes, recountedBytes } = await look(beside);
    expect(storedBytes).toBeGreaterThan(70_000);
    expect(storedBytes).toBe(recountedBytes);
  } finally {
    await target.store.close();
  }
});

test("a moved folder can't be opened, nor moved to another database", async () => {
  using source = await fillFolder();
  const { folder, time } = source;
  const connection = await cluster.makeDatabase();
  await move(source, connection);
  expect(() => openFolder(folder, time)).toThrow(`handoff.db' was moved to '${PLACE}'`);
  expect(await move(source, connection)).toMatchObject({ counts: { secrets: 35 }, wasMoved: true });
  const other = await cluster.makeDatabase();
  expect(await messageOf(move(source, other))).toMatch(`was moved to '${PLACE}', which is another database`);
  expect(await teamsIn(other)).toBe(0);
  // A folder without later writes keeps the mark, even without its WAL.
  for (const end of ["-wal", "-shm"]) rmSync(join(folder, `handoff.db${end}`), { force: true });
  expect(() => openFolder(folder, time)).toThrow(`was moved to`);
});

test("a move with an unknown outcome can be run again", async () => {
  using source = await fillFolder();
  const { folder, filled, time } = source;
  const connection = await cluster.makeDatabase();
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  await openOver(connection, time).then(({ store }) => store.close());
  // The mark is written before PostgreSQL commits: if the commit fails, there is only the mark.
  await beside.unsafe(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
  );
  await beside.unsafe(
    "CREATE CONSTRAINT TRIGGER failing AFTER INSERT ON admin_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()",
  );
  expect(await messageOf(move(source, connection))).toMatch("is not known, and no server starts");
  expect(await teamsIn(connection)).toBe(0);
  expect(() => openFolder(folder, time)).toThrow("If the move did not come to its end, run it again");
  await beside.unsafe("DROP TRIGGER failing ON admin_log");
  expect(await move(source, connection)).toMatchObject({ counts: { secrets: 35 }, wasMoved: false });
  const target = await openOver(connection, time);
  const { adminLog: _, ...after } = await readAll(target, filled);
  await target.store.close();
  const { adminLog: __, ...before } = source.before;
  expect(after).toEqual(before);
});

test("a move is refused while a server runs on either side, and into a database that isn't empty", async () => {
  using source = await fillFolder();
  const { folder, time } = source;
  const connection = await cluster.makeDatabase();
  const lock = lockFolder(folder);
  expect(await messageOf(move(source, connection))).toMatch("another server runs on the data folder");
  lock[Symbol.dispose]();
  const server = await openOver(connection, time);
  await server.store.sweep(1);
  expect(await messageOf(move(source, connection))).toMatch("a server runs on the database");
  await server.store.keepTeamQuota(1);
  await server.store.close();
  await move(source, connection);
  using second = await fillFolder();
  expect(await messageOf(move(second, connection))).toMatch("the database is not empty");
  await openFolder(second.folder, time).store.close();
});

test("a row that arrives changed undoes the move, and the folder stays as it was", async () => {
  using source = await fillFolder();
  const { folder, time } = source;
  for (const instead of ["RETURN NULL;", "NEW.reference := 'OPS-1'; RETURN NEW;"]) {
    const connection = await cluster.makeDatabase();
    await openOver(connection, time).then(({ store }) => store.close());
    await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
    await beside.unsafe(`CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${instead} END $$`);
    await beside.unsafe(
      "CREATE TRIGGER changing BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.place = 7) EXECUTE FUNCTION change()",
    );
    expect(await messageOf(move(source, connection))).toMatch(/^events: what arrived .* Nothing was kept$/);
    expect(await teamsIn(connection)).toBe(0);
  }
  await openFolder(folder, time).store.close();
});

test("a damaged folder is not moved", async () => {
  using source = await fillFolder();
  const { folder } = source;
  const path = join(folder, "handoff.db");
  const bytes = readFileSync(path);
  // A read through an index that has lost its entries doesn't notice the damage.
  bytes.fill(0, bytes.length - 3 * 4096, bytes.length - 4096);
  writeFileSync(path, bytes);
  const connection = await cluster.makeDatabase();
  expect(await messageOf(move(source, connection))).toMatch(/is damaged .*Nothing was moved/s);
  expect(await teamsIn(connection)).toBe(0);
});

test("a folder with large secrets or uploads is not moved until they have ended", async () => {
  await using open = await openUploads();
  const { place, teamId, folder } = open;
  const connection = await cluster.makeDatabase();
  // The move looks at the time of the machine.
  const expiresAt = Date.now() + DAY;
  const large = await open.addLarge(undefined, { expiresAt });
  const upload = await open.addUpload({ expiresAt });
  await open.addUpload();
  const moving = async () => {
    await place.store.close();
    const said = await messageOf(moveToPostgres(folder, { connection, address: PLACE }, OPERATOR));
    expect(said).toContain("PostgreSQL keeps no files. Nothing was moved. Name an object store");
    await place.reopen();
    return /secrets \((\d+)\) and uploads of some \((\d+)\)/.exec(said)?.slice(1);
  };
  expect(await moving()).toEqual(["1", "1"]);
  await open.uploads().endUpload(upload.id);
  expect(await moving()).toEqual(["1", "0"]);
  await place.store.revokeSecret(teamId, large.id, null);
  await place.store.close();
  const { counts } = await moveToPostgres(folder, { connection, address: PLACE }, OPERATOR);
  expect(counts).toMatchObject({ teams: 1, secrets: 1 });
  const target = await openOver(connection, place.time);
  expect(await target.store.findSecret(teamId, large.id)).toMatchObject({ state: "revoked", envelopeVersion: 2 });
  expect((await target.store.findTeamUsage(teamId)).storedBytes).toBeLessThan(5000);
  await target.store.close();
});
