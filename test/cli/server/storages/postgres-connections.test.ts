import { afterAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPlace } from "../../../../src/cli/server/storages/places.ts";
import { explainRefusal } from "../../../../src/cli/server/storages/postgres-refusals.ts";
import { DatabaseUrl } from "../../../../src/config/database-urls.ts";
import { connectTo } from "../../../../src/store/postgres/engine/database.ts";
import { findRefusal } from "../../../../src/store/postgres/engine/refusals.ts";
import { startCertifiedPostgres } from "../../../support/postgres-certificates.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

const postgres = await startCertifiedPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());
const { port, ca, otherCa, cert, key } = postgres;

const POOL = { databasePool: 6, databaseTimeout: 15, dataDir: undefined, databaseUrlFile: undefined };
const placeOf = (url: string) => findPlace({ ...POOL, database: new DatabaseUrl(url) }, {});

/** How a connection by this URL is served, or why there is none. */
async function outcomeOf(url: string): Promise<string> {
  const place = placeOf(url);
  if (place.kind !== "postgres") throw new Error("this is no PostgreSQL");
  const database = connectTo({ ...place.connection, max: 1 });
  try {
    const [row] = await database.read(
      "SELECT ssl, coalesce(client_dn, '') AS name FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
    );
    const { ssl, name } = row as { ssl: boolean; name: string };
    return ssl ? `encrypted ${name}`.trim() : "plain";
  } catch (error) {
    const refusal = findRefusal(error);
    if (!refusal) throw error;
    return refusal.mayPass ? `for now: ${refusal.error.message}` : refusal.error.message;
  } finally {
    await database.close();
  }
}

const UNTRUSTED =
  "nobody that is trusted here vouches for the certificate of PostgreSQL. Name its CA with sslrootcert in the URL";
const OTHER_HOST =
  "the certificate of PostgreSQL is for another host. Name the host in the URL as the certificate does";
const NO_TLS = "PostgreSQL has no TLS, which sslmode in the URL asks for. Turn on ssl in postgresql.conf";

/**
 * The parameters of a URL, the host in it, and what becomes of a connection where PostgreSQL has TLS, and where it
 * hasn't.
 */
const CASES: readonly (readonly [parameters: string, host: string, withTls: string, without: string])[] = [
  ["", "localhost", "encrypted", "plain"],
  ["sslmode=disable", "localhost", "plain", "plain"],
  [`sslmode=disable&sslrootcert=${otherCa}`, "localhost", "plain", "plain"],
  ["sslmode=allow", "localhost", "encrypted", "plain"],
  ["sslmode=prefer", "localhost", "encrypted", "plain"],
  ["sslmode=require", "127.0.0.1", "encrypted", NO_TLS],
  ["sslmode=verify-ca", "localhost", UNTRUSTED, NO_TLS],
  ["sslmode=verify-full", "localhost", UNTRUSTED, NO_TLS],
  ["sslrootcert=system", "localhost", UNTRUSTED, NO_TLS],
  [`sslmode=verify-full&sslrootcert=${ca}`, "localhost", "encrypted", NO_TLS],
  [`sslmode=verify-full&sslrootcert=${ca}`, "127.0.0.1", OTHER_HOST, NO_TLS],
  [`sslmode=verify-full&sslrootcert=${otherCa}`, "localhost", UNTRUSTED, NO_TLS],
  [`sslmode=verify-ca&sslrootcert=${ca}`, "127.0.0.1", "encrypted", NO_TLS],
  [`sslmode=verify-ca&sslrootcert=${otherCa}`, "localhost", UNTRUSTED, NO_TLS],
  // With a CA it is looked at in every mode, as libpq does.
  [`sslmode=require&sslrootcert=${ca}`, "127.0.0.1", "encrypted", NO_TLS],
  [`sslmode=require&sslrootcert=${otherCa}`, "localhost", UNTRUSTED, NO_TLS],
  [`sslrootcert=${otherCa}`, "localhost", UNTRUSTED, NO_TLS],
  [`sslmode=require&sslcert=${cert}&sslkey=${key}`, "localhost", "encrypted /CN=handoff", NO_TLS],
  [`sslmode=verify-full&sslrootcert=${ca}&sslcert=${cert}&sslkey=${key}`, "localhost", "encrypted /CN=handoff", NO_TLS],
];

