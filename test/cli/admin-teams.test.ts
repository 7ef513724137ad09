import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";
import { openStorage } from "../support/open-storage.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";

/** `handoff admin …` over the database that `place` names. */
const adminIn = (place: Readonly<Record<string, string>>) => {
  const env = { ...place, HOME: "/nonexistent" };
  const admin = (...args: string[]) => runHere(["admin", ...args], env);
  const json = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await admin(...args, "--json");
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  /** The same for somebody at a terminal, who answers `answer`. */
  const answering = async (answer: string, ...args: string[]) => {
    const isTerminal = { in: true, out: true, err: true };
    const terminal = createTestTerminal({ env, isTerminal, answers: [answer] });
    const exitCode = await run(["admin", ...args], terminal);
    return { exitCode, asked: terminal.asked, stderr: terminal.said.join("\n") };
  };
  return { admin, json, answering };
};

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

test("a team is renamed, by its name or id, and its keys go on; a name that is taken is refused", async () => {
  await using server = await startTestServer();
  const { admin, json } = adminIn(server.backend.storage.env);
  const { id } = await json("team", "create", "ops");
  await json("team", "create", "others");
  const { token } = await json("key", "create", "--team", "ops", "--identity", "ci", "--scope", "all");
  const teamName = async () => (await server.call("GET", "/api/v1/credential", { token })).json.team.name;
  expect(await teamName()).toBe("ops");
  expect(await json("team", "rename", "ops", "  Bétrieb   & Søn ")).toMatchObject({ id, name: "Bétrieb & Søn" });
  expect(await teamName()).toBe("Bétrieb & Søn");
  expect(await json("team", "rename", id, "運用チーム")).toMatchObject({ id, name: "運用チーム" });
  expect((await admin("team", "rename", "運用チーム", "others")).stderr).toContain("already a team 'others'");
  for (const wrong of ["", " ", "-x", "../x", "a\u0007b", "a\u202Eb", "a\u200Bb", "x".repeat(65), id, "a#1.b"]) {
    const { exitCode, stderr } = await admin("team", "rename", "--", "運用チーム", wrong);
    expect({ wrong, exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("not a name") });
  }
  // However it is composed.
  expect(await json("team", "create", "Zoe\u0308")).toMatchObject({ name: "Zo\u00EB" });
  expect(await json("team", "show", "Zoe\u0308 ")).toMatchObject({ name: "Zo\u00EB" });
});

test("the quota of a team counts for the next call of the running server, and is shown", async () => {
  await using server = await startTestServer();
  const { admin, json } = adminIn(server.backend.storage.env);
  await json("team", "create", "ops");
  const { token } = await json("key", "create", "--team", "ops", "--identity", "ci", "--scope", "all");
  const body = { envelope: { version: 1, ciphertext: "x".repeat(20_000) } };
  const create = async () => (await server.call("POST", "/api/v1/secrets", { token, body })).json.code ?? "created";
  const limit = async () => (await server.call("GET", "/api/v1/credential", { token })).json.limits.team_quota_bytes;
  expect(await create()).toBe("created");
  const ofServer = await limit();
  expect(await json("team", "quota", "ops", "30KiB")).toMatchObject({ quota_bytes: 30_720, has_own_quota: true });
  expect(await create()).toBe("team_quota_exceeded");
  expect(await limit()).toBe(30_720);
  expect((await admin("team", "list")).stdout).toMatch(/ 30\.0 KiB \* +-\n/);
  expect((await admin("team", "show", "ops")).stdout).toMatch(/\nquota +30\.0 KiB \*\n/);
  await admin("team", "quota", "ops", "default");
  expect(await create()).toBe("created");
  expect(await limit()).toBe(ofServer);
  for (const wrong of ["12", "1025GiB", "much"]) {
    expect(await admin("team", "quota", "ops", wrong)).toMatchObject({ exitCode: 2 });
  }
});

