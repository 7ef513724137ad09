import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { SQL } from "bun";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { createdIn } from "../../support/postgres-load.ts";
import { openOver } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { addSecret, addTeam } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const IDLE_SECONDS = 3;
/** The settings of a server, with shorter times. */
const LIMITS = {
  idle_in_transaction_session_timeout: String(IDLE_SECONDS * 1000),
  lock_timeout: "15000",
  statement_timeout: "15000",
};

/** A process that writes without a pause, and the IDs that were acknowledged to it. */
function startWriting(connection: ConnectionOptions, teamId: string, name: string) {
  const options = { ...connection, connection: { ...LIMITS, application_name: name } };
  const script = join(import.meta.dir, "../../support/postgres-process.ts");
  const child = Bun.spawn([process.execPath, script, JSON.stringify(options), teamId, name], { stderr: "inherit" });
  const acknowledged: string[] = [];
  const reading = (async () => {
    let rest = "";
    for await (const chunk of child.stdout) {
      const lines = (rest + Buffer.from(chunk).toString()).split("\n");
      rest = lines.pop() ?? "";
      acknowledged.push(...lines);
    }
  })();
  return {
    child,
    acknowledged,
    async end() {
      child.kill("SIGKILL");
      await child.exited;
      await reading;
    },
  };
}

/** Stops the process while it is in a transaction and holds locks that others need. */
async function stopHolding(child: Bun.Subprocess, beside: SQL, name: string): Promise<void> {
  const holds = `SELECT FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE application_name = $1 AND state = 'idle in transaction' AND relation = 'clocks'::regclass AND mode = 'RowExclusiveLock'`;
  for (;;) {
    child.kill("SIGSTOP");
    const rows = (await beside.unsafe(holds, [name])) as unknown[];
    if (rows.length > 0) return;
    child.kill("SIGCONT");
    await beside.unsafe("SELECT pg_sleep(0.003)");
  }
}

/** A process that holds locks that all others need, and is stopped. */
async function openHeld() {
  const connection = await cluster.makeDatabase();
  const beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const place = await openOver({ ...connection, connection: LIMITS }, createTestClock());
  const teamId = await addTeam(place);
  const writer = startWriting(connection, teamId, "held");
  while (writer.acknowledged.length < 5) await addSecret(place, teamId);
  await stopHolding(writer.child, beside, "held");
  return {
    place,
    teamId,
    writer,
    async expectNothingLost() {
      await writer.end();
      const created = await createdIn(place, teamId);
      expect(new Set(created).size).toBe(created.length);
      expect(writer.acknowledged.filter((id) => !created.includes(id))).toEqual([]);
      await place.store.close();
      await beside.close({ timeout: 0 });
    },
  };
}

test("a process that is killed while it holds locks blocks the others no longer", async () => {
  const { place, teamId, writer, expectNothingLost } = await openHeld();
  writer.child.kill("SIGKILL");
  const start = performance.now();
  await addSecret(place, teamId);
  expect(performance.now() - start).toBeLessThan((IDLE_SECONDS * 1000) / 2);
  await expectNothingLost();
}, 60_000);

test("a process that is paused while it holds locks loses them, and goes on once resumed", async () => {
  const { place, teamId, writer, expectNothingLost } = await openHeld();
  expect(await addSecret(place, teamId)).toMatchObject({ state: "available" });
  const before = writer.acknowledged.length;
  writer.child.kill("SIGCONT");
  while (writer.acknowledged.length < before + 20) await place.store.findTroubles();
  await expectNothingLost();
}, 60_000);
