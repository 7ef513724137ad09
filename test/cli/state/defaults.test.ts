import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { runHere } from "../../support/terminals.ts";

/** A person without a server, and their files. */
function setUp() {
  const folder = temporaryFolder();
  const env = { HOME: folder.path, XDG_CONFIG_HOME: folder.path, XDG_STATE_HOME: folder.path };
  const config = (...args: readonly string[]) => runHere(["config", ...args], env);
  return { env, config, file: join(folder.path, "handoff/defaults.json"), [Symbol.dispose]: folder[Symbol.dispose] };
}

test("kept defaults count for what is sent and asked for, until a flag says otherwise", async () => {
  using person = setUp();
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const env = { ...person.env, HANDOFF_URL: server.url, HANDOFF_API_KEY: token };
  const json = async (args: readonly string[]) =>
    JSON.parse((await runHere([...args, "--json"], env, "hunter2")).stdout);
  const hoursOf = async ({ id }: { id: string }) => {
    const { created_at: from, expires_at: until } = await json(["status", id]);
    return (Date.parse(until) - Date.parse(from)) / 3_600_000;
  };
  await person.config("set", "expires", "2h");
  await person.config("set", "claims", "3");
  const [sent, asked, short] = [
    await json(["send"]),
    await json(["request"]),
    await json(["send", "--expires", "1h", "--claims", "1"]),
  ];
  expect(await Promise.all([sent, asked, short].map(hoursOf))).toEqual([2, 2, 1]);
  expect([sent.max_claims, short.max_claims]).toEqual([3, 1]);
  await person.config("unset", "claims");
  expect((await json(["send"])).max_claims).toBe(1);
});

test("defaults are listed, and a wrong one is refused and not kept", async () => {
  using person = setUp();
  expect(await person.config("set")).toEqual({ exitCode: 0, stdout: "", stderr: "No defaults are kept.\n" });
  await person.config("set", "expires", "1d");
  for (const [args, why] of [
    [["set", "expires", "soon"], "--expires must be a duration"],
    [["set", "claims", "0"], "--claims must be 1 or more."],
    [["set", "claims", "101"], "The number of claims must be 1 to 100."],
    [["set", "expires", "91d"], "The lifetime must be 1 minute to 90 days."],
    [["set", "claims"], "handoff config unset claims"],
    [["set", "api-key", "hak_x"], "must be one of: expires, claims"],
    [["unset"], "name"],
  ] as const) {
    const { exitCode, stderr } = await person.config(...args);
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 2, stderr: expect.stringContaining(why) });
  }
  expect((await person.config("set")).stdout).toBe("expires 1d\n");
  for (const text of ["{", "null", "[]", '{"claims":3}']) {
    writeFileSync(person.file, text, { mode: 0o600 });
    const { exitCode, stderr } = await person.config("set");
    expect({ text, exitCode, stderr }).toEqual({ text, exitCode: 1, stderr: expect.stringContaining("is damaged") });
  }
  writeFileSync(person.file, '{"claims":"-5"}', { mode: 0o600 });
  const { stderr } = await runHere(["send"], person.env, "hunter2");
  expect(stderr).toContain("Run: handoff config unset claims");
  rmSync(person.file);
  // Nobody writes to it, so it would be read forever.
  Bun.spawnSync(["mkfifo", "-m", "600", person.file]);
  expect(await person.config("set")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("it isn't a file") });
});
