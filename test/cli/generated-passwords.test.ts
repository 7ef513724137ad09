import { expect, test } from "bun:test";
import { run } from "../../src/cli/run.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";

const gen = (...flags: readonly string[]) => runHere(["gen", ...flags], {});

test("'gen' prints a password or a passphrase and nothing else, each time another", async () => {
  const { exitCode, stdout, stderr } = await gen();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^[a-zA-Z2-9]{20}\n$/);
  expect((await gen()).stdout).not.toBe(stdout);
  expect((await gen("--length", "64")).stdout).toMatch(/^[a-zA-Z2-9]{64}\n$/);
  expect((await gen("--words")).stdout).toMatch(/^([a-z]+-){4}[a-z]+\n$/);
  expect((await gen("--words", "7")).stdout).toMatch(/^([a-z]+-){6}[a-z]+\n$/);
  expect(JSON.parse((await gen("--words", "6", "--json")).stdout)).toEqual({ text: expect.any(String), bits: 66 });
});

test("'gen' refuses what could be guessed, and what is no number", async () => {
  for (const [flags, complaint] of [
    [["--length", "11"], "--length must be a whole number from 12 to 256."],
    [["--length", "1e2"], "--length must be a whole number from 12 to 256."],
    [["--length", "257"], "--length must be a whole number from 12 to 256."],
    [["--words", "4"], "--words must be a whole number from 5 to 32."],
    [["--words", "33"], "--words must be a whole number from 5 to 32."],
    [["--words", "--length", "20"], "either --length or --words"],
  ] as const) {
    const { exitCode, stdout, stderr } = await gen(...flags);
    expect({ flags, exitCode, stdout }).toEqual({ flags, exitCode: 2, stdout: "" });
    expect(stderr).toContain(complaint);
  }
});

test("'send --generate' sends a new password, and shows it on a terminal alone", async () => {
  using folder = temporaryFolder();
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: server.url, HANDOFF_API_KEY: token };
  const send = async (isTerminal: boolean, ...flags: readonly string[]) => {
    const terminal = createTestTerminal({ env, isTerminal: { err: isTerminal } });
    const exitCode = await run(["send", "--generate", ...flags], terminal);
    return { exitCode, stdout: terminal.output(), stderr: terminal.said.join("\n") };
  };
  for (const isTerminal of [true, false]) {
    const { exitCode, stdout, stderr } = await send(isTerminal);
    expect(exitCode).toBe(0);
    const { stdout: password } = await runHere(["open", "--yes"], env, stdout);
    expect(password).toMatch(/^[a-zA-Z2-9]{20}$/);
    expect(stdout).not.toContain(password);
    expect(stderr.includes(`The password: ${password}`)).toBe(isTerminal);
    expect(stderr.includes(password)).toBe(isTerminal);
  }
  expect((await send(true, "--quiet")).stderr).toMatch(/^The password: [a-zA-Z2-9]{20}$/);
  for (const more of [["file.txt"], ["--env", "HOME"]]) {
    expect(await send(true, ...more)).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringContaining("either files, --env or --generate"),
    });
  }
});

test("'send' says that standard input was not read when the secret came from elsewhere", async () => {
  using folder = temporaryFolder();
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: server.url, HANDOFF_API_KEY: token };
  const file = `${folder.path}/key.pem`;
  await Bun.write(file, "fake-local-test-only");
  const says = async (stdin: string, ...args: readonly string[]) =>
    (await runHere(["send", ...args], env, stdin)).stderr.includes("Standard input was not read");
  expect(await says("hunter2", file)).toBe(true);
  expect(await says("hunter2", "--env", "HOME")).toBe(true);
  expect(await says("hunter2", "--generate")).toBe(true);
  expect(await says("", file)).toBe(false);
  expect(await says("hunter2")).toBe(false);
  expect(await says("hunter2", "-")).toBe(false);
});
