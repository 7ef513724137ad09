import { expect, test } from "bun:test";
import { SQL } from "bun";
import { inspect } from "../../../src/store/postgres/inspections.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { createTestClock } from "../../support/test-clocks.ts";

/** Many transactions, each of which leaves a dead row that can't be vacuumed while an older transaction is open. */
const USE_UP = "DO $$ BEGIN FOR i IN 1..60001 LOOP PERFORM pg_current_xact_id(); COMMIT AND CHAIN; END LOOP; END $$";

test("a forgotten transaction is reported with its pid and application, until it ends", async () => {
  await using cluster = await startPostgres({ fsync: "off", max_prepared_transactions: "1" });
  const connection = await cluster.makeDatabase();
  const place = await openOver(connection, createTestClock());
  const beside = new SQL({
    ...connection,
    adapter: "postgres",
    max: 1,
    connection: { application_name: "psql\nfrom me" },
  });
  const [row] = await beside.unsafe("SELECT pg_backend_pid() AS pid");
  const find = async () => [await place.store.findTroubles(), (await inspect(connection, 0)).longReader] as const;
  await beside.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await beside.unsafe("SELECT 1");
  expect(await find()).toEqual([[], undefined]);
  await cluster.run(USE_UP);
  const [[trouble], reader] = await find();
  expect(reader).toMatchObject({ kind: "connection", name: String(row.pid) });
  expect(trouble).toMatchObject({ code: "long_reader", isSerious: false });
  expect(trouble?.message).toContain(`(pid ${row.pid}, application 'psql?from me')`);
  await beside.unsafe("ROLLBACK");
  expect(await find()).toEqual([[], undefined]);

  // A transaction that reads nothing, but has changed something.
  await beside.unsafe("BEGIN");
  await beside.unsafe("SELECT pg_current_xact_id()");
  await cluster.run(USE_UP);
  expect((await find())[1]).toMatchObject({ kind: "connection", name: String(row.pid) });
  await beside.close();
  await place.store.close();
}, 60_000);
