import { expect, test } from "bun:test";
import { run } from "../../src/cli/run.ts";
import { EVENT_TYPES } from "../../src/contract/states.ts";
import { RECIPIENT } from "../support/requests.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";
import { TEST_START } from "../support/test-clocks.ts";

const BODY = { envelope: { version: 1, ciphertext: "fake-local-test-only" } };

async function setUp() {
  const server = await startTestServer();
  const folder = temporaryFolder();
  const { key, token } = await server.backend.mint();
  const env = { HANDOFF_URL: server.url, HANDOFF_API_KEY: token, HOME: folder.path };
  const create = async (query = "") =>
    (await server.call("POST", `/api/v1/secrets${query}`, { token, body: BODY })).json;
  return {
    server,
    key,
    env,
    create,
    ask: async () => (await server.call("POST", "/api/v1/requests", { token, body: { recipient: RECIPIENT } })).json,
    claim: ({ id, claim_token: held }: { id: string; claim_token: string }) =>
      server.call("POST", `/api/v1/secrets/${id}/claim`, { token: held }),
    events: (...args: readonly string[]) => runHere(["events", ...args], env),
    /** Runs the command until it ends; `until` resolves with its output once that has so many lines. */
    follow(...args: readonly string[]) {
      const terminal = createTestTerminal({ env });
      const ended = run(["events", "--follow", ...args], terminal);
      const lines = () => terminal.output().split("\n").slice(0, -1);
      return {
        ended,
        interrupt: terminal.interrupt,
        said: terminal.said,
        async until(count: number) {
          while (lines().length < count) await new Promise(setImmediate);
          return lines();
        },
      };
    },
    waiting: async (count: number) => {
      while (server.backend.service.waits.waiting() !== count) await new Promise(setImmediate);
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test("'events' prints a line for each event: time, type, what, who, ticket and id", async () => {
  await using place = await setUp();
  expect(await place.events()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  const sent = await place.create("?reference=OPS-4711&max_claims=2");
  await place.claim(sent);
  const asked = await place.ask();
  const { stdout } = await place.events();
  const at = new Date(TEST_START).toISOString();
  const lines = stdout.split("\n").slice(0, -1);
  expect(lines.map((line) => line.replace(/ evt_[0-9a-v]{26}$/, " ID"))).toEqual([
    `${at} secret.created ${sent.id} api_key:${place.key.identity.id} OPS-4711 ID`,
    `${at} secret.claimed ${sent.id} link OPS-4711 ID`,
    `${at} request.created ${asked.id} api_key:${place.key.identity.id} - ID`,
  ]);
  const first = lines[0]?.split(" ").at(-1) ?? "";
  expect((await place.events("--after", first)).stdout).toBe(`${lines[1]}\n${lines[2]}\n`);
  expect((await place.events("--after", "now")).stdout).toBe("");
  expect((await place.events("--type", "secret.claimed")).stdout).toBe(`${lines[1]}\n`);
  expect((await place.events("--type", "secret.revoked", "--type", "secret.created")).stdout).toBe(`${lines[0]}\n`);
});

test("'events --json' prints an object a line, as the API has it, however many there are", async () => {
  await using place = await setUp();
  for (let count = 0; count < 120; count++) await place.create();
  const { token } = await place.server.backend.mint();
  const listed: unknown[] = [];
  for (let after = ""; ;) {
    const { json } = await place.server.call("GET", `/api/v1/events?limit=100${after}`, { token });
    if (json.data.length === 0) break;
    listed.push(...json.data);
    after = `&after=${json.next_cursor}`;
  }
  const { stdout } = await place.events("--json");
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(listed);
  expect(listed).toHaveLength(120);
});

test("'events --follow' prints what was and what happens, as it happens, and ends when interrupted", async () => {
  await using place = await setUp();
  const first = await place.create();
  const followed = place.follow("--json");
  expect((await followed.until(1)).map((line) => JSON.parse(line))).toMatchObject([{ secret_id: first.id }]);
  await place.claim(first);
  const [, claimed = ""] = await followed.until(2);
  expect(JSON.parse(claimed)).toMatchObject({ type: "secret.claimed", actor: { kind: "link", id: null } });
  followed.interrupt();
  expect(await followed.ended).toBe(130);
});

test("'events --follow --after now' prints what happens from then on, of the types that are wanted", async () => {
  await using place = await setUp();
  await place.create();
  const followed = place.follow("--after", "now", "--type", "secret.claimed");
  await place.waiting(1);
  const sent = await place.create();
  await place.claim(sent);
  expect(await followed.until(1)).toEqual([expect.stringContaining(` secret.claimed ${sent.id} link - evt_`)]);
  followed.interrupt();
  await followed.ended;
});

test("'events --follow' ends with exit code 3 once the key is revoked", async () => {
  await using place = await setUp();
  const followed = place.follow();
  await place.waiting(1);
  await place.server.backend.service.store.revokeKey(place.key.id);
  expect(await followed.ended).toBe(3);
  expect(followed.said).toEqual([expect.stringContaining("The API key isn't valid")]);
});

test("'events' says what it can't be called with", async () => {
  await using place = await setUp();
  for (const args of [
    ["--type", "secret.opened"],
    ["--after", "yesterday"],
    ["--after", place.key.id],
  ]) {
    expect(await place.events(...args)).toMatchObject({ exitCode: 2, stdout: "" });
  }
  expect((await place.events("--type", "hunter2")).stderr).not.toContain("hunter2");
  const { token } = await place.server.backend.mint({ scopes: ["secrets:read"] });
  for (const args of [["events"], ["events", "--follow"]]) {
    const outcome = await runHere(args, { ...place.env, HANDOFF_API_KEY: token });
    expect(outcome).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("events:read") });
  }
  const help = await place.events("--help");
  for (const type of EVENT_TYPES) expect(help.stdout + help.stderr).toContain(type);
});

test("'status' tells what happened to a secret: all of it to the team, and no names to who holds the link", async () => {
  await using place = await setUp();
  const { stdout: link } = await runHere(["send", "--claims", "2"], place.env, "fake-local-test-only");
  const status = async (...args: string[]) => (await runHere(["status", ...args], place.env, link)).stdout;
  const id = /sec_[0-9a-v]{26}/.exec(link)?.[0] ?? "";
  await runHere(["open", "--yes"], { HOME: place.env.HOME }, link);
  await place.server.call("DELETE", `/api/v1/secrets/${id}`, { token: place.env.HANDOFF_API_KEY });
  const key = `with an API key (${place.key.identity.id})`;
  const lines = async (...args: string[]) =>
    (await status(...args))
      .split("\n")
      .slice(1, -1)
      .map((line) => line.trim());
  const withoutTimes = (all: readonly string[]) => all.map((line) => line.replace(/^\S+ \S+  +/, ""));
  expect(withoutTimes(await lines(id))).toEqual([`created ${key}`, "opened with the link", `revoked ${key}`]);
  expect(withoutTimes(await lines())).toEqual([
    "created with an API key",
    "opened with the link",
    "revoked with an API key",
  ]);
  const { history } = JSON.parse(await status(id, "--json"));
  expect(history.map(({ type }: { type: string }) => type)).toEqual([
    "secret.created",
    "secret.claimed",
    "secret.revoked",
  ]);
});

test("'status' of a server of before there were histories tells the state as ever", async () => {
  await using place = await setUp();
  const sent = await place.create();
  const before = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch({ url, headers }) {
      const { pathname } = new URL(url);
      if (pathname.endsWith("/events")) return Response.json({ code: "not_found" }, { status: 404 });
      const answer = await fetch(place.server.url + pathname, { headers });
      return Response.json(await answer.json());
    },
  });
  const env = { ...place.env, HANDOFF_URL: before.url.origin };
  const { stdout, exitCode } = await runHere(["status", sent.id], env);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^waiting: .*\n$/) });
  expect(JSON.parse((await runHere(["status", sent.id, "--json"], env)).stdout).history).toBeNull();
  await before.stop(true);
});

test("an ID that is later than anything on the server is named as that", async () => {
  await using place = await setUp();
  for (const flags of [[], ["--follow"]]) {
    const { exitCode, stderr } = await place.events(...flags, "--after", `evt_7${"v".repeat(25)}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("no event as late as the one to go on after");
  }
});

test("'events --follow' doesn't promise to wait for a server that was never there", async () => {
  await using place = await setUp();
  const env = { HANDOFF_URL: "http://127.0.0.1:1", HANDOFF_API_KEY: place.env.HANDOFF_API_KEY };
  const { exitCode, stderr } = await runHere(["events", "--follow"], env);
  expect(exitCode).toBe(6);
  expect(stderr).toContain("Trying again…\n");
  expect(stderr).not.toContain("until it's back");
});
