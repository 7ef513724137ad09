import { afterAll } from "bun:test";
import { SQL } from "bun";
import { until } from "../../support/polls.ts";
import { openOver } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { createTestClock } from "../../support/test-clocks.ts";
import { describeLateChanges } from "../conformance/late-changes.ts";
import type { TwoProcesses } from "../conformance/late-changes.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

async function openBoth(): Promise<TwoProcesses> {
  const connection = await cluster.makeDatabase();
  const time = createTestClock();
  const [one, ahead] = [await openOver(connection, createTestClock()), await openOver(connection, time)];
  const beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const untilWaiting = (count: number) =>
    until(async () => {
      const [row] = (await beside`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()`) as { count: number }[];
      return row?.count === count;
    });
  return {
    one,
    ahead,
    setAhead: (epochMs) => time.jump(epochMs - time.now()),
    async during(change, report) {
      // Every commit needs this row, and they get it in the order in which they have asked.
      await beside.unsafe("BEGIN");
      await beside.unsafe("SELECT FROM clocks FOR UPDATE");
      const changed = change();
      await untilWaiting(1);
      const reported = report();
      await untilWaiting(2);
      await beside.unsafe("COMMIT");
      await changed;
      return reported;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([one.store.close(), ahead.store.close()]);
      await beside.close({ timeout: 0 });
    },
  };
}

describeLateChanges(openBoth);
