import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { createMonotonicClock } from "../../../src/domain/values/clocks.ts";
import { createDatabaseTime } from "../../../src/store/postgres/engine/database-time.ts";
import { openPostgresStore } from "../../../src/store/postgres/store.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test("the time is that of the database, and advances between two observations", () => {
  let elapsed = 5;
  const time = createDatabaseTime(() => elapsed);
  expect(time.now()).toBe(0);
  time.heard(1_000_000);
  expect(time.now()).toBe(1_000_000);
  elapsed += 300;
  expect(time.now()).toBe(1_000_300);
});

test("a late observation counts less than a timely one, and a clock that was set back is believed in the end", () => {
  let elapsed = 0;
  const time = createDatabaseTime(() => elapsed);
  time.heard(DAY);
  elapsed += 1000;
  time.heard(DAY + 400);
  expect(time.now()).toBe(DAY + 1000);
  // A clock that was set back by an hour and is observed every second.
  for (let second = 0; second < 70; second++) {
    elapsed += 1000;
    time.heard(DAY + elapsed - 60 * MINUTE);
  }
  expect(time.now()).toBe(DAY + elapsed - 60 * MINUTE);
});

test("all processes use the database clock, and it never goes backwards", async () => {
  const connection = await cluster.makeDatabase();
  const open = async () => {
    const time = createDatabaseTime();
    const clock = createMonotonicClock(time);
    return { clock, store: await openPostgresStore({ connection, clock, time, tombstoneSeconds: 86_400 }) };
  };
  const [one, two] = await Promise.all([open(), open()]);
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const [{ at: databaseAt } = { at: 0 }] =
    (await beside`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at`) as { at: number }[];
  expect(Math.abs(one.clock.now() - databaseAt)).toBeLessThan(2000);
  expect(Math.abs(one.clock.now() - two.clock.now())).toBeLessThan(2000);
  // As if the clock of the database's machine was set back by a day.
  await beside`UPDATE clocks SET latest_at = ${Math.floor(databaseAt) + DAY}`;
  await one.store.keepTeamQuota(1);
  expect(one.clock.now()).toBeGreaterThanOrEqual(databaseAt + DAY);
  await one.store.close();
  const next = await open();
  expect(next.clock.now()).toBeGreaterThan(databaseAt + DAY);
  await Promise.all([two.store.close(), next.store.close()]);
});
