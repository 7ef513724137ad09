import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { connectTo } from "../../../src/store/postgres/engine/database.ts";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { findRefusal } from "../../../src/store/postgres/engine/refusals.ts";
import { startPooler } from "../../support/poolers.ts";
import { openOver } from "../../support/postgres.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { addSecret, addTeam, claim, sweepAll } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const SETTINGS = { statement_timeout: 12_000, lock_timeout: 11_000, idle_in_transaction_session_timeout: 10_000 };
const NAMES = [...Object.keys(SETTINGS), "enable_seqscan", "jit"];
/** A pooler that refuses settings it doesn't know, and one that drops them silently. */
const KINDS = [[], [`ignore_startup_parameters = ${NAMES.join(",")}`]];

/** The settings of the connections for reads and transactions. */
async function settingsAt(options: ConnectionOptions) {
  const database = connectTo({ ...options, connection: SETTINGS });
  try {
    const question =
      "SELECT json_object_agg(name, setting)::text AS found FROM pg_settings WHERE name = ANY(string_to_array($1, ' '))";
    using connection = await database.hold();
    const answers = [
      ...(await connection.run(question, [NAMES.join(" ")])),
      ...(await database.read(question, [NAMES.join(" ")])),
    ];
    return answers.map(({ found }) => JSON.parse(String(found)));
  } finally {
    await database.close();
  }
}

test("behind a session pooler everything works, and connections have their time limits and settings", async () => {
  const direct = await cluster.makeDatabase();
  const expected = {
    ...Object.fromEntries(Object.entries(SETTINGS).map(([name, value]) => [name, String(value)])),
    enable_seqscan: "off",
    jit: "off",
  };
  expect(await settingsAt(direct)).toEqual([expected, expected]);
  for (const more of KINDS) {
    await using pooler = await startPooler(direct, "session", more);
    expect(await settingsAt(pooler.connection)).toEqual([expected, expected]);
    const [place, neighbour] = [
      await openOver(pooler.connection, createTestClock()),
      await openOver(direct, createTestClock()),
    ];
    const received = new Promise((resolve) => void place.store.subscribe(resolve));
    const teamId = await addTeam(place, `team ${more.length}`);
    const { id } = await addSecret(neighbour, teamId);
    expect(await received).toMatchObject({ type: "secret.created", secretId: id });
    expect(await claim(place, { id, teamId })).toMatchObject({ kind: "claimed" });
    await sweepAll(place);
    expect(await place.store.findTroubles()).toEqual([]);
    await Promise.all([place.store.close(), neighbour.store.close()]);
  }
}, 30_000);

test("an exhausted session pool is reported as such, and as temporary, for each message of the pooler", async () => {
  const direct = await cluster.makeDatabase();
  const ways = [
    ["default_pool_size = 1"],
    ["default_pool_size = 1", "query_wait_timeout = 1"],
    ["max_client_conn = 1"],
  ];
  for (const more of ways) {
    await using pooler = await startPooler(direct, "session", more);
    await using other = new SQL({ ...pooler.connection, adapter: "postgres", max: 1 });
    await other.unsafe("SELECT 1");
    const connection = { ...pooler.connection, connection: SETTINGS, answerSeconds: 3 };
    const refusal = findRefusal(await openOver(connection, createTestClock()).catch((reason: unknown) => reason));
    expect(refusal?.error.message).toStartWith("the pooler in between has no connection left");
    expect(refusal?.mayPass).toBeTrue();
  }
}, 60_000);

test("other refusals of a pooler say nothing about its mode", () => {
  const refusalOf = (message: string) =>
    findRefusal(new SQL.PostgresError(message, { code: "ERR_POSTGRES_SERVER_ERROR", errno: "08P01" }));
  const refused = refusalOf("server login has been failing, try again later");
  expect(refused?.error.message).toContain("(it says: server login has been failing, try again later)");
  expect(refused?.mayPass).toBeTrue();
  expect(refusalOf("unsupported startup parameter: jit")?.mayPass).toBeFalse();
});

test("a transaction pooler is reported, with the advice to use session mode", async () => {
  const direct = await cluster.makeDatabase();
  for (const more of KINDS) {
    await using pooler = await startPooler(direct, "transaction", more);
    const error = await openOver(pooler.connection, createTestClock()).catch((reason: unknown) => reason);
    expect(findRefusal(error)?.mayPass).toBeFalse();
    expect(findRefusal(error)?.error.message).toContain(
      "a pooler is in between that hands out connections by transaction",
    );
  }
}, 30_000);
