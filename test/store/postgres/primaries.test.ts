import { expect, test } from "bun:test";
import { connectTo } from "../../../src/store/postgres/engine/database.ts";
import type { ConnectionOptions } from "../../../src/store/postgres/engine/database.ts";
import { findRefusal } from "../../../src/store/postgres/engine/refusals.ts";
import { startPostgres } from "../../support/postgres.ts";

/** Much longer than the test may take. */
const CONNECT_SECONDS = 300;

/** Returns the result of a statement on one of several hosts, or the error without a usable one. */
async function answerOf(options: ConnectionOptions): Promise<string> {
  const database = connectTo({ ...options, connectionTimeout: CONNECT_SECONDS });
  try {
    const [row] = await database.read("SELECT current_user::text AS name");
    return (row as { name: string }).name;
  } catch (error) {
    return findRefusal(error)?.error.message ?? String(error);
  } finally {
    await database.close();
  }
}

test("when all hosts refuse, connecting fails at once, unless it waits for one that accepts writes", async () => {
  await using cluster = await startPostgres();
  const made = await cluster.makeDatabase();
  const { path = "" } = made;
  const options = { ...made, hosts: [{ path: `${path}.none` }, { path }, { hostname: "127.0.0.1", port: 1 }] };
  expect(await answerOf(options)).toBe("handoff");
  await cluster.crash();
  expect(await answerOf(options)).toStartWith("PostgreSQL can't be reached.");
  const waiting = answerOf({ ...options, waitsForPrimary: true });
  await cluster.start();
  expect(await waiting).toBe("handoff");
  // Existing connections count too.
  const setReadOnly = async (value: "on" | "off") => {
    await cluster.run(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await cluster.run("SELECT pg_reload_conf()");
  };
  await setReadOnly("on");
  while ((await answerOf(options)) === "handoff");
  expect(await answerOf(options)).toStartWith("the database can only be read");
  const promoted = answerOf({ ...options, waitsForPrimary: true });
  await setReadOnly("off");
  expect(await promoted).toBe("handoff");
});