test("the rules of a team are set, shown and lifted, each by itself, and count for the next call", async () => {
  await using server = await startTestServer();
  const { admin, json } = adminIn(server.backend.storage.env);
  await json("team", "create", "ops");
  const { token } = await json("key", "create", "--team", "ops", "--identity", "ci", "--scope", "all");
  const body = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };
  const create = async () => (await server.call("POST", "/api/v1/secrets", { token, body })).json.rule ?? "created";
  expect(await json("team", "rules", "ops")).toMatchObject({ name: "ops", rules: null });
  expect((await admin("team", "rules", "ops")).stdout).toMatch(/^RULE +VALUE\n(?:[a-z-]+ +-\n){7}$/);
  expect((await admin("team", "list")).stdout).toMatch(/ -\n$/);
  const set = await admin("team", "rules", "ops", "--max-expires", "12h", "--require-reference");
  expect(set).toMatchObject({
    stdout: "",
    stderr:
      "The rules of the team 'ops': max-expires 12h, require-reference. What was created before stays as it is.\n",
  });
  expect(await create()).toBe("require_reference");
  const domains = ["--for-domain", "Example.com", "--for-domain", "a.example", "--for-domain", "example.com"];
  expect((await json("team", "rules", "ops", "--max-claims", "1", "--max-secret", "1GiB", ...domains)).rules).toEqual({
    max_expires: 43_200,
    max_claims: 1,
    max_secret: 1024 ** 3,
    require_reference: true,
    require_for: false,
    for_domain: ["a.example", "example.com"],
    approval: null,
  });
  const line = "max-expires 12h, max-claims 1, max-secret 1.0 GiB, require-reference, for-domain a.example example.com";
  expect((await admin("team", "list")).stdout).toContain(` ${line}\n`);
  expect((await admin("team", "show", "ops")).stdout).toMatch(new RegExp(`\nrules +${line}\n`));
  expect((await admin("team", "rules", "ops")).stdout).toMatch(/\nrequire-reference +yes\nrequire-for +-\n/);
  const { rules } = await json("team", "rules", "ops", "--lift", "require-reference", "--lift", "for-domain");
  expect(rules).toMatchObject({ require_reference: false, for_domain: null, max_claims: 1 });
  expect(await create()).toBe("created");
  const chosen = await admin("team", "rules", "ops", "--lift", "all", "--require-for", "--json");
  expect(JSON.parse(chosen.stdout).rules).toMatchObject({ max_claims: null, require_for: true });
  expect(chosen.stderr).toMatch(/^Warning: the settings .* neither mail nor single sign-on.* create nothing\.\n$/);
  const mailing = adminIn({ ...server.backend.storage.env, HANDOFF_MAIL_FROM: "handoff@mail.test" });
  expect((await mailing.json("team", "rules", "ops", "--require-for")).rules).toMatchObject({ require_for: true });
  expect(await create()).toBe("require_for");
  const approved = await json("team", "rules", "ops", "--lift", "require-for", "--approval", "team");
  expect(approved.rules).toMatchObject({ require_for: false, approval: "team" });
  expect(await create()).toBe("approval");
  expect((await admin("team", "rules", "ops", "--lift", "all")).stderr).toStartWith("The team 'ops' has no rules.");
  expect(await create()).toBe("created");
  const log = (await admin("log")).stdout;
  expect(log).toMatch(/ team\.rules_changed +ops tea_\w+ +ops +former_approval=team\n/);
});

