import { expect, test } from "bun:test";
import { createWorkspace } from "../../../src/cli/agents/workspace.ts";
import { allowedFolders } from "../../../src/cli/files/allowed-folders.ts";
import { openAsText } from "../../../src/mcp/receive-tools.ts";
import { runWithSecret } from "../../../src/mcp/run-tools.ts";
import { secretStatus } from "../../../src/mcp/secret-tools.ts";
import { sendText } from "../../../src/mcp/send-tools.ts";
import { errorOf } from "../../support/clients.ts";
import { startTestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal, runHere } from "../../support/terminals.ts";
import { runTool } from "../../support/workspaces.ts";

const PATH = process.env["PATH"] ?? "";

/** An agent with a key of its own, and a person who decides. */
async function setUp() {
  const server = await startTestServer({ policy: { waitingCalls: 100 } });
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  const [agents, persons] = [(await server.backend.mint()).token, (await server.backend.mint()).token];
  const env = { HOME: folders[0].path, PATH, HANDOFF_URL: server.url, HANDOFF_API_KEY: agents };
  const person = { HOME: folders[1].path, PATH, HANDOFF_URL: server.url, HANDOFF_API_KEY: persons };
  const bounds = { folders: allowedFolders([folders[0].path], []), variables: [] };
  const agent = createWorkspace(createTestTerminal({ env }), {}, bounds);
  return {
    server,
    agent,
    env,
    person,
    asks: async () => JSON.parse((await runHere(["approve", "--json"], person)).stdout),
    decide: (id: string, ...args: readonly string[]) => runHere(["approve", id, ...args], person),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      for (const folder of folders) folder[Symbol.dispose]();
    },
  };
}

test("an agent sends what a person has to approve, and opens it with one ask over several calls", async () => {
  await using place = await setUp();
  const { url, id } = await runTool(sendText, { text: "precious", approval: "team" }, place.agent);
  expect(await errorOf(runTool(openAsText, { url, timeout_seconds: 0 }, place.agent))).toBeInstanceOf(Error);
  const [ask, ...others] = await place.asks();
  expect(others).toEqual([]);
  const still = await errorOf(runTool(openAsText, { url, timeout_seconds: 0 }, place.agent));
  expect(still).toMatchObject({ message: expect.stringContaining(`The words: ${ask.words.join(", ")}. Tell them`) });
  expect(await place.asks()).toEqual([ask]);
  const reports: string[] = [];
  const opening = runTool(openAsText, { url }, place.agent, {
    report: async (_progress, _total, message) => void reports.push(message),
  });
  while (reports.length === 0) await Bun.sleep(1);
  expect(reports).toEqual([`A person has to approve it. The words: ${ask.words.join(", ")}.`]);
  await place.decide(ask.id);
  expect(await opening).toMatchObject({ text: "precious" });
  const { history, approval } = await runTool(secretStatus, { id }, place.agent);
  expect(approval).toBe("team");
  expect((history as { what: string }[]).map(({ what }) => what)).toEqual([
    "secret.created",
    "secret.approval_asked",
    "secret.approved",
    "secret.claimed",
  ]);
});

test("what is refused, or isn't decided in time, is asked for anew by the next call", async () => {
  await using place = await setUp();
  const { url, id } = await runTool(sendText, { text: "precious", approval: "team" }, place.agent);
  const input = { env: { SECRET: url }, command: ["true"], approval_timeout_seconds: 0 };
  const run = (more: object = {}) => errorOf(runTool(runWithSecret, { ...input, ...more }, place.agent));
  await run();
  const [first] = await place.asks();
  await place.decide(first.id, "--refuse");
  expect(await run()).toMatchObject({ code: "approval_refused" });
  await run();
  const [second] = await place.asks();
  expect(second.id).not.toBe(first.id);
  place.server.backend.clock.advance(3_600_000);
  expect(await run()).toMatchObject({
    code: "approval_required",
    message: expect.stringContaining("Nobody has let you in"),
  });
  await run();
  const [third] = await place.asks();
  await place.decide(third.id);
  // The approval ends before it is used.
  place.server.backend.clock.advance(600_000);
  expect(await run()).toMatchObject({ code: "approval_required" });
  expect(await runTool(secretStatus, { id }, place.agent)).toMatchObject({ claims: 0 });
  await run();
  const [fourth] = await place.asks();
  await place.decide(fourth.id);
  expect(await runTool(runWithSecret, input, place.agent)).toMatchObject({ exit_code: 0 });
});

test("a canceled call leaves its ask, with which the next one goes on", async () => {
  await using place = await setUp();
  const { url } = await runTool(sendText, { text: "precious", approval: "team" }, place.agent);
  const cancel = new AbortController();
  const { promise: isAsked, resolve } = Promise.withResolvers<void>();
  const call = { signal: cancel.signal, report: async () => resolve() };
  const opening = errorOf(runTool(openAsText, { url }, place.agent, call));
  await isAsked;
  cancel.abort();
  expect(await opening).toMatchObject({ code: "interrupted" });
  const [ask] = await place.asks();
  await place.decide(ask.id);
  expect(await runTool(openAsText, { url }, place.agent)).toMatchObject({ text: "precious" });
});
