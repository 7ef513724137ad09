import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiOf, runExecutable } from "../support/executions.ts";
import { startCertifiedPostgres } from "../support/postgres-certificates.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const postgres = await startCertifiedPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

test("a changed password is read from its file at SIGHUP and on a refusal, without a restart", async () => {
  const { cluster, port, setRules, setTls } = postgres;
  await setTls(false);
  await setRules(["host all all 127.0.0.1/32 scram-sha-256"]);
  const { database = "" } = await cluster.makeDatabase();
  using folder = temporaryFolder();
  const file = join(folder.path, "url");
  const setRole = (password: string) => cluster.run(`ALTER ROLE handoff PASSWORD 'fake-local-test-${password}'`);
  const setFile = (password: string, more = "") =>
    writeFileSync(file, `postgresql://handoff:fake-local-test-${password}@localhost:${port}/${database}${more}\n`, {
      mode: 0o600,
    });
  await setRole("one");
  setFile("one");
  const of = ["--database-url-file", file];
  expect(await runExecutable(["admin", "team", "create", "ops", "--yes", ...of])).toMatchObject({ exitCode: 0 });
  const { stdout: key } = await runExecutable([
    "admin",
    "key",
    "create",
    "--team",
    "ops",
    "--identity",
    "ci",
    "--scope",
    "all",
    ...of,
  ]);
  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", ...of]);
  const api = apiOf(server.url, key.trim());
  const statusOf = async () => (await fetch(`${server.url}/health/ready`)).status;
  const cutOff = () => cluster.cutOff((each) => each.database === database);
  const said = async (text: string) => {
    while (!server.stderr().includes(text)) await fetch(`${server.url}/health/live`);
  };

  await setRole("two");
  setFile("two", "?sslmode=never");
  server.kill("SIGHUP");
  await said("credentials of the database not changed");
  setFile("two");
  server.kill("SIGHUP");
  await said("credentials of the database read again");
  await cutOff();
  // The former one would be refused.
  while ((await statusOf()) !== 200);
  expect((await api.create("x")).status).toBe(201);
  expect(server.stderr()).not.toContain("28P01");

  // No signal announces this one.
  await setRole("three");
  await cutOff();
  while ((await statusOf()) === 200);
  await said("28P01");
  setFile("three");
  while ((await statusOf()) !== 200);
  expect((await api.create("x")).status).toBe(201);
  expect(server.stderr()).not.toContain("fake-local-test");
}, 60_000);
