import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { createMonotonicClock } from "../../../../src/domain/values/clocks.ts";
import { SWEEPS_LOCK } from "../../../../src/store/postgres/engine/leases.ts";
import { LATEST_VERSION } from "../../../../src/store/postgres/engine/migrations.ts";
import { findRefusal } from "../../../../src/store/postgres/engine/refusals.ts";
import { assembleStore } from "../../../../src/store/postgres/store.ts";
import { makeOldDatabase, takeBackLast } from "../../../support/old-postgres.ts";
import { until } from "../../../support/polls.ts";
import { openOver } from "../../../support/postgres.ts";
import { refusalOf } from "../../../support/secrets.ts";
import { sharedPostgres } from "../../../support/shared-postgres.ts";
import { addSecret, addTeam, claim } from "../../../support/stores.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const besideOf = (connection: Parameters<typeof openOver>[0]) =>
  new SQL({ ...connection, adapter: "postgres", max: 1 });

async function versionIn(beside: SQL): Promise<number> {
  return (await beside.unsafe("SELECT max(version) AS version FROM migrations"))[0].version;
}

/** Creates a database of the version before the latest, with a store on it. */
async function makeOlder() {
  const connection = await cluster.makeDatabase();
  const place = await openOver(connection, createTestClock());
  const beside = besideOf(connection);
  await takeBackLast(beside);
  return { connection, place, beside };
}

/** The signs of an older server: it listens, or it holds the sweeper's lock. Each returns a function that ends it. */
const SIGNS: Record<string, (older: Awaited<ReturnType<typeof makeOlder>>) => Promise<() => Promise<unknown>>> = {
  async listening({ place, beside }) {
    const listens = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'";
    await until(async () => (await beside.unsafe(listens)).length > 0);
    return () => place.store.close();
  },
  async sweeping({ place, connection }) {
    await place.store.close();
    const sweeper = besideOf(connection);
    await sweeper.unsafe("SELECT pg_advisory_lock($1)", [SWEEPS_LOCK]);
    return () => sweeper.close();
  },
};

for (const [sign, begin] of Object.entries(SIGNS)) {
  test(`no server migrates a database while an older one is ${sign}`, async () => {
    const older = await makeOlder();
    const end = await begin(older);
    const clock = createMonotonicClock(createTestClock());
    const newer = assembleStore({ connection: older.connection, clock, tombstoneSeconds: 1 });
    const refusal = async () => findRefusal(await newer.open().catch((error: unknown) => error));
    const { error, mayPass } = (await refusal()) ?? {};
    expect(error?.message).toMatch(
      /^a server of an older version of handoff runs on the database \(process \d+ of PostgreSQL\), and would not know what this version changes\. Nothing was changed\. Stop all servers of the older version\. If the machine of one is gone: SELECT pg_terminate_backend\(\d+\)$/,
    );
    expect(mayPass).toBeTrue();
    // Any user can read this.
    const message = expect.not.stringContaining("process");
    expect(await newer.store.findTroubles()).toMatchObject([{ systemCode: "in_use", message, isSerious: true }]);
    expect(await versionIn(older.beside)).toBe(LATEST_VERSION - 1);
    await end();
    // Its connections close with a delay.
    while (await refusal());
    expect(await versionIn(older.beside)).toBe(LATEST_VERSION);
    expect(await newer.store.findTroubles()).toEqual([]);
    await newer.store.close();
    await older.beside.close();
  });
}

test("a server notices that a newer version has migrated the database, and refuses everything", async () => {
  const connection = await cluster.makeDatabase();
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  const { id } = await addSecret(place, teamId);
  await using beside = besideOf(connection);
  await beside.unsafe("INSERT INTO migrations VALUES ($1)", [LATEST_VERSION + 1]);
  expect(await place.store.findTroubles()).toMatchObject([
    {
      code: "unreachable",
      systemCode: "newer_version",
      isSerious: true,
      message: expect.stringContaining("A newer version"),
    },
  ]);
  for (const call of [
    () => addSecret(place, teamId),
    () => claim(place, { id, teamId }),
    () => place.store.findSecret(teamId, id),
  ]) {
    expect(await refusalOf(call())).toBe("storage_unavailable");
  }
  expect(await openOver(connection, createTestClock()).catch(String)).toContain(
    "written by a newer version of handoff",
  );
  await beside.unsafe("DELETE FROM migrations WHERE version = $1", [LATEST_VERSION + 1]);
  expect(await place.store.findTroubles()).toEqual([]);
  expect(await claim(place, { id, teamId })).toMatchObject({ kind: "claimed" });
  await place.store.close();
});

test("a database of every version is migrated with its content", async () => {
  for (let version = 2; version < LATEST_VERSION; version++) {
    const connection = await makeOldDatabase(await cluster.makeDatabase(), version);
    await using beside = besideOf(connection);
    await beside.unsafe("INSERT INTO teams VALUES ('tea_one', 'ops', 0)");
    const place = await openOver(connection, createTestClock());
    expect(await place.store.listTeams()).toMatchObject([{ name: "ops" }]);
    await place.store.close();
    expect(await versionIn(beside)).toBe(LATEST_VERSION);
  }
});
