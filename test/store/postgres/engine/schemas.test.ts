import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { FUNCTIONS } from "../../../../src/store/postgres/engine/tables.ts";
import { openOver, startPostgres } from "../../../support/postgres.ts";
import { addSecret, addTeam, claim } from "../../../support/stores.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());
await cluster.run("CREATE ROLE mallory LOGIN");

/** Creates a database of the user `name` in which another user may create schemas, with a connection for each. */
async function makeShared(name: string) {
  const made = await cluster.makeDatabase();
  await cluster.run(`CREATE ROLE ${name} LOGIN`);
  await cluster.run(`ALTER DATABASE ${made.database} OWNER TO ${name}`);
  await cluster.run(`GRANT CREATE ON DATABASE ${made.database} TO mallory`);
  const as = (username: string) => new SQL({ ...made, username, adapter: "postgres", max: 1 });
  const [own, mallory] = [as(name), as("mallory")];
  const close = async () => void (await Promise.all([own.close(), mallory.close()]));
  return { connection: { ...made, username: name }, own, mallory, [Symbol.asyncDispose]: close };
}

/** Returns the error message when a store is opened over a database. */
async function refusalIn(connection: Parameters<typeof openOver>[0]): Promise<string> {
  return openOver(connection, createTestClock()).then(
    async ({ store }) => {
      await store.close();
      return "opened";
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** Returns SQL that creates some of handoff's tables in the schema `name`. Its owner can read them. */
const SHADOW = (name: string, tables: readonly string[]) => `
  CREATE SCHEMA ${name};
  GRANT USAGE ON SCHEMA ${name} TO PUBLIC;
  ${tables.map((table) => `CREATE TABLE ${name}.${table} (LIKE public.${table} INCLUDING ALL); GRANT ALL ON ${name}.${table} TO PUBLIC`).join(";")}`;

test("an earlier schema with an object of handoff's name is refused, and named", async () => {
  await using shared = await makeShared("alice");
  const { connection, own, mallory } = shared;
  expect(await refusalIn(connection)).toBe("opened");
  await own.unsafe("GRANT SELECT ON ALL TABLES IN SCHEMA public TO mallory");
  await mallory.unsafe(SHADOW("alice", ["ciphertexts"])).simple();
  expect(await refusalIn(connection)).toBe(
    "the schema 'alice' of the user 'mallory' comes before 'public' in the search path, and has a table 'ciphertexts' of its own. Nothing was changed. Find out who made what, and drop what isn't handoff's, or say which schema is meant, such as: ALTER ROLE alice SET search_path = public",
  );
  await mallory.unsafe("DROP TABLE alice.ciphertexts");
  expect(await refusalIn(connection)).toBe("opened");
  await mallory.unsafe("CREATE FUNCTION alice.handoff_below(bigint, bigint) RETURNS bigint LANGUAGE sql RETURN 1");
  expect(await refusalIn(connection)).toContain("has a function 'handoff_below' of its own");
  await mallory.unsafe("DROP SCHEMA alice CASCADE");
  await mallory.unsafe(SHADOW("alice", ["migrations", "installations"])).simple();
  expect(await refusalIn(connection)).toMatch(
    /^the schemas 'alice' and 'public' both have the tables of handoff.* ALTER ROLE alice SET search_path = public$/,
  );
  await own.unsafe("ALTER ROLE alice SET search_path = public");
  expect(await refusalIn(connection)).toBe("opened");
});

test("a schema that is created while a server runs gets no rows, even from later connections", async () => {
  await using shared = await makeShared("bob");
  const { connection, own, mallory } = shared;
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  const first = await addSecret(place, teamId);
  await own.unsafe("GRANT SELECT ON ALL TABLES IN SCHEMA public TO mallory");
  await mallory.unsafe(SHADOW("bob", ["ciphertexts", "secrets", "teams", "clocks", "events"])).simple();
  const { pid: ownPid } = (await own.unsafe("SELECT pg_backend_pid() AS pid"))[0];
  const { pid: otherPid } = (await mallory.unsafe("SELECT pg_backend_pid() AS pid"))[0];
  await cluster.cutOff(({ pid, database }) => database === connection.database && ![ownPid, otherPid].includes(pid));
  const second = await addSecret(place, teamId);
  for (const { id } of [first, second]) expect(await claim(place, { id, teamId })).toMatchObject({ kind: "claimed" });
  expect(await mallory.unsafe("SELECT FROM bob.secrets UNION ALL SELECT FROM bob.events")).toBeEmpty();
  await place.store.close();
});

test("tables go to a configured schema, never to another user's that only has the user's name", async () => {
  await using shared = await makeShared("carol");
  const { connection, own, mallory } = shared;
  await mallory.unsafe("CREATE SCHEMA carol; GRANT ALL ON SCHEMA carol TO PUBLIC").simple();
  const refusal = await refusalIn(connection);
  expect(refusal).toStartWith(
    "the schema 'carol' belongs to the user 'mallory', and would be used only because it has the name of the user in the URL",
  );
  // Never the other user's schema.
  expect(refusal).toEndWith("such as: ALTER ROLE carol SET search_path = public");
  await own.unsafe("DROP SCHEMA public");
  expect(await refusalIn(connection)).toEndWith(
    "such as: CREATE SCHEMA handoff_own; ALTER ROLE carol SET search_path = handoff_own",
  );
  await own.unsafe(`CREATE SCHEMA "Odd ""one"; ALTER ROLE carol SET search_path = "Odd ""one"`).simple();
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  expect(await claim(place, await addSecret(place, teamId))).toMatchObject({ kind: "claimed" });
  await place.store.close();
  const schemas = await own.unsafe(
    "SELECT DISTINCT nspname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relname = 'ciphertexts'",
  );
  expect(schemas.map(({ name }: { name: string }) => name)).toEqual([`Odd "one`]);
});

test("every function resolves its own names, whatever the caller's search path", async () => {
  const connection = await cluster.makeDatabase();
  expect(await refusalIn(connection)).toBe("opened");
  await using beside = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const functions = await beside.unsafe(
    `SELECT proname AS name, prosecdef AS is_definer, prosqlbody IS NOT NULL OR 'search_path="public", pg_temp' = ANY (proconfig)
       OR prosrc LIKE '%IF value OPERATOR(pg_catalog.>=) bound THEN%' AS is_settled
     FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname`,
  );
  expect([...functions]).toEqual(FUNCTIONS.map((name) => ({ name, is_definer: false, is_settled: true })));
});
