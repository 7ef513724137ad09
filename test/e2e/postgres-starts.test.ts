import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { SQL } from "bun";
import { apiOf, jsonOf, runExecutable } from "../support/executions.ts";
import { manualBlock } from "../support/manual.ts";
import { urlOf } from "../support/postgres-urls.ts";
import { startPostgres } from "../support/postgres.ts";
import { startProgram } from "../support/running.ts";
import type { RunningProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const serve = (url: string) => startProgram(["serve", "--listen", "127.0.0.1:0", "--database", url]);
const statusOf = async (url: string) => (await fetch(url)).status;

/** The log without the lines of calls and those about the machine of the test. */
function messagesOf({ stderr }: RunningProgram): string[] {
  const lines: readonly { msg: string }[] = stderr()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines.map(({ msg }) => msg).filter((msg) => msg !== "request" && !msg.startsWith("running as root"));
}

const WAITING = "waiting for the database";
const UNREACHABLE =
  "PostgreSQL can't be reached. Nothing is created or handed out until it can; then the server goes on by itself.";
const OVER = "this trouble of the storage is over";

test("a server without its PostgreSQL listens, refuses calls that need it, and goes on when it is back", async () => {
  const url = urlOf(await cluster.makeDatabase());
  const run = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await runExecutable(["admin", ...args, "--database", url]);
    if (exitCode !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  await run("team", "create", "ops");
  const key = await run("key", "create", "--team", "ops", "--identity", "ci", "--scope", "all");
  await cluster.crash();
  await using server = await serve(url);
  const api = apiOf(server.url, key);
  expect(await jsonOf(fetch(`${server.url}/health/live`))).toMatchObject({ status: "live", installation: null });
  const ready = await fetch(`${server.url}/health/ready`);
  expect({ status: ready.status, body: await ready.json() }).toEqual({
    status: 503,
    body: { status: "storage_unavailable", troubles: [{ code: "unreachable", message: UNREACHABLE }] },
  });
  for (const refused of await Promise.all([api.create("x"), api.claim("sec_x"), api.find("sec_x")])) {
    const { code, detail } = await jsonOf(refused);
    expect({ status: refused.status, code, retry: refused.headers.get("retry-after") !== null }).toEqual({
      status: 503,
      code: "storage_unavailable",
      retry: true,
    });
    expect(detail).toStartWith("Nothing was stored or handed out.");
  }
  const admin = await runExecutable(["admin", "team", "list", "--database", url]);
  expect(admin).toMatchObject({ exitCode: 1, stdout: "" });
  expect(admin.stderr).toBe(
    `handoff: '${url}': PostgreSQL can't be reached. Check the host and port in the URL, and whether it runs.\n`,
  );

  await cluster.start();
  while ((await statusOf(`${server.url}/health/ready`)) !== 200);
  expect((await api.create("x")).status).toBe(201);
  // Calls may be answered before this is read.
  const isKnown = async () => (await jsonOf(fetch(`${server.url}/health/live`))).installation !== null;
  while (!(await isKnown()) || !server.stderr().includes(OVER));
  expect((await jsonOf(fetch(`${server.url}/health/live`))).installation).toMatch(/^\w/);
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  // One line for each event, and none for the refused calls.
  const told = [WAITING, UNREACHABLE, "listening", "the database is there", OVER, "stopping", "stopped"];
  expect(messagesOf(server).toSorted()).toEqual(told.toSorted());
});

test("a server whose PostgreSQL does not answer listens, waits, and stops on a signal", async () => {
  const url = urlOf(await cluster.makeDatabase());
  cluster.freeze();
  try {
    await using impatient = await serve(url);
    expect(await statusOf(`${impatient.url}/health/live`)).toBe(200);
    expect(await statusOf(`${impatient.url}/health/ready`)).toBe(503);
    expect(impatient.stderr()).toContain("PostgreSQL has not answered yet");
    impatient.kill("SIGTERM");
    expect(await impatient.exited).toBe(0);
    await using patient = await serve(url);
    cluster.thaw();
    while ((await statusOf(`${patient.url}/health/ready`)) !== 200);
  } finally {
    cluster.thaw();
  }
}, 30_000);

test("a waiting server ends with the reason once waiting can't help", async () => {
  const url = urlOf(await cluster.makeDatabase()).replace(/[^/]+$/, "nowhere");
  await cluster.crash();
  await using server = await serve(url);
  await cluster.start();
  expect(await server.exited).toBe(1);
  expect(server.stderr()).toContain(
    `handoff: '${url}': there is no database of this name in PostgreSQL. Make it with: createdb.\n`,
  );
});

/** Unusable databases, with the message of server and admin commands for each. */
const UNUSABLE: readonly (readonly [make: () => Promise<string>, says: RegExp])[] = [
  [
    async () => urlOf(await cluster.makeDatabase()).replace(/[^/]+$/, "nowhere"),
    /there is no database of this name in PostgreSQL\. Make it with: createdb\./,
  ],
  [
    async () => {
      await cluster.run("CREATE DATABASE ascii ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
      return urlOf(await cluster.makeDatabase()).replace(/[^/]+$/, "ascii");
    },
    /has the encoding SQL_ASCII, and UTF8 is needed\. Make another one with: createdb --encoding=UTF8/,
  ],
  [
    async () => {
      await cluster.run("CREATE ROLE nobody LOGIN");
      return urlOf(await cluster.makeDatabase()).replace("//handoff@", "//nobody@");
    },
    /the user in the URL may not do that \(PostgreSQL says: permission denied for schema public\)\. Make it the owner of the database/,
  ],
  [
    () => makeChanged(true, "INSERT INTO migrations (version) VALUES (1000)"),
    /was written by a newer version of handoff\. Use that version, or a newer one\. Nothing was changed/,
  ],
  [
    () => makeChanged(false, "CREATE TABLE migrations (id integer, migration text)"),
    /is not empty: it has the table 'migrations' of something else\. Nothing was changed\. Name an empty database/,
  ],
  [
    () => makeChanged(false, "CREATE VIEW customers AS SELECT 1 AS id"),
    /is not empty: it has the table 'customers' of/,
  ],
  [() => makeChanged(false, "DROP SCHEMA public"), /has no schema for tables: .* CREATE SCHEMA public/],
  [() => makeChanged(true, "DROP TABLE halves"), /the table 'halves' is missing, .* Restore a backup into an empty/],
  [() => makeChanged(true, "DROP TABLE admin_log"), /the table 'admin_log' is missing/],
  [() => makeChanged(true, "DELETE FROM clocks"), /the table 'clocks' is empty, .* Restore a backup into an empty/],
  [
    () => makeChanged(true, "ALTER TABLE migrations RENAME COLUMN version TO number"),
    /PostgreSQL refuses a statement \(42703: .*\)\. Look whether something was changed in the database by hand/,
  ],
];

/** The URL of a database after a change, with tables of ours or without. */
async function makeChanged(isOurs: boolean, change: string): Promise<string> {
  const made = await cluster.makeDatabase();
  const url = urlOf(made);
  if (isOurs)
    expect(await runExecutable(["admin", "team", "create", "first", "--database", url])).toMatchObject({ exitCode: 0 });
  await using sql = new SQL({ ...made, adapter: "postgres" });
  await sql.unsafe(change);
  return url;
}

test("a server whose user lacks a right on a table does not start, and the manual's grants are enough", async () => {
  const url = await makeChanged(
    true,
    `CREATE ROLE lesser LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO lesser`,
  );
  const lesser = url.replace("//handoff@", "//lesser@");
  const says =
    "the user in the URL lacks the right TRUNCATE on the table 'ciphertexts_0'. Grant it as 'handoff help postgresql' says, or let the server use the user whom the tables belong to.";
  const server = await runExecutable(["serve", "--listen", "127.0.0.1:0", "--database", lesser]);
  expect(server).toMatchObject({ exitCode: 1 });
  expect(server.stderr).toContain(says);
  const check = await runExecutable(["admin", "check", "--database", lesser]);
  expect(check.stdout + check.stderr).toContain(says);
  expect(check.exitCode).toBe(1);
  // The user has the rights for admin commands.
  expect(await runExecutable(["admin", "team", "list", "--database", lesser])).toMatchObject({ exitCode: 0 });
  const grants = manualBlock("postgresql", "GRANT", "sql");
  {
    await using sql = new SQL(url);
    await sql.unsafe("DROP OWNED BY lesser; CREATE ROLE handoff_server LOGIN").simple();
    await sql.unsafe(grants).simple();
  }
  const granted = url.replace("//handoff@", "//handoff_server@");
  const args = ["admin", "key", "create", "--team", "first", "--identity", "ci", "--scope", "all"];
  const { stdout: key } = await runExecutable([...args, "--database", granted]);
  await using running = await serve(granted);
  const api = apiOf(running.url, key.trim());
  const { id } = await jsonOf(api.create("x"));
  expect((await api.claim(id)).status).toBe(200);
  await using sql = new SQL(url);
  const sizes = async () => {
    const [row] = await sql.unsafe("SELECT pg_relation_size('ciphertexts_0')::int AS bytes, filled FROM halves");
    return row;
  };
  // It can also give the space of claimed ciphertexts back to the disk.
  while ((await sizes()).filled === 0 || (await sizes()).bytes > 0) await fetch(`${running.url}/health/live`);
  expect(running.stderr()).not.toContain("failed");
  expect((await runExecutable(["admin", "check", "--database", granted])).stdout).not.toContain("lacks");
});

test("tables are created in whichever schema comes first, and no foreign table is taken for one of ours", async () => {
  const url = await makeChanged(
    false,
    "CREATE SCHEMA handoff AUTHORIZATION handoff; CREATE TABLE public.teams (id integer)",
  );
  expect(await runExecutable(["admin", "team", "create", "ops", "--database", url])).toMatchObject({ exitCode: 0 });
  await using server = await serve(url);
  expect(await statusOf(`${server.url}/health/ready`)).toBe(200);
  expect((await runExecutable(["admin", "team", "list", "--database", url])).stdout).toContain("ops");
});

test("a server and admin commands refuse an unusable database with the fault and its remedy", async () => {
  for (const [make, says] of UNUSABLE) {
    const url = await make();
    for (const args of [
      ["serve", "--listen", "127.0.0.1:0", "--log-level", "silent"],
      ["admin", "team", "create", "ops", "--yes"],
    ]) {
      const { exitCode, stdout, stderr } = await runExecutable([...args, "--database", url]);
      expect({ url, args, exitCode, stdout }).toEqual({ url, args, exitCode: 1, stdout: "" });
      expect(stderr).toMatch(says);
      expect(stderr).toStartWith(`handoff: '${url}': `);
      expect(stderr.trimEnd().split("\n").length).toBe(1);
    }
  }
});

test("a reading admin command creates nothing in an empty database, and waits for a read-only one", async () => {
  const url = urlOf(await cluster.makeDatabase());
  const refused = await runExecutable(["admin", "team", "list", "--database", url]);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("the database has nothing of handoff in it. Check its name in the URL");
  const name = url.replace(/^.*\//, "");
  await cluster.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await using server = await serve(url);
  expect(server.stderr()).toContain("the database can only be read: it is a replica");
  await cluster.run(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  await cluster.cutOff(({ database }) => database === name);
  while ((await statusOf(`${server.url}/health/ready`)) !== 200);
});

test("the password in the URL is in no log, answer, message or output, whatever fails", async () => {
  const made = urlOf(await cluster.makeDatabase());
  const password = "fake%2Dlocal%2Dtest%2Donly";
  const url = made.replace("//handoff@", `//handoff:${password}@`);
  const env = { HANDOFF_DATABASE_URL: url };
  const said: string[] = [];
  const run = async (args: readonly string[], exitCode: number, own: Record<string, string> = env) => {
    const outcome = await runExecutable(args, own);
    expect({ args, exitCode: outcome.exitCode }).toEqual({ args, exitCode });
    said.push(outcome.stdout, outcome.stderr);
    return outcome;
  };
  const team = await run(["admin", "team", "create", "ops", "--json"], 0);
  expect(JSON.parse(team.stdout).database).toBe(made);
  expect((await run(["config"], 0)).stdout).toContain(`database = "${made}" `);
  await run(["admin", "check"], 1);
  await run(["admin", "team", "list", "--database", url], 2, {});
  {
    await using server = await startProgram(["serve", "--listen", "127.0.0.1:0"], env);
    await cluster.crash();
    said.push(await (await fetch(`${server.url}/health/ready`)).text());
    await run(["admin", "team", "list"], 1);
    await using waiting = await startProgram(["serve", "--listen", "127.0.0.1:0"], env);
    said.push(await (await fetch(`${waiting.url}/health/ready`)).text());
    await cluster.start();
    for (const each of [server, waiting]) {
      while ((await statusOf(`${each.url}/health/ready`)) !== 200);
      said.push(each.stderr());
    }
  }
  await run(["serve", "--listen", "127.0.0.1:0"], 1, { HANDOFF_DATABASE_URL: url.replace(/[^/]+$/, "nowhere") });
  await run(["serve", "--check"], 2, { HANDOFF_DATABASE_URL: `${url}?sslmode=never` });
  expect(said.join("\n")).toContain("handoff@");
  expect(said.filter((text) => /local.*test.*only/.test(text))).toEqual([]);
});

/** The metrics of a server on PostgreSQL, and those that only a data folder has. */
const OF_BOTH = ["handoff_database_bytes", "handoff_ready", "handoff_storage_trouble", "handoff_secrets"];
const OF_A_FOLDER = [
  "handoff_wal_bytes",
  "handoff_disk_free_bytes",
  "handoff_ballast_bytes",
  "handoff_ballast_wanted_bytes",
];
const LAST_BACKUP = "handoff_last_backup_timestamp_seconds";

test("metrics that PostgreSQL doesn't have are missing, even while it is away, so that no alert fires", async () => {
  const url = urlOf(await cluster.makeDatabase());
  const made = await runExecutable(["admin", "team", "create", "ops", "--database", url]);
  expect(made.exitCode).toBe(0);
  const args = ["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--database", url];
  await using server = await startProgram(args);
  const [, metricsUrl = ""] = /"metrics_url":"([^"]+)"/.exec(server.stderr()) ?? [];
  const scrape = async () => {
    const lines = (await (await fetch(metricsUrl)).text()).split("\n").filter((line) => /^\w/.test(line));
    return new Map(lines.map((line) => [line.replace(/[{ ].*$/, ""), line.replace(/^.* /, "")]));
  };
  const there = await scrape();
  expect(OF_BOTH.filter((name) => !there.has(name))).toEqual([]);
  expect(OF_A_FOLDER.filter((name) => there.has(name))).toEqual([]);
  expect(there.get("handoff_ready")).toBe("1");
  expect(there.get("handoff_erasing_behind_seconds")).toBe("0");
  // PostgreSQL has its own backups: a missing one of ours is not reported every day.
  expect(there.has(LAST_BACKUP)).toBeFalse();
  using folder = temporaryFolder();
  const startedAt = Date.now() / 1000;
  const backedUp = await runExecutable(["admin", "backup", join(folder.path, "b"), "--database", url]);
  expect(backedUp.exitCode).toBe(0);
  expect(Number((await scrape()).get(LAST_BACKUP))).toBeWithin(startedAt - 1, Date.now() / 1000 + 1);
  await cluster.crash();
  const away = await scrape();
  expect(away.get("handoff_ready")).toBe("0");
  expect(
    [...OF_A_FOLDER, LAST_BACKUP, "handoff_database_bytes", "handoff_erasing_behind_seconds"].filter((name) =>
      away.has(name),
    ),
  ).toEqual([]);
  await cluster.start();
  while ((await scrape()).get("handoff_ready") !== "1");
});
