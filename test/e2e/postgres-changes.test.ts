import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { apiOf, jsonOf, runExecutable, UNLIMITED } from "../support/executions.ts";
import { urlOf } from "../support/postgres-urls.ts";
import { startPostgres } from "../support/postgres.ts";
import { startProgram } from "../support/running.ts";
import type { RunningProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const cluster = await startPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const serve = (...args: readonly string[]) => startProgram(["serve", "--listen", "127.0.0.1:0", ...UNLIMITED, ...args]);

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly trouble?: string;
  readonly code?: string;
}

/** The log lines that concern neither a call nor the machine of the test. */
function linesOf({ stderr }: RunningProgram): Line[] {
  const text = stderr();
  const lines: readonly Line[] = text
    .slice(0, text.lastIndexOf("\n"))
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines.filter(({ msg }) => msg !== "request" && !msg.startsWith("running as root"));
}

async function untilSaid(server: RunningProgram, says: (line: Line) => boolean): Promise<void> {
  while (!linesOf(server).some(says)) await fetch(`${server.url}/health/live`);
}

/** A database with a key, its URL and its user's URL. */
async function prepare(user: string) {
  const made = await cluster.makeDatabase();
  await cluster.run(`CREATE ROLE ${user} LOGIN`);
  await cluster.run(`ALTER DATABASE ${made.database} OWNER TO ${user}`);
  const url = urlOf(made).replace("//handoff@", `//${user}@`);
  const admin = (...args: readonly string[]) => runExecutable(["admin", ...args, "--database", url]);
  await admin("team", "create", "ops");
  const { stdout } = await admin("key", "create", "--team", "ops", "--identity", "ci", "--scope", "all");
  const cutOff = () => cluster.cutOff(({ database }) => database === made.database);
  return { name: made.database, url, key: stdout.trim(), cutOff };
}

const isOver = ({ msg }: Line) => msg === "this trouble of the storage is over";

test("a server whose user loses access refuses calls that need the database, and logs the reason once", async () => {
  const { url, key, cutOff } = await prepare("locked_out");
  await using server = await serve("--database", url);
  const api = apiOf(server.url, key);
  expect((await api.create("x")).status).toBe(201);
  await cluster.run("ALTER ROLE locked_out NOLOGIN");
  await cutOff();
  await untilSaid(server, ({ trouble, code }) => trouble === "unreachable" && code === "28000");
  for (const refused of await Promise.all([api.create("x"), api.claim("sec_x")])) {
    expect(refused.status).toBe(503);
    expect(await jsonOf(refused)).toMatchObject({ code: "storage_unavailable" });
  }
  const ready = await fetch(`${server.url}/health/ready`);
  expect(ready.status).toBe(503);
  expect((await jsonOf(ready)).troubles[0].message).toStartWith(
    "PostgreSQL doesn't let the user of this server in any more.",
  );
  await cluster.run("ALTER ROLE locked_out LOGIN");
  await untilSaid(server, isOver);
  expect((await api.create("x")).status).toBe(201);
  const lines = linesOf(server);
  expect(lines.filter(({ code }) => code === "28000").map(({ trouble }) => trouble)).toContain("unreachable");
  expect(lines.filter(({ trouble, code }) => trouble !== undefined && code === "28000")).toHaveLength(1);
  expect(lines.filter(({ level, trouble }) => level === "error" && trouble === undefined)).toEqual([]);
}, 30_000);

test("connections that PostgreSQL ends leave no failure in the log", async () => {
  const { url, key, cutOff } = await prepare("ended");
  await using server = await serve("--database", url);
  const api = apiOf(server.url, key);
  for (let round = 0; round < 10; round++) {
    const calls = Array.from({ length: 8 }, () => api.create("x"));
    await cutOff();
    for (const answer of await Promise.all(calls)) expect([201, 503]).toContain(answer.status);
  }
  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  expect(linesOf(server).filter(({ level, trouble }) => level === "error" && trouble === undefined)).toEqual([]);
}, 30_000);

test("a database recreated under a server is not taken for its own, and a restart reports it as empty", async () => {
  const { name, url, key, cutOff } = await prepare("replaced");
  {
    await using server = await serve("--database", url);
    const api = apiOf(server.url, key);
    expect(linesOf(server).map(({ msg }) => msg)).not.toContain(BEGUN);
    await cluster.run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    for (let isGone = false; !isGone;) {
      await cutOff();
      isGone = await cluster.run(`DROP DATABASE ${name}`).then(
        () => true,
        () => false,
      );
    }
    await untilSaid(server, ({ code }) => code === "3D000");
    expect((await api.create("x")).status).toBe(503);
    await cluster.run(`CREATE DATABASE ${name} OWNER replaced`);
    await untilSaid(server, ({ trouble, code }) => trouble === "unreachable" && code === "replaced");
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(503);
    expect((await api.create("x")).status).toBe(503);
    expect(linesOf(server).some(isOver)).toBeFalse();
  }
  await using server = await serve("--database", url);
  // It listens before a slow database has answered.
  await untilSaid(server, ({ msg }) => msg === BEGUN);
  expect(linesOf(server)).toContainEqual(expect.objectContaining({ level: "info", database: url, msg: BEGUN }));
}, 30_000);

const BEGUN = "the database was empty: a new installation has begun";

test("a start on an empty data folder reports a new installation, and later ones do not", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "data");
  for (const isNew of [true, false]) {
    await using server = await serve("--data-dir", path);
    const said = linesOf(server).some(({ msg }) => msg === "the data folder was empty: a new installation has begun");
    expect(said).toBe(isNew);
    server.kill("SIGTERM");
    await server.exited;
  }
});