test("'admin check' names a team whose rules ask for an approval that not everybody there can get", async () => {
  await using server = await startTestServer();
  const { admin, json } = adminIn(server.backend.storage.env);
  const found = async () =>
    JSON.parse((await admin("check", "--json")).stdout)
      .filter(({ check }: { check: string }) => check === "team rules")
      .map(({ text }: { text: string }) => text.split(".")[0]);
  const none = "The rules of 'ops' ask for an approval, and nobody there has the scope secrets:approve: ";
  const one = "The rules of 'ops' ask for an approval, and only one there has the scope secrets:approve";
  for (const team of ["ops", "others"]) await json("team", "create", team);
  await json("key", "create", "--team", "others", "--identity", "ci", "--scope", "all");
  await json("key", "create", "--team", "ops", "--identity", "send-only", "--scope", "secrets:create");
  expect(await found()).toEqual([]);
  await json("team", "rules", "ops", "--approval", "team");
  expect(await found()).toEqual([expect.stringContaining(none)]);
  const key = await json("key", "create", "--team", "ops", "--identity", "ci", "--scope", "all");
  expect(await found()).toEqual([one]);
  await json("person", "add", "ann@a.test", "--team", "ops");
  expect(await found()).toEqual([]);
  await json("key", "revoke", key.id);
  expect(await found()).toEqual([one]);
  await json("team", "rules", "ops", "--approval", "sender");
  expect(await found()).toEqual([]);
});

test("a rule that can't be is refused, and nothing has changed", async () => {
  await using server = await startTestServer();
  const { admin, json } = adminIn(server.backend.storage.env);
  await json("team", "create", "ops");
  for (const [flag, ...values] of [
    ["--max-expires", "59s", "91d", "1y", "none"],
    ["--max-claims", "0", "101", "1.5", "-1"],
    ["--for-domain", "@example.com", "*@example.com", "ann@example.com", ""],
    ["--lift", "quota", "max_claims"],
  ] as const) {
    for (const value of values) {
      const { exitCode, stderr } = await admin("team", "rules", "ops", "--require-reference", `${flag}=${value}`);
      expect({ flag, value, exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(flag) });
    }
  }
  expect((await json("team", "show", "ops")).rules).toBeNull();
  expect(await admin("team", "rules", "dev", "--max-claims", "1")).toMatchObject({ exitCode: 1 });
});

test("a team is deleted once everything in it has ended, or by force, after a question that says what goes", async () => {
  await using server = await startTestServer();
  const { admin, json, answering } = adminIn(server.backend.storage.env);
  await json("team", "create", "ops");
  const { token } = await json("key", "create", "--team", "ops", "--identity", "ci", "--scope", "all");
  const body = { envelope: { version: 1, ciphertext: "x".repeat(100) } };
  const { id } = (await server.call("POST", "/api/v1/secrets", { token, body })).json;
  const status = async () => (await server.call("GET", `/api/v1/secrets/${id}`, { token })).status;
  expect(await json("team", "show", "ops")).toMatchObject({ keys: 1, secrets: { available: 1 }, requests: {} });
  const refused = await admin("team", "delete", "ops", "--yes");
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("1 secret can still be opened and 0 requests are open.");
  expect(refused.stderr).toContain("identities 1, people 0, valid keys 1, secrets 1 waiting, requests 0");
  expect((await admin("team", "delete", "ops", "--force")).stderr).toContain("Add --yes");
  const declined = await answering("n", "team", "delete", "ops", "--force");
  expect(declined).toMatchObject({ exitCode: 1, asked: ["Delete the team 'ops' and all of that? [y/N] "] });
  expect(await status()).toBe(200);
  expect(await answering("y", "team", "delete", "ops", "--force")).toMatchObject({ exitCode: 0 });
  expect(await status()).toBe(401);
  expect((await admin("team", "show", "ops")).stderr).toContain("there is no team 'ops'");
  expect((await admin("log")).stdout).toMatch(/ team\.closed .*\n.* team\.deleted +ops tea_/);
  await json("team", "create", "empty");
  expect(await json("team", "delete", "empty", "--yes")).toMatchObject({ name: "empty" });
});

