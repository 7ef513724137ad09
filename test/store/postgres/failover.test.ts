import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { toConnection } from "../../../src/cli/server/storages/postgres-connections.ts";
import { DatabaseUrl } from "../../../src/config/database-urls.ts";
import { createdIn, untilEvents, writeOn } from "../../support/postgres-load.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import type { PostgresCluster } from "../../support/postgres.ts";
import { refusalOf } from "../../support/secrets.ts";
import { addSecret, addTeam, callOf, claim, newSecret } from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

/** Starts a primary and its replica, and opens stores that use whichever accepts writes. */
async function openPair(how: "synchronous" | "asynchronous", stores = 1) {
  const primary = await startPostgres();
  const database = await primary.makeDatabase();
  const replica = await primary.makeReplica();
  if (how === "synchronous") {
    await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.run("SELECT pg_reload_conf()");
    while ((await primary.run("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 0);
  }
  const folders = [primary, replica].map(({ socket }) => dirname(socket));
  const url = `postgresql://handoff@/${database.database}?host=${folders.join(",")}&target_session_attrs=read-write&connect_timeout=2`;
  const parsed = new DatabaseUrl(url).reveal();
  if (!parsed) throw new Error("it is no URL");
  const connection = { ...toConnection(parsed, { pool: 6, timeoutSeconds: 1 }), waitsForPrimary: true };
  const places = await Promise.all(Array.from({ length: stores }, () => openOver(connection, createTestClock())));
  const [place] = places;
  if (!place) throw new Error("there is no store");
  return {
    primary,
    replica,
    places,
    place,
    teamId: await addTeam(place),
    async [Symbol.asyncDispose]() {
      for (const cluster of [primary, replica]) cluster.thaw();
      await Promise.all(places.map(({ store }) => store.close()));
      await replica[Symbol.asyncDispose]();
      await primary[Symbol.asyncDispose]();
    },
  };
}

const promote = (replica: PostgresCluster) => replica.run("SELECT pg_promote()");

/**
 * Writes through all stores during `fail` and for a while after. Expects no acknowledged write to be lost or
 * duplicated.
 */
async function expectNothingLost(
  places: readonly WorkingStore[],
  place: WorkingStore,
  teamId: string,
  fail: () => Promise<unknown>,
) {
  let isOver = false;
  const writing = places.flatMap((each, store) =>
    Array.from({ length: 8 }, (_, number) => writeOn(each, teamId, `${store} ${number}`, () => isOver)),
  );
  const last = await untilEvents(place, teamId, 60);
  await fail();
  await untilEvents(place, teamId, 60, last);
  isOver = true;
  const acknowledged = (await Promise.all(writing)).flatMap((each) => each.acknowledged);
  const created = await createdIn(place, teamId);
  expect(new Set(created).size).toBe(created.length);
  expect(created.toSorted()).toEqual(acknowledged.toSorted());
  expect(await place.store.findTroubles()).toEqual([]);
  expect(await claim(place, { id: acknowledged[0] ?? "", teamId })).toMatchObject({ kind: "claimed" });
}

test("no acknowledged write is lost when the primary is killed and its synchronous replica promoted", async () => {
  await using pair = await openPair("synchronous", 2);
  const { primary, replica, places, place, teamId } = pair;
  await expectNothingLost(places, place, teamId, async () => {
    await primary.crash();
    await promote(replica);
  });
}, 60_000);

test("no acknowledged write is lost when the primary goes silent and its synchronous replica is promoted", async () => {
  await using pair = await openPair("synchronous", 2);
  const { primary, replica, places, place, teamId } = pair;
  await expectNothingLost(places, place, teamId, async () => {
    primary.freeze();
    await promote(replica);
  });
}, 60_000);

test("a write is acknowledged only once it is on the synchronous replica; repeating it stores it once", async () => {
  await using pair = await openPair("synchronous");
  const { replica, place, teamId } = pair;
  const call = callOf("waits for the replica");
  const create = () => place.store.createSecret(newSecret(place, teamId, { call }));
  replica.freeze();
  expect(await refusalOf(create())).toBe("storage_unavailable");
  expect(await refusalOf(create())).toBe("storage_unavailable");
  expect(await createdIn(place, teamId)).toEqual([]);
  replica.thaw();
  for (;;) {
    const outcome = await create().catch(() => undefined);
    if (outcome) {
      expect(outcome).toMatchObject({ secret: { teamId } });
      break;
    }
  }
  expect(await createdIn(place, teamId)).toHaveLength(1);
}, 60_000);

test("after an asynchronous replica is promoted, unreplicated writes are gone and new events delivered", async () => {
  await using pair = await openPair("asynchronous");
  const { primary, replica, place, teamId } = pair;
  const kept = await addSecret(place, teamId);
  const [{ at } = {}] = await primary.run("SELECT pg_current_wal_lsn()::text AS at");
  while ((await replica.run(`SELECT 1 WHERE pg_last_wal_replay_lsn() >= '${String(at)}'`)).length === 0);
  await replica.crash();
  expect(await claim(place, { id: kept.id, teamId })).toMatchObject({ kind: "claimed" });
  const call = callOf("acknowledged, and lost");
  const create = () => place.store.createSecret(newSecret(place, teamId, { call }));
  const lost = await create();
  await Promise.all(Array.from({ length: 300 }, () => addSecret(place, teamId)));
  await primary.crash();
  await replica.start();
  await promote(replica);

  const isThere = () => createdIn(place, teamId).catch(() => undefined);
  let created = await isThere();
  while (!created) created = await isThere();
  expect(created).toEqual([kept.id]);
  expect(await claim(place, { id: kept.id, teamId })).toMatchObject({ kind: "claimed" });
  const again = await create();
  if (!("secret" in lost) || !("secret" in again)) throw new Error("it was not created");
  expect(await createdIn(place, teamId)).toEqual([kept.id, again.secret.id]);
  const received = new Set<string | null>();
  place.store.subscribe(({ secretId }) => received.add(secretId));
  // Polling notices within a second that places are assigned again, long before they reach their former height.
  for (let count = 0; received.size === 0 && count < 100; count++) {
    await addSecret(place, teamId);
    await replica.run("SELECT pg_sleep(0.05)");
  }
  expect(received.size).toBeGreaterThan(0);
  expect(await place.store.findTroubles()).toEqual([]);
}, 60_000);
