import { afterAll, expect, test } from "bun:test";
import { connectTo } from "../../../src/store/postgres/engine/database.ts";
import { createLease } from "../../../src/store/postgres/engine/leases.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

test("a lease has one holder until its release or end, and then its connection is reset", async () => {
  const connection = await cluster.makeDatabase();
  const [first, second] = [connectTo({ ...connection, max: 1 }), connectTo(connection)];
  const [held, other] = [createLease(first, "sweeps", 1), createLease(second, "sweeps", 1)];
  expect(await held.hold()).toBe(true);
  expect(await other.hold()).toBe(false);
  expect(await held.hold()).toBe(true);
  await held.end();
  const [row] = await first.read("SHOW idle_session_timeout");
  expect(row?.["idle_session_timeout"]).toBe("0");
  expect(await held.hold()).toBe(true);
  // A process that hangs sends nothing, but keeps its connection.
  const since = performance.now();
  while (!(await other.hold()));
  expect(performance.now() - since).toBeGreaterThan(900);
  expect(await held.hold()).toBe(false);
  await other.end();
  expect(await held.hold()).toBe(true);
  await Promise.all([first.close(), second.close()]);
}, 30_000);
