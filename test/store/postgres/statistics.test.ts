import { expect, test } from "bun:test";
import { SQL } from "bun";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { addTeam } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const ROWS = 20_000;
const FILL = `INSERT INTO secrets SELECT 'sec_' || g, $1, CASE g % 4 WHEN 0 THEN 'available' ELSE 'claimed' END, 1, 100, 'age', 0, 0, 1, 0,
  NULL, NULL, NULL, NULL, NULL, sha256(g::text::bytea), 0 FROM generate_series(1, ${ROWS}) AS g`;

test("up to a million secrets are counted exactly, and more are estimated from a bounded sample", async () => {
  await using cluster = await startPostgres({ fsync: "off", autovacuum: "off" });
  const connection = await cluster.makeDatabase();
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  const beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  await beside.unsafe(FILL, [teamId]);
  await beside.unsafe("ANALYZE");
  const count = async () => {
    const counts = await place.store.countStates();
    return Object.fromEntries(counts.map(({ state, count: number }) => [state, number]));
  };
  expect(await count()).toEqual({ available: ROWS / 4, claimed: (ROWS * 3) / 4 });
  // As for a table with ten million rows: one in ten is sampled.
  await beside.unsafe("UPDATE pg_class SET reltuples = 10000000 WHERE relname = 'secrets'");
  const estimated = await count();
  expect(estimated["available"]).toBeWithin(ROWS / 8, ROWS / 2);
  expect(estimated["claimed"]).toBeWithin((ROWS * 3) / 8, ROWS * 1.5);
  // Repeated counts are equal, so a dashboard doesn't flicker.
  expect(await count()).toEqual(estimated);
  await place.store.close();
  const [{ read }] = await beside.unsafe(
    "SELECT seq_tup_read::int AS read FROM pg_stat_user_tables WHERE relname = 'secrets'",
  );
  expect(read).toBeLessThan(ROWS);
  await beside.close();
}, 30_000);
