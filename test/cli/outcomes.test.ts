import { afterAll, expect, test } from "bun:test";
import { createWorkspace } from "../../src/cli/agents/workspace.ts";
import { allowedFolders } from "../../src/cli/files/allowed-folders.ts";
import { openToFile } from "../../src/mcp/receive-tools.ts";
import { requestSecret } from "../../src/mcp/request-tools.ts";
import { revokeSecretOrRequest } from "../../src/mcp/secret-tools.ts";
import { sendText } from "../../src/mcp/send-tools.ts";
import type { Tool } from "../../src/mcp/tools.ts";
import { startLosingServer } from "../support/losing-servers.ts";
import { sharedPostgres } from "../support/shared-postgres.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";
import { runTool } from "../support/workspaces.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const AWAY = "The server can't use its storage right now.";

/** Somebody with an API key of a server that can lose its database. */
async function openLosing() {
  const place = await startLosingServer(cluster);
  const folder = temporaryFolder();
  const { token } = await place.server.backend.mint();
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: place.url, HANDOFF_API_KEY: token };
  /** Does what `act` does while the database is lost. */
  const whileLost = async <T>(act: () => Promise<T>): Promise<T> => {
    place.lose();
    const result = await act();
    await place.mend();
    return result;
  };
  const run = (args: readonly string[], stdin = "", more: Readonly<Record<string, string>> = {}) =>
    runHere(args, { ...env, ...more }, stdin);
  return {
    run,
    /** Runs a command while the database is lost; resolves with what it said last. */
    runLost: async (args: readonly string[], stdin = "", more: Readonly<Record<string, string>> = {}) => {
      const { exitCode, stdout, stderr } = await whileLost(() => run(args, stdin, more));
      return { exitCode, stdout, said: stderr.trimEnd().split("\n").at(-1) };
    },
    send: async () => JSON.parse((await run(["send", "--json"], "precious")).stdout) as { id: string; url: string },
    states: async () => {
      const { stdout } = await run(["list", "--json"]);
      return (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state);
    },
    folder: folder.path,
    env,
    whileLost,
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test("who sends or asks and is told nothing is told to look first, and that nobody has the link", async () => {
  await using it = await openLosing();
  expect(await it.runLost(["send"], "precious")).toEqual({
    exitCode: 6,
    stdout: "",
    said: `handoff: ${AWAY} It's not known whether the secret was stored. Look with 'handoff list' first. If it's there, revoke it with 'handoff revoke': nobody has its link. Then send the secret again.`,
  });
  expect(await it.states()).toEqual(["available"]);
  expect(await it.runLost(["request"])).toEqual({
    exitCode: 6,
    stdout: "",
    said: `handoff: ${AWAY} It's not known whether the request was made. Nobody has its link. Ask again: if it was made, it expires unused.`,
  });
  const json = await it.runLost(["send", "--json"], "precious");
  expect(JSON.parse(json.said ?? "")).toMatchObject({
    error: { code: "storage_unavailable", exit_code: 6, outcome: "unknown" },
  });
});

test("who hands in and is told nothing is told to ask whether it has arrived", async () => {
  await using it = await openLosing();
  const { stdout } = await it.run(["request", "--json"]);
  const { url, id } = JSON.parse(stdout) as { url: string; id: string };
  expect(await it.runLost(["submit", url], "precious")).toEqual({
    exitCode: 6,
    stdout: "",
    said: `handoff: ${AWAY} It's not known whether the secret was handed in. Ask the person who sent the link whether it arrived, before you hand it in again.`,
  });
  expect(await it.run(["collect", id])).toMatchObject({ exitCode: 0, stdout: "precious" });
});

test("what is said to do no harm when it is done again does what it says: the second run says it is done", async () => {
  await using it = await openLosing();
  const { id, url } = await it.send();
  expect(await it.runLost(["open", "--yes"], url)).toEqual({
    exitCode: 6,
    stdout: "",
    said: `handoff: ${AWAY} It's not known whether the secret was handed out. Run the same command again right away: it takes up the same claim.`,
  });
  expect(await it.run(["status", id, "--json"])).toMatchObject({ stdout: expect.stringContaining('"claimed"') });
  expect(await it.run(["open", "--yes"], url)).toMatchObject({ exitCode: 0, stdout: "precious" });
  const other = await it.send();
  expect(await it.runLost(["revoke", other.id])).toEqual({
    exitCode: 6,
    stdout: "",
    said: `handoff: ${AWAY} It's not known whether the secret was revoked. Run the same command again, which does no harm.`,
  });
  expect(await it.states()).toEqual(["revoked", "claimed"]);
  expect(await it.run(["revoke", other.id])).toMatchObject({ exitCode: 0 });
});

test("a claim that could be kept nowhere is not said to be taken up again", async () => {
  await using it = await openLosing();
  const { url } = await it.send();
  const nowhere = { HOME: "/proc/nowhere", XDG_STATE_HOME: "/proc/nowhere" };
  const { exitCode, said } = await it.runLost(["open", "--yes"], url, nowhere);
  expect({ exitCode, said }).toEqual({
    exitCode: 6,
    said: `handoff: ${AWAY} It's not known whether the secret was handed out. This claim can't be repeated. Run the same command again: if the secret has been opened, ask the sender for a new one.`,
  });
});

test("an agent is told the same, by the names of its tools", async () => {
  await using it = await openLosing();
  const { id, url } = await it.send();
  const folders = allowedFolders([it.folder], []);
  const workspace = createWorkspace(createTestTerminal({ env: it.env }), {}, { folders, variables: [] });
  const told = (tool: Tool, input: object) =>
    it.whileLost(() =>
      runTool(tool, input, workspace).then(JSON.stringify, (error: unknown) => workspace.explain(error)),
    );
  const REQUEST_ID = /( \(request id [-0-9a-f]{36}\))?$/;
  const sent = await told(sendText, { text: "precious" });
  expect(sent.replace(REQUEST_ID, "")).toBe(
    `${AWAY} It's not known whether the secret was stored. Look with list_secrets first. If it's there, revoke it with revoke_secret: nobody has its link. Then send the secret again.`,
  );
  expect((await told(openToFile, { url })).replace(REQUEST_ID, "")).toBe(
    `${AWAY} It's not known whether the secret was handed out. Call this tool again right away: it takes up the same claim.`,
  );
  expect(await runTool(openToFile, { url }, workspace)).toMatchObject({ bytes: "precious".length });
  const { id: second } = await it.send();
  expect((await told(revokeSecretOrRequest, { id: second })).replace(REQUEST_ID, "")).toBe(
    `${AWAY} It's not known whether the secret was revoked. Call this tool again, which does no harm.`,
  );
  expect(await runTool(revokeSecretOrRequest, { id: second }, workspace)).toEqual({ id: second, state: "revoked" });
  expect((await told(requestSecret, {})).replace(REQUEST_ID, "")).toBe(
    `${AWAY} It's not known whether the request was made. Nobody has its link. Call this tool again: if the first was made, it expires unused.`,
  );
  expect(id).not.toBe(second);
});
