import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { createdIn, untilEvents, writeOn } from "../../support/postgres-load.ts";
import { startPostgresProxy } from "../../support/postgres-proxies.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { refusalOf } from "../../support/secrets.ts";
import { addSecret, addTeam, callOf, claim, newSecret } from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

test("no acknowledged write is lost or duplicated when the database is killed, and work resumes", async () => {
  const connection = await cluster.makeDatabase();
  const places = await Promise.all([0, 1].map(() => openOver(connection, createTestClock())));
  const [place] = places;
  if (!place) throw new Error("there is no store");
  const teamId = await addTeam(place);
  let isOver = false;
  const writing = places.flatMap((each, store) =>
    Array.from({ length: 8 }, (_, number) => writeOn(each, teamId, `${store} ${number}`, () => isOver)),
  );
  for (let round = 0; round < 3; round++) {
    const last = await untilEvents(place, teamId, 30);
    await cluster.crash();
    // Its processes end one by one; only then no store reports a healthy database.
    while (await answers(place));
    await cluster.start();
    await untilEvents(place, teamId, 30, last);
  }
  isOver = true;
  const results = await Promise.all(writing);
  const acknowledged = results.flatMap((each) => each.acknowledged);
  expect(results.reduce((sum, { refusals }) => sum + refusals, 0)).toBeGreaterThan(0);
  const created = await createdIn(place, teamId);
  expect(new Set(created).size).toBe(created.length);
  expect(created.toSorted()).toEqual(acknowledged.toSorted());
  for (const id of acknowledged.slice(0, 50)) {
    expect(await claim(place, { id, teamId })).toMatchObject({ kind: "claimed" });
  }
  expect(await place.store.findTroubles()).toEqual([]);
  await Promise.all(places.map(({ store }) => store.close()));
}, 120_000);

test("a write whose COMMIT gets no answer has an unknown outcome, and repeating it applies it once", async () => {
  const connection = await cluster.makeDatabase();
  await using proxy = await startPostgresProxy(connection);
  const place = await openOver(proxy.connection, createTestClock());
  const teamId = await addTeam(place);
  const [first, second] = [await addSecret(place, teamId), await addSecret(place, teamId)];
  const writes = {
    create: () => addSecret(place, teamId),
    createByKey: () => place.store.createSecret(newSecret(place, teamId, { call: callOf("lost") })),
    claim: () => claim(place, first),
    revoke: () => place.store.revokeSecret(teamId, second.id, null),
    team: () => addTeam(place, "lost"),
  };
  for (const write of Object.values(writes)) {
    proxy.loseCommits();
    const error = await write().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "storage_unavailable", options: { outcome: "unknown" } });
    proxy.passAll();
    while ((await place.store.findTroubles()).length > 0);
  }
  const events = await place.store.listEvents(teamId, undefined, 100);
  const types = events.map(({ type }): string => type);
  expect(types).toEqual([...Array<string>(4).fill("secret.created"), "secret.claimed", "secret.revoked"]);
  expect(await place.store.findTeam("lost")).toMatchObject({ name: "lost" });
  expect(await writes.createByKey()).toMatchObject({ kind: "replayed" });
  await place.store.close();
}, 30_000);

test("a read-only database is reported and refuses writes and claims, until it accepts writes again", async () => {
  const connection = await cluster.makeDatabase();
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  const { id } = await addSecret(place, teamId);
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const setReadOnly = async (value: "on" | "off") => {
    await beside.unsafe(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await beside.unsafe("SELECT pg_reload_conf()");
    while ((await place.store.findTroubles()).length !== (value === "on" ? 1 : 0));
  };
  await setReadOnly("on");
  expect(await place.store.findTroubles()).toMatchObject([{ code: "read_only", isSerious: true }]);
  expect(await refusalOf(claim(place, { id, teamId }))).toBe("storage_unavailable");
  expect(await refusalOf(addSecret(place, teamId))).toBe("storage_unavailable");
  expect(await place.store.findSecret(teamId, id)).toMatchObject({ state: "available" });
  await beside.unsafe("SET default_transaction_read_only = off");
  await setReadOnly("off");
  expect(await claim(place, { id, teamId })).toMatchObject({ kind: "claimed" });
  await place.store.close();
});

/** True while the database answers. */
async function answers({ store }: WorkingStore): Promise<boolean> {
  const troubles = await store.findTroubles();
  return troubles.every(({ code }) => code !== "unreachable");
}
