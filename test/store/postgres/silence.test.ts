import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { Refusal } from "../../../src/domain/values/errors.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { addSecret, addTeam, callOf, claim, hashOf, newSecret } from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const ANSWER_SECONDS = 1;

/** Returns the refusal of a call, and the seconds that it took. */
async function refusedAfter(call: Promise<unknown>): Promise<{ refusal: Refusal; seconds: number }> {
  const start = performance.now();
  try {
    await call;
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error, seconds: (performance.now() - start) / 1000 };
    throw error;
  }
  throw new Error("it was answered");
}

async function openWithTeam() {
  const connection = { ...(await cluster.makeDatabase()), answerSeconds: ANSWER_SECONDS };
  const place = await openOver(connection, createTestClock());
  return { place, connection, teamId: await addTeam(place) };
}

const untilWell = async ({ store }: WorkingStore) => {
  while ((await store.findTroubles()).length > 0) await new Promise(setImmediate);
};

test("while the database is silent, calls are refused in time; repeated afterwards, they apply once", async () => {
  const { place, teamId } = await openWithTeam();
  const { id } = await addSecret(place, teamId);
  const call = callOf("in the dark");
  const create = () => place.store.createSecret(newSecret(place, teamId, { call }));
  cluster.freeze();
  const outcomes = await Promise.all([
    refusedAfter(create()),
    refusedAfter(claim(place, { id, teamId })),
    refusedAfter(place.store.findSecret(teamId, id)),
    refusedAfter(place.store.listTeams()),
    refusedAfter(place.store.listEvents(teamId, undefined, 10)),
  ]);
  const later = await Promise.all([refusedAfter(create()), refusedAfter(place.store.findSecret(teamId, id))]);
  for (const { refusal, seconds } of [...outcomes, ...later]) {
    expect(refusal.code).toBe("storage_unavailable");
    expect(seconds).toBeLessThan(3 * ANSWER_SECONDS);
  }
  expect(await place.store.findTroubles()).toMatchObject([{ code: "unreachable", isSerious: true }]);
  cluster.thaw();
  await untilWell(place);
  expect(await create()).toMatchObject({ kind: "created" });
  const events = await place.store.listEvents(teamId, undefined, 10);
  expect(events.map(({ type }) => type)).toEqual(["secret.created", "secret.created"]);
  expect(await claim(place, { id, teamId })).toMatchObject({ kind: "claimed" });
  await place.store.close();
}, 60_000);

test("calls queued behind an unanswered statement are refused with it, and never applied later", async () => {
  const { place, teamId } = await openWithTeam();
  const known = await addSecret(place, teamId);
  cluster.freeze();
  const findKey = () => refusedAfter(place.store.findKeyByHash(hashOf("key")));
  const first = Promise.all([refusedAfter(place.store.revokeSecret(teamId, known.id, null)), findKey()]);
  // Late enough to miss the first transaction.
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  const create = () => refusedAfter(place.store.createSecret(newSecret(place, teamId)));
  const behind = await Promise.all([create(), create(), findKey(), findKey()]);
  await first;
  cluster.thaw();
  expect(Math.max(...behind.map(({ seconds }) => seconds))).toBeLessThan(1.6 * ANSWER_SECONDS);
  expect(behind.map(({ refusal }) => refusal.detail)).toEqual(
    Array(4).fill(expect.stringContaining("Nothing was stored")),
  );
  await untilWell(place);
  const events = await place.store.listEvents(teamId, undefined, 10);
  expect(events.filter(({ type }) => type === "secret.created")).toHaveLength(1);
  await place.store.close();
}, 60_000);

test("calls queued behind a connection that can't be opened are refused with it, without another wait", async () => {
  const connection = { ...(await cluster.makeDatabase()), answerSeconds: 2 * ANSWER_SECONDS };
  const place = await openOver({ ...connection, connectionTimeout: ANSWER_SECONDS }, createTestClock());
  const teamId = await addTeam(place);
  const findKey = () => refusedAfter(place.store.findKeyByHash(hashOf("key")));
  const create = () => refusedAfter(place.store.createSecret(newSecret(place, teamId)));
  cluster.freeze();
  // Existing connections are silent, and new ones are opened.
  await findKey();
  const first = [findKey(), create()];
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  const behind = await Promise.all([findKey(), findKey(), create(), create()]);
  await Promise.all(first);
  cluster.thaw();
  expect(Math.max(...behind.map(({ seconds }) => seconds))).toBeLessThan(1.6 * ANSWER_SECONDS);
  await untilWell(place);
  await place.store.close();
}, 60_000);

test("a migration may take longer than the time limit for answers", async () => {
  const connection = { ...(await cluster.makeDatabase()), answerSeconds: ANSWER_SECONDS / 2 };
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  // As another process that migrates.
  await beside.unsafe("SELECT pg_advisory_lock(4237001)");
  const opening = openOver(connection, createTestClock());
  await beside.unsafe(`SELECT pg_sleep(${2 * ANSWER_SECONDS})`);
  await beside.unsafe("SELECT pg_advisory_unlock(4237001)");
  const { store } = await opening;
  expect(await store.findTroubles()).toEqual([]);
  await store.close();
});
