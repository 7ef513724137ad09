import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withAdminStore } from "../../../src/cli/server/admin-store.ts";
import { takeTurn } from "../../../src/cli/server/admin-turns.ts";
import { createKey } from "../../../src/domain/keys.ts";
import { invitePerson } from "../../../src/domain/signing-in/persons.ts";
import { createTeam } from "../../../src/domain/teams.ts";
import { errorOf } from "../../support/clients.ts";
import { openTestService } from "../../support/service.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

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

test("a lock that is there and cannot be used is named, and nobody goes on without it", async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "admin.lock"));
  expect(await takeTurn(folder.path).catch((error: unknown) => String(error))).toMatch(
    /Can't lock '.*admin\.lock': it's a directory\. Nothing was changed\. .* delete the file/,
  );
});

test("a database that another program holds locked is named as that, and nothing is changed", async () => {
  using folder = temporaryFolder();
  const create = (name: string) =>
    withAdminStore({ dataDir: folder.path }, createTestTerminal(), (deps) => createTeam(deps, name), {
      mayCreate: "unasked",
      patienceMs: 50,
    });
  await create("ops");
  const holder = new Database(join(folder.path, "handoff.db"));
  holder.run("BEGIN IMMEDIATE");
  expect(await errorOf(create("more"))).toMatchObject({
    kind: "failure",
    message: expect.stringContaining("Another process has held the database locked for too long. Nothing was changed."),
  });
  holder.run("ROLLBACK");
  expect(holder.query("SELECT name FROM teams").values()).toEqual([["ops"]]);
  holder.close();
});

test("two commands that make the same identity, or the same person, make it once", async () => {
  await using backend = await openTestService();
  const { service } = backend;
  await createTeam(service, "ops");
  const mint = () =>
    createKey(service, { team: "ops", identity: "ci", scopes: ["secrets:read"], name: null, expiresAt: null });
  const [first, second] = await Promise.all([mint(), mint()]);
  expect(first.key.identity.id).toBe(second.key.identity.id);
  const invite = () => invitePerson(service, { team: "ops", address: "ann@example.com" });
  const [one, other] = await Promise.all([invite(), invite()]);
  expect(one.person.id).toBe(other.person.id);
  expect(await service.store.listIdentities(undefined)).toHaveLength(2);
});