test("every sslmode asks of PostgreSQL's certificate what libpq does, and never goes on without TLS that it asks for", async () => {
  const { database } = await postgres.cluster.makeDatabase();
  await postgres.setRules(["host all all 127.0.0.1/32 trust"]);
  for (const isOn of [true, false]) {
    await postgres.setTls(isOn);
    for (const [parameters, host, withTls, without] of CASES) {
      const outcome = await outcomeOf(`postgresql://handoff@${host}:${port}/${database}?${parameters}`);
      expect({ parameters, host, isOn, outcome }).toEqual({
        parameters,
        host,
        isOn,
        outcome: isOn ? withTls : without,
      });
    }
  }
});

test("who has to show a certificate, has to use TLS or has a wrong password is told that PostgreSQL lets nobody in so", async () => {
  const { database } = await postgres.cluster.makeDatabase();
  await postgres.setTls(true);
  const ways = (parameters: string, user = "handoff") =>
    outcomeOf(`postgresql://${user}@localhost:${port}/${database}?${parameters}`);
  const turnedAway =
    "PostgreSQL doesn't let this user in from here. Check user and sslmode in the URL, and pg_hba.conf";
  await postgres.setRules(["hostssl all all 127.0.0.1/32 cert"]);
  expect(await ways(`sslrootcert=${ca}&sslcert=${cert}&sslkey=${key}`)).toBe("encrypted /CN=handoff");
  expect(await ways(`sslrootcert=${ca}`)).toBe(turnedAway);
  expect(await ways("sslmode=disable")).toBe(turnedAway);
  await postgres.setRules(["host all all 127.0.0.1/32 scram-sha-256"]);
  const noPassword = "PostgreSQL doesn't take the password. Check it in the URL";
  expect(await ways("", "handoff:wrong")).toBe(noPassword);
  expect(await ways("")).toBe(noPassword);
});

/** Sets variables of this process, which the driver reads, until it is disposed of. */
function withVariables(variables: Readonly<Record<string, string>>): Disposable {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}

/** The user and the database of a connection, or the sentence for why there is none. */
async function whoAt(url: string): Promise<string> {
  const place = findPlace({ ...POOL, database: new DatabaseUrl(url) }, process.env);
  if (place.kind !== "postgres") throw new Error("this is no PostgreSQL");
  const database = connectTo({ ...place.connection, max: 1 });
  try {
    const [row] = await database.read("SELECT current_user || ' in ' || current_database() AS who");
    return (row as { who: string }).who;
  } catch (error) {
    return (explainRefusal(error, place) as Error).message;
  } finally {
    await database.close();
  }
}

test("channel_binding is obeyed: a password counts for one TLS connection, or there is none", async () => {
  const { setRules, setTls, cluster } = postgres;
  await setTls(true);
  await cluster.run("ALTER ROLE handoff PASSWORD 'fake-local-test-only'");
  const via = (parameters: string) =>
    outcomeOf(`postgresql://handoff:fake-local-test-only@localhost:${port}/postgres?${parameters}`);
  const NOT_BOUND =
    "PostgreSQL doesn't bind the password to the TLS connection, which channel_binding in the URL asks for";
  await setRules(["host all all 127.0.0.1/32 scram-sha-256"]);
  for (const binding of ["disable", "prefer", "require"]) {
    expect(await via(`sslmode=verify-full&sslrootcert=${ca}&channel_binding=${binding}`)).toBe("encrypted");
  }
  expect(await via("sslmode=disable&channel_binding=require")).toStartWith(NOT_BOUND);
  await setRules(["host all all 127.0.0.1/32 trust"]);
  expect(await via(`sslrootcert=${ca}&channel_binding=require`)).toStartWith(NOT_BOUND);
  expect(() => placeOf("postgresql://localhost/x?channel_binding=always")).toThrow(
    "has a channel_binding that there isn't: give one of disable, prefer, require",
  );
});

