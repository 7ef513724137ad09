import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { takeTurn } from "../../../src/cli/server/admin-turns.ts";
import { createKey, createTeam } from "../../../src/domain/keys.ts";
import { invitePerson } from "../../../src/domain/persons.ts";
import { runProgram } from "../../support/program.ts";
import { openTestService } from "../../support/service.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("admin commands at the same time wait for one another, from the very first on", async () => {
  using folder = temporaryFolder();
  const env = { HANDOFF_DATA_DIR: join(folder.path, "data") };
  const admin = (line: string) => runProgram(["admin", ...line.split(" ")], env);
  const teams = await Promise.all(Array.from({ length: 8 }, (_, index) => admin(`team create ops${index % 4}`)));
  expect(teams.filter(({ exitCode }) => exitCode === 0)).toHaveLength(4);
  for (const { exitCode, stderr } of teams) {
    if (exitCode !== 0) expect(stderr).toMatch(/there is already a team 'ops\d'/);
  }
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => admin("key create --team ops0 --identity ci --scope secrets:read")),
  );
  expect(keys.map(({ exitCode }) => exitCode)).toEqual(Array.from({ length: 8 }, () => 0));
  expect(existsSync(join(env.HANDOFF_DATA_DIR, "admin.lock"))).toBe(false);
  expect(JSON.parse((await admin("identity list --json")).stdout)).toHaveLength(1);
}, 120_000);

test("who waits too long for another admin command is told what to do", async () => {
  using folder = temporaryFolder();
  const first = await takeTurn(folder.path);
  const second = takeTurn(folder.path, 0);
  expect(await second.catch((error: unknown) => String(error))).toMatch(
    /Another admin command .* Nothing was changed\. Wait until it has ended/,
  );
  const third = takeTurn(folder.path);
  first[Symbol.dispose]();
  (await third)[Symbol.dispose]();
});

test("a database that another program holds locked is named as that, and nothing is changed", async () => {
  using folder = temporaryFolder();
  const admin = (line: string) => runProgram(["admin", ...line.split(" ")], { HANDOFF_DATA_DIR: folder.path });
  expect((await admin("team create ops")).exitCode).toBe(0);
  const holder = new Database(join(folder.path, "handoff.db"));
  holder.run("BEGIN IMMEDIATE");
  const refused = await admin("team create more");
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("Another process has held the database locked for too long. Nothing was changed.");
  holder.run("ROLLBACK");
  holder.close();
  expect(JSON.parse((await admin("team list --json")).stdout)).toHaveLength(1);
}, 60_000);

test("two commands that make the same identity, or the same person, make it once", async () => {
  await using backend = openTestService();
  const { service } = backend;
  await createTeam(service, "ops");
  const mint = () =>
    createKey(service, { team: "ops", identity: "ci", scopes: ["secrets:read"], name: null, expiresAt: null });
  const [first, second] = await Promise.all([mint(), mint()]);
  expect(first.key.identity.id).toBe(second.key.identity.id);
  const invite = () => invitePerson(service, { team: "ops", name: "ann@example.com" });
  const [one, other] = await Promise.all([invite(), invite()]);
  expect(one.person.id).toBe(other.person.id);
  expect(await service.store.listIdentities(undefined)).toHaveLength(2);
});
