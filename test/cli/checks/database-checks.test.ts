import { expect, test } from "bun:test";
import { join } from "node:path";
import { SQL } from "bun";
import { checkDatabase } from "../../../src/cli/checks/database-checks.ts";
import { findPlace } from "../../../src/cli/server/storages/places.ts";
import { DatabaseUrl } from "../../../src/config/database-urls.ts";
import { startPooler } from "../../support/poolers.ts";
import { urlOf } from "../../support/postgres-urls.ts";
import { startPostgres } from "../../support/postgres.ts";
import type { PostgresCluster } from "../../support/postgres.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { runHere } from "../../support/terminals.ts";

/** Checks the database at `url`. Returns the findings by the name of the check, and the ID of the installation. */
async function check(url: string) {
  const settings = { dataDir: undefined, databaseUrlFile: undefined, databasePool: 6, databaseTimeout: 15 };
  const place = findPlace({ ...settings, database: new DatabaseUrl(url) }, {});
  if (place.kind !== "postgres") throw new Error("this is no PostgreSQL");
  const { findings, installation, lastBackupAt, teams } = await checkDatabase(place);
  return { installation, lastBackupAt, teams, found: Object.fromEntries(findings.map((each) => [each.check, each])) };
}

/** Makes a database with a team in it. Returns its URL, its name, and a function that runs an admin command on it. */
async function makeFilled(cluster: PostgresCluster) {
  const connection = await cluster.makeDatabase();
  const url = urlOf(connection);
  const admin = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await runHere(["admin", ...args], { HANDOFF_DATABASE_URL: url });
    if (exitCode !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  await admin("team", "create", "ops", "--yes");
  return { connection, url, name: url.replace(/^.*\//, ""), admin };
}

test("a sound PostgreSQL database passes every check, and its keys and webhooks are checked too", async () => {
  await using cluster = await startPostgres();
  const { connection, url, name, admin } = await makeFilled(cluster);
  const { found, installation, teams } = await check(url);
  expect(teams).toEqual([
    { id: expect.stringMatching(/^tea_/), name: "ops", requiresFor: false, approval: null, approvers: 0 },
  ]);
  expect(installation).toMatch(/^\w+/);
  expect(Object.values(found).map((each) => [each.check, each.level])).toEqual(
    [
      "database",
      "encryption",
      "durability",
      "connections",
      "time limits",
      "open transactions",
      "clock",
      "keys",
      "event log",
    ].map((each) => [each, "ok"]),
  );
  expect(found["database"]?.text).toMatch(/^'.+' is of this version of handoff, in PostgreSQL \d+\.\d+\.$/);
  expect(found["connections"]?.text).toMatch(/^\d+ of 97 connections are in use\.$/);

  expect((await check(url)).lastBackupAt).toBeNull();
  using folder = temporaryFolder();
  await admin("backup", join(folder.path, "new.backup"));
  expect((await check(url)).lastBackupAt).toBeGreaterThan(Date.now() - 60_000);

  await admin("key", "create", "--team", "ops", "--identity", "ci", "--scope", "all", "--expires", "10d");
  await admin("webhook", "create", "--team", "ops", "--url", "http://localhost:9/");
  const [{ id }] = JSON.parse(await admin("webhook", "list", "--json"));
  expect((await check(url)).found).toMatchObject({
    keys: { level: "warning", text: expect.stringContaining("A key ends within 30 days") },
    webhooks: { level: "ok" },
  });
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const [key] = await beside`UPDATE api_keys SET exposed_at = 1 RETURNING id`;
  expect((await check(url)).found["exposed key"]).toMatchObject({
    level: "warning",
    text: expect.stringContaining(`The key ${key.id} of 'ci' was sent in a query string`),
  });
  await beside`UPDATE api_keys SET revoked_at = 1`;
  expect((await check(url)).found["exposed key"]).toBeUndefined();
  await admin("webhook", "pause", id);
  expect((await check(url)).found["webhooks"]).toMatchObject({
    level: "warning",
    text: expect.stringContaining(`${id} is paused since`),
  });
  await cluster.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  expect((await check(url)).found["database"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("can only be read: it is a replica"),
  });
});

test("settings of PostgreSQL that can lose commits, and a shortage of connections, are reported", async () => {
  await using cluster = await startPostgres({
    fsync: "off",
    full_page_writes: "off",
    max_connections: "8",
    superuser_reserved_connections: "2",
  });
  const { url } = await makeFilled(cluster);
  const { found } = await check(url);
  expect(found["durability"]).toMatchObject({
    level: "failed",
    text: expect.stringContaining("because of fsync = off, full_page_writes = off. Turn that on in postgresql.conf"),
  });
  expect(found["connections"]).toMatchObject({
    level: "warning",
    text: expect.stringMatching(/^\d of 6 connections are in use\. Raise max_connections/),
  });
});

test("a session pooler passes, and a transaction pooler is reported", async () => {
  await using cluster = await startPostgres();
  const { name } = await makeFilled(cluster);
  const via = async (mode: "session" | "transaction") => {
    await using pooler = await startPooler({ path: cluster.socket, username: "handoff", database: name }, mode);
    const { found } = await check(`postgresql://handoff@127.0.0.1:${pooler.connection.port}/${name}`);
    return Object.values(found).map(({ check: of, level, text }) => (level === "ok" ? of : text));
  };
  expect(await via("session")).toContain("time limits");
  expect(await via("transaction")).toEqual([expect.stringContaining("hands out connections by transaction")]);
}, 30_000);

test("a database that can't be inspected is reported with the reason, and an empty one stays empty", async () => {
  await using cluster = await startPostgres();
  const url = urlOf(await cluster.makeDatabase());
  const reasonOf = async () => {
    const { found } = await check(url);
    return Object.values(found).map(({ level, text }) => `${level} ${text}`);
  };
  for (let round = 0; round < 2; round++) {
    expect(await reasonOf()).toEqual([expect.stringContaining("failed '" + url + "': the database has nothing of")]);
  }
  await cluster.crash();
  expect(await reasonOf()).toEqual([expect.stringContaining("PostgreSQL can't be reached")]);
});
