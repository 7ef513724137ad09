import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { startPostgresProxy } from "../../support/postgres-proxies.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { refusalOf } from "../../support/secrets.ts";
import { addSecret, addTeam, claim } from "../../support/stores.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

/** Opens a store, with a secret, over a new database that belongs to the user `name`. */
async function openAs(name: string) {
  const made = await cluster.makeDatabase();
  await cluster.run(`CREATE ROLE ${name} LOGIN PASSWORD 'first'`);
  await cluster.run(`ALTER DATABASE ${made.database} OWNER TO ${name}`);
  const connection = { ...made, username: name, password: "first" };
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  const { id } = await addSecret(place, teamId);
  return { connection, place, teamId, id };
}

/** Closes all connections to a database. */
const cutOff = (database: ConnectionOptions["database"]) =>
  cluster.cutOff((connection) => connection.database === database);

/** Resolves once `store` has exactly the troubles whose messages contain these texts. */
async function untilTroubles({ store }: WorkingStore, ...says: readonly string[]): Promise<void> {
  for (;;) {
    const found = await store.findTroubles();
    if (found.length === says.length && found.every(({ message }, index) => message.includes(says[index] ?? ""))) {
      expect(found.every(({ isSerious }) => isSerious)).toBeTrue();
      return;
    }
    await Bun.sleep(10);
  }
}

async function expectRefused({ place, teamId, id }: { place: WorkingStore; teamId: string; id: string }) {
  expect(await refusalOf(addSecret(place, teamId))).toBe("storage_unavailable");
  expect(await refusalOf(claim(place, { id, teamId }))).toBe("storage_unavailable");
  expect(await refusalOf(place.store.findSecret(teamId, id))).toBe("storage_unavailable");
}

async function expectClaimed({ place, teamId, id }: { place: WorkingStore; teamId: string; id: string }) {
  expect(await claim(place, { id, teamId })).toMatchObject({ kind: "claimed" });
  await place.store.close();
}

const REPLACED = "not the one that this server was started on";

test("a dropped database is reported, its replacement isn't used, and the same one is used again", async () => {
  const opened = await openAs("dropped");
  const { connection, place } = opened;
  const { database } = connection;
  // A database of its own: open connections would prevent renaming it.
  const rename = async (from: string, to: string) => {
    for (;;) {
      await cluster.run(`ALTER DATABASE ${from} ALLOW_CONNECTIONS false`);
      await cutOff(from);
      const renamed = await cluster.run(`ALTER DATABASE ${from} RENAME TO ${to}`).catch(() => undefined);
      await cluster.run(`ALTER DATABASE ${renamed ? to : from} ALLOW_CONNECTIONS true`);
      if (renamed) return;
    }
  };
  await rename(`${database}`, "former");
  await untilTroubles(place, "has no database of this name any more");
  await expectRefused(opened);
  await cluster.run(`CREATE DATABASE ${database} OWNER dropped`);
  await untilTroubles(place, REPLACED);
  await expectRefused(opened);
  const other = await openOver(connection, createTestClock());
  await untilTroubles(place, REPLACED);
  await expectRefused(opened);
  expect(await other.store.listTeams()).toEqual([]);
  await other.store.close();
  await rename(`${database}`, "other");
  await rename("former", `${database}`);
  await untilTroubles(place);
  await expectClaimed(opened);
}, 30_000);

test("a revoked login or changed password is reported, and work resumes once the login is valid again", async () => {
  const hba = join(dirname(cluster.socket), "pg_hba.conf");
  writeFileSync(hba, `local all careless scram-sha-256\n${readFileSync(hba, "utf8")}`);
  await cluster.run("SELECT pg_reload_conf()");
  const opened = await openAs("careless");
  const { connection, place } = opened;
  const changes = [
    ["NOLOGIN", "LOGIN", "doesn't let the user of this server in any more"],
    ["PASSWORD 'second'", "PASSWORD 'first'", "doesn't accept the password of this server any more"],
  ];
  for (const [change, back, says = ""] of changes) {
    await cluster.run(`ALTER ROLE careless ${change}`);
    await cutOff(connection.database);
    await untilTroubles(place, says);
    await expectRefused(opened);
    await cluster.run(`ALTER ROLE careless ${back}`);
    await untilTroubles(place);
  }
  await expectClaimed(opened);
}, 30_000);

