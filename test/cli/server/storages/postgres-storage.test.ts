import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { findPostgres } from "../../../../src/cli/server/storages/places.ts";
import { postgresStorage } from "../../../../src/cli/server/storages/postgres-storage.ts";
import { DatabaseUrl } from "../../../../src/config/database-urls.ts";
import { takeBackLast } from "../../../support/old-postgres.ts";
import { until } from "../../../support/polls.ts";
import { urlOf } from "../../../support/postgres-urls.ts";
import { openOver } from "../../../support/postgres.ts";
import { sharedPostgres } from "../../../support/shared-postgres.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

test("a newer server waits until the last older one is stopped, and logs that", async () => {
  const connection = await cluster.makeDatabase();
  const older = await openOver(connection, createTestClock());
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const listens = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'";
  await until(async () => (await beside.unsafe(listens)).length > 0);
  await takeBackLast(beside);
  const said: { fields: object; message: string }[] = [];
  const say = (fields: object, message: string) => void said.push({ fields, message });
  const place = findPostgres(new DatabaseUrl(urlOf(connection)), { databasePool: 3, databaseTimeout: 15 }, {});
  const storage = await postgresStorage(place).open({
    settings: { tombstones: 86_400, maxCiphertext: 1024 },
    log: { info: say, warn: say, error: say },
    onStoreEnd: (error) => say({}, error.message),
    interruption: new AbortController().signal,
  });
  expect(said).toEqual([
    {
      fields: { database: place.name, reason: expect.stringContaining("Stop all servers of the older version") },
      message: "waiting for the database",
    },
  ]);
  await older.store.close();
  await storage.opened;
  expect(said.slice(1).map(({ message }) => message)).toEqual(["the database is there"]);
  await storage.close();
});