test("an identity is renamed with its keys, and deleted with them, and what it made stays", async () => {
  await using server = await startTestServer();
  const { admin, json, answering } = adminIn(server.backend.storage.env);
  await json("team", "create", "ops");
  const { token } = await json("key", "create", "--team", "ops", "--identity", "ci", "--scope", "all");
  const other = await json("key", "create", "--team", "ops", "--identity", "other", "--scope", "all");
  await json("person", "add", "ann@example.com", "--team", "ops");
  const body = { envelope: { version: 1, ciphertext: "x".repeat(100) } };
  const { id } = (await server.call("POST", "/api/v1/secrets", { token, body })).json;
  const status = async (key: string) => (await server.call("GET", `/api/v1/secrets/${id}`, { token: key })).status;
  expect(await json("identity", "rename", "ci", "Deploy: prod")).toMatchObject({ name: "Deploy: prod" });
  expect(await status(token)).toBe(200);
  expect((await admin("identity", "rename", "other", "Deploy: prod")).stderr).toContain("already has somebody");
  expect((await admin("identity", "rename", "ann@example.com", "x")).stderr).toContain("is a person");
  expect((await admin("identity", "delete", "Deploy: prod")).stderr).toContain("Add --yes");
  const deleted = await answering("yes", "identity", "delete", "Deploy: prod");
  expect(deleted).toMatchObject({ exitCode: 0, stderr: "Deleted 'Deploy: prod' of the team 'ops' with its 1 key." });
  expect([await status(token), await status(other.token)]).toEqual([401, 200]);
  expect(await json("key", "list")).toHaveLength(1);
});

test("keys that end soon are listed for monitoring, which goes by the exit code", async () => {
  await using storage = await openStorage();
  const { admin, json } = adminIn(storage.env);
  await json("team", "create", "ops");
  const mint = (identity: string, ...args: string[]) =>
    json("key", "create", "--team", "ops", "--identity", identity, "--scope", "all", ...args);
  const [soon, rotated, revoked] = [
    await mint("soon", "--expires", "10d"),
    await mint("rotated", "--expires", "10d"),
    await mint("revoked", "--expires", "10d"),
  ];
  await mint("later", "--expires", "40d");
  await mint("never");
  await json("key", "rotate", rotated.id, "--expires", "90d");
  await json("key", "revoke", revoked.id);
  const list = await admin("key", "list", "--expiring", "30d", "--json");
  expect(list.exitCode).toBe(1);
  expect(JSON.parse(list.stdout).map((key: { id: string }) => key.id)).toEqual([soon.id]);
  expect(await admin("key", "list", "--expiring", "30d")).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/soon/),
  });
  const none = await admin("key", "list", "--expiring", "5d");
  expect(none).toEqual({ exitCode: 0, stdout: "", stderr: "No key ends within 5d.\n" });
  expect(await admin("key", "list", "--expiring", "30")).toMatchObject({ exitCode: 2 });
  expect(soon.scopes).toContain("events:read");
  expect(soon.scopes).toHaveLength(9);
});

test("before making a second database, a terminal is asked, and the path is always shown", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "mistyped");
  const { admin, answering } = adminIn({ HANDOFF_DATA_DIR: path });
  const declined = await answering("", "team", "create", "ops");
  expect(declined).toMatchObject({
    exitCode: 1,
    asked: [`There is no database in '${path}'. Make a new one there? [y/N] `],
    stderr: "handoff: Nothing was changed.",
  });
  expect(existsSync(path)).toBe(false);
  expect(await answering("y", "team", "create", "ops")).toMatchObject({
    exitCode: 0,
    stderr: `Created the team 'ops' in a new database in '${path}'.`,
  });
  expect(await answering("", "team", "create", "more")).toMatchObject({ exitCode: 0, asked: [] });
  const script = await adminIn({ HANDOFF_DATA_DIR: join(folder.path, "script") }).admin("team", "create", "ops");
  expect(script.stderr).toContain(`in a new database in '${join(folder.path, "script")}'`);
  const piped = await adminIn({ HANDOFF_DATA_DIR: join(folder.path, "piped") }).json("team", "create", "ops");
  expect(piped.data_dir).toBe(join(folder.path, "piped"));
  const more = await admin("team", "create", "one more");
  expect(more.stderr).toBe(`Created the team 'one more' in the database of '${path}'.\n`);
  expect((await admin("team", "list")).stdout).toContain(" more ");
});