test("a right or table that is removed while the server runs is named once a call has failed", async () => {
  const opened = await openAs("lesser");
  const { connection, place } = opened;
  await using beside = new SQL({ ...connection, username: "handoff", adapter: "postgres", max: 1 });
  await beside.unsafe("REVOKE ALL ON secrets FROM lesser");
  await expectRefused(opened);
  await untilTroubles(place, "lacks the right SELECT on the table 'secrets'");
  await beside.unsafe("GRANT ALL ON secrets TO lesser");
  await untilTroubles(place);
  await beside.unsafe("ALTER TABLE secrets RENAME TO mislaid");
  await expectRefused(opened);
  await untilTroubles(place, "The table 'secrets' is missing");
  await beside.unsafe("ALTER TABLE mislaid RENAME TO secrets");
  await untilTroubles(place);
  await expectClaimed(opened);
});

test("a missing synchronous replica is reported for as long as a write waits for it", async () => {
  await using own = await startPostgres();
  const connection = { ...(await own.makeDatabase()), answerSeconds: 3 };
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  await own.run("ALTER SYSTEM SET synchronous_standby_names = 'ghost'");
  await own.run("SELECT pg_reload_conf()");
  // PostgreSQL takes the setting over after it has answered, and commits what comes earlier.
  const firstRefusal = async () => {
    for (;;) {
      const refusal = await refusalOf(addSecret(place, teamId));
      if (refusal !== undefined) return refusal;
    }
  };
  const refused = firstRefusal();
  await untilTroubles(place, "No synchronous replica confirms what is written");
  expect(await refused).toBe("storage_unavailable");
  await untilTroubles(place, "No synchronous replica confirms what is written");
  await own.run("ALTER SYSTEM RESET synchronous_standby_names");
  await own.run("SELECT pg_reload_conf()");
  await untilTroubles(place);
  await addSecret(place, teamId);
  await place.store.close();
}, 30_000);

test("a PostgreSQL that lets nobody in now is reported, and seldom asked again", async () => {
  await using own = await startPostgres();
  const connection = await own.makeDatabase();
  await using proxy = await startPostgresProxy(connection);
  const place = await openOver(proxy.connection, createTestClock());
  const teamId = await addTeam(place);
  const [pid = ""] = readFileSync(join(dirname(own.socket), "postmaster.pid"), "utf8").split("\n");
  // A smart shutdown waits for the sessions that there are, such as that of `own`, and admits no other.
  process.kill(Number(pid), "SIGTERM");
  await own.cutOff(({ database }) => database === connection.database);
  await untilTroubles(place, "PostgreSQL starts, recovers or shuts down, and lets nobody in.");
  const before = proxy.connections();
  for (let call = 0; call < 200; call += 1) {
    expect(await refusalOf(addSecret(place, teamId))).toBe("storage_unavailable");
    expect(await refusalOf(place.store.findSecret(teamId, "none"))).toBe("storage_unavailable");
  }
  expect(proxy.connections() - before).toBeLessThan(100);
  await place.store.close();
}, 30_000);

test("what was answered is on the disk, though PostgreSQL is set to answer earlier", async () => {
  await using own = await startPostgres({ synchronous_commit: "off", wal_writer_delay: "10s" });
  const connection = await own.makeDatabase();
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  const { id } = await addSecret(place, teamId);
  await own.crash();
  await own.start();
  await untilTroubles(place);
  expect(await place.store.findSecret(teamId, id)).toMatchObject({ id });
  await place.store.close();
}, 30_000);

test("a lock that writes wait for is reported until it is released", async () => {
  const opened = await openAs("patient");
  const { connection, place, teamId } = opened;
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  await beside.unsafe("BEGIN; LOCK TABLE clocks IN EXCLUSIVE MODE").simple();
  const adding = addSecret(place, teamId);
  await untilTroubles(place, "Another session holds locks in the database");
  await beside.unsafe("ROLLBACK");
  await adding;
  await untilTroubles(place);
  await expectClaimed(opened);
}, 30_000);

test("a proxy that closes every connection is reported as unreachable, not as slow", async () => {
  const connection = { ...(await cluster.makeDatabase()), connectionTimeout: 4 };
  await using proxy = await startPostgresProxy(connection);
  const place = await openOver(proxy.connection, createTestClock());
  proxy.refuse();
  // Repeat until the health query hits the driver's retries: the driver tries to connect until its timeout.
  for (let waitedMs = 0; waitedMs < 1000;) {
    const start = performance.now();
    const troubles = await place.store.findTroubles();
    expect(troubles.map(({ message }) => message.slice(0, 28))).toEqual(["PostgreSQL can't be reached."]);
    waitedMs = performance.now() - start;
  }
  proxy.passAll();
  await untilTroubles(place);
  await place.store.close();
}, 30_000);
