import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { ownName } from "../../src/store/sqlite/files/owners.ts";
import { openStorage } from "../support/open-storage.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

/** Runs `handoff admin …` over the database that `place` names, as a user who became root through sudo. */
const adminIn = (place: Readonly<Record<string, string>>, sudoUser = "") => {
  const env = { ...place, HOME: "/nonexistent", ...(sudoUser && { SUDO_USER: sudoUser }) };
  return (...args: string[]) => runHere(["admin", ...args], env);
};

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

test("'admin log' says who minted a key, and when, and nothing that opens anything", async () => {
  await using storage = await openStorage();
  const admin = adminIn(storage.env, "ann");
  await admin("team", "create", "ops");
  const minted = await admin("key", "create", "--team", "ops", "--identity", "ci", "--scope", "secrets:read");
  const invited = await admin("person", "add", "bob@example.com", "--team", "ops");
  const { stdout } = await admin("log");
  expect(stdout).toMatch(new RegExp(`${ownName()} \\(ann\\) +key\\.created +key_\\w+ +ops +.*identity=ci`));
  expect(stdout).toMatch(/ person\.invited +bob@example\.com idn_\w+ +ops$/m);
  const json = (await admin("log", "--json")).stdout;
  const entries = json
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries.map(({ action }) => action)).toEqual([
    "team.created",
    "identity.created",
    "key.created",
    "person.invited",
  ]);
  expect(entries[2]).toMatchObject({ user: ownName(), sudo_user: "ann", team: { name: "ops" } });
  // The order is the same with every engine.
  for (const { details } of entries) expect(Object.keys(details)).toEqual(Object.keys(details).toSorted());
  expect(Object.keys(entries[2].details).length).toBeGreaterThan(1);
  const token = minted.stdout.trim();
  const link = invited.stdout.trim().split("#")[1] ?? "nothing";
  for (const hidden of [token, link, token.slice(-4)]) expect(stdout + json).not.toContain(hidden);
});

test("the log is read from an entry on, or from a time on, and its newest entries alone", async () => {
  await using storage = await openStorage();
  const admin = adminIn(storage.env);
  for (const name of ["a", "b", "c"]) await admin("team", "create", name);
  const names = async (...args: string[]) => {
    const { stdout } = await admin("log", "--json", ...args);
    return [...stdout.matchAll(/"subject":\{"id":"tea_\w+","name":"(\w)"\}/g)].map(([, name]) => name);
  };
  expect(await names()).toEqual(["a", "b", "c"]);
  expect(await names("--after", "1")).toEqual(["b", "c"]);
  expect(await names("--limit", "1")).toEqual(["c"]);
  expect(await names("--after", "2020-01-31")).toEqual(["a", "b", "c"]);
  expect(await names("--after", "2999-01-31T10:00:00Z")).toEqual([]);
  for (const wrong of ["yesterday", "2026-02-31", "-1"]) {
    expect(await admin("log", "--after", wrong)).toMatchObject({ exitCode: 2, stdout: "" });
  }
});

test("what 'sudo' is said to have begun can't command a terminal, nor pass for another line", async () => {
  await using storage = await openStorage();
  await adminIn(storage.env, `ann\u001B[2J\n1  x${"y".repeat(500)}`)("team", "create", "ops");
  const { stdout } = await adminIn(storage.env)("log");
  expect(stdout.split("\n")).toHaveLength(3);
  expect(stdout).not.toContain("\u001B");
  expect(stdout.length).toBeLessThan(600);
});

test("a backup has the log, and what restores it is written down in it", async () => {
  using folder = temporaryFolder();
  await adminIn({ HANDOFF_DATA_DIR: join(folder.path, "one") })("team", "create", "ops");
  const file = join(folder.path, "backup");
  expect(await adminIn({ HANDOFF_DATA_DIR: join(folder.path, "one") })("backup", file)).toMatchObject({ exitCode: 0 });
  const admin = adminIn({ HANDOFF_DATA_DIR: join(folder.path, "two") }, "ann");
  expect(await admin("restore", file)).toMatchObject({ exitCode: 0 });
  const { stdout } = await admin("log");
  expect(stdout).toMatch(/team\.created +ops tea_.*\n.*\(ann\) +database\.restored +- +- +backup_taken_at=\d{4}-/);
});
