import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { findRefusal } from "../../../src/store/postgres/engine/refusals.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { refusalOf } from "../../support/secrets.ts";
import { addSecret, addTeam, claim, sweepAll } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const MAX_CONNECTIONS = 12;
const cluster = await startPostgres({ max_connections: String(MAX_CONNECTIONS) });
afterAll(() => cluster[Symbol.asyncDispose]());

/** A client that takes connections and releases them. */
async function openCrowd(connection: ConnectionOptions) {
  const open = async () => {
    const client = new SQL({ ...connection, adapter: "postgres", max: 1 });
    const [row] = (await client.unsafe("SELECT pg_backend_pid() AS pid")) as { pid: number }[];
    return { client, pid: row?.pid };
  };
  const taken = [await open()];
  /** Takes all free connections, closes those of other clients, and returns the number of these. */
  const takeMore = async (): Promise<number> => {
    for (let more = await open().catch(() => undefined); more; more = await open().catch(() => undefined)) {
      taken.push(more);
    }
    return cluster.cutOff((other) => !taken.some(({ pid }) => pid === other.pid));
  };
  const end = async (count: number) => {
    for (const { client } of taken.splice(taken.length - count)) await client.close({ timeout: 0 });
  };
  return {
    /** Takes all connections except `free`; other clients lose theirs. */
    async take(free: number) {
      while ((await takeMore()) > 0);
      await end(free);
    },
    leave: () => end(taken.length),
  };
}

test("while PostgreSQL has no free connections, calls are refused at once, with the reason", async () => {
  const connection = await cluster.makeDatabase();
  const crowd = await openCrowd(connection);
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  const { id } = await addSecret(place, teamId);
  await crowd.take(0);
  expect(await refusalOf(addSecret(place, teamId))).toBe("storage_unavailable");
  expect(await refusalOf(claim(place, { id, teamId }))).toBe("storage_unavailable");
  expect(await refusalOf(place.store.findSecret(teamId, id))).toBe("storage_unavailable");
  const [trouble] = await place.store.findTroubles();
  expect(trouble).toMatchObject({ code: "unreachable", isSerious: true });
  expect(trouble?.message).toContain("max_connections");
  const error = await openOver(connection, createTestClock()).catch((reason: unknown) => reason);
  expect(findRefusal(error)).toMatchObject({ mayPass: true });
  await crowd.leave();
  expect(await claim(place, { id, teamId })).toMatchObject({ kind: "claimed" });
  expect(await place.store.findTroubles()).toEqual([]);
  await place.store.close();
});

test("when fewer connections are free than the pool may open, the existing ones answer all calls", async () => {
  const connection = await cluster.makeDatabase();
  const crowd = await openCrowd(connection);
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  await crowd.take(3);
  // The first call may fail because its connection was closed.
  while ((await place.store.findTroubles()).length > 0);
  const made = await Promise.all(Array.from({ length: 40 }, () => addSecret(place, teamId)));
  const [claims, reads] = await Promise.all([
    Promise.all(made.map(({ id }) => claim(place, { id, teamId }))),
    Promise.all(made.map(({ id }) => place.store.findSecret(teamId, id))),
  ]);
  expect(claims.map((outcome) => outcome?.kind)).toEqual(made.map(() => "claimed"));
  expect(reads.map((secret) => secret?.id)).toEqual(made.map(({ id }) => id));
  await sweepAll(place);
  await crowd.leave();
  await place.store.close();
});