test("PGPASSWORD counts when a URL has no password, and no other variable of PostgreSQL's or the driver's does", async () => {
  const { database } = await postgres.cluster.makeDatabase();
  await postgres.setTls(false);
  await postgres.setRules(["host all all 127.0.0.1/32 scram-sha-256"]);
  await postgres.cluster.run("CREATE ROLE keeper LOGIN PASSWORD 'fake-local-test-only'");
  const place = `localhost:${port}/${database}`;
  const [bare, whole] = [`postgresql://keeper@${place}`, `postgresql://keeper:fake-local-test-only@${place}`];
  const own = `keeper in ${database}`;
  const elsewhere = "postgres://handoff:fake-local-test-only@127.0.0.1:1/other?search_path=other";
  using _ = withVariables({
    ...Object.fromEntries(["DATABASE_URL", "POSTGRES_URL", "PGURL", "PG_URL"].map((name) => [name, elsewhere])),
    PGHOST: "127.0.0.2",
    PGPORT: "1",
    PGUSER: "other",
    PGUSERNAME: "other",
    PGDATABASE: "other",
    PGPASSWORD: "",
  });
  expect(await whoAt(whole)).toBe(own);
  expect(await whoAt(bare)).toBe(
    `'${bare}': PostgreSQL asks for a password, and the URL has none. Write it into the URL, in a file or variable.`,
  );
  process.env["PGPASSWORD"] = "fake-local-test-only";
  expect(await whoAt(bare)).toBe(own);
  process.env["PGPASSWORD"] = "wrong";
  expect(await whoAt(whole)).toBe(own);
  expect(await whoAt(bare)).toBe(
    `'${bare}': PostgreSQL doesn't take the password in PGPASSWORD, which counts because the URL has none. Check it there.`,
  );
  expect(await whoAt(whole.replace("only", "wrong"))).toBe(
    `'${bare}': PostgreSQL doesn't take the password. Check it in the URL.`,
  );
});

test("a URL that can't be used is refused with what is wrong about it, and never shows its password", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "file");
  writeFileSync(path, "nonsense");
  const WRONG: readonly (readonly [parameters: string, says: string])[] = [
    ["sslmode=never", "sslmode that there isn't: give one of disable, allow, prefer"],
    [
      "sslcrl=x",
      "the parameter 'sslcrl', which isn't known here. Known are user, password, host, port, dbname, sslmode,",
    ],
    ["zsecret=x", "a parameter that isn't known here. Known are user, password, host, port, dbname, sslmode,"],
    ...["soon", "0", "601", "1e2", "99999999999999999999"].map(
      (value) => [`connect_timeout=${value}`, "connect_timeout that isn't a number of seconds from 1 to 600"] as const,
    ),
    ["application_name=%00", "Leave the NUL (%00) out of it: PostgreSQL takes none"],
    ["sslrootcert=/dev/zero", "there are more than 1024 KiB"],
    ["application_name=a;secret", "write @ as %40"],
    ["port=70000", "a port that there isn't"],
    [`sslcert=${cert}`, "sslcert and sslkey: they belong together"],
    [`sslrootcert=${folder.path}/none`, `in '${folder.path}/none': there is no such file`],
    [`sslrootcert=${path}`, "isn't a certificate or key in PEM"],
    [`sslcert=${cert}&sslkey=${path}`, "isn't a certificate or key in PEM"],
  ];
  for (const [parameters, says] of WRONG) {
    const place = () => placeOf(`postgresql://handoff:secret@localhost/x?${parameters}`);
    expect(place).toThrow(says);
    expect(place).not.toThrow("secret");
  }
  writeFileSync(path, "postgresql://handoff:se/cret@localhost/x\n");
  chmodSync(path, 0o600);
  const ofFile = () => findPlace({ ...POOL, database: undefined, databaseUrlFile: path }, {});
  expect(ofFile).toThrow("the URL of the database can't be read: expected one such as postgresql://");
  expect(ofFile).not.toThrow("cret");
  writeFileSync(path, "postgresql://handoff:secret@localhost/x\n");
  expect(ofFile()).toMatchObject({ name: "postgresql://handoff@localhost/x", connection: { password: "secret" } });
});
