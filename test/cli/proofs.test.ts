import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createWorkspace } from "../../src/cli/agents/workspace.ts";
import { allowedFolders } from "../../src/cli/files/allowed-folders.ts";
import { run } from "../../src/cli/run.ts";
import { saveLogin } from "../../src/cli/state/logins.ts";
import { beginLogin, pollLogin } from "../../src/client/signing-in/logins.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { openAsText, openToFile } from "../../src/mcp/receive-tools.ts";
import { runWithSecret } from "../../src/mcp/run-tools.ts";
import { secretStatus } from "../../src/mcp/secret-tools.ts";
import { sendText } from "../../src/mcp/send-tools.ts";
import { errorOf } from "../support/clients.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";
import { runTool } from "../support/workspaces.ts";

const OWN = { "sec-fetch-site": "same-origin" };
const PATH = process.env["PATH"] ?? "";
const [ANN, BOB] = ["ann@example.com", "bob@example.com"];

/** A sender with an API key, and Ann, who is logged in by the browser on a machine of her own. */
async function setUp(policy: Partial<ServerPolicy> = { sendsMails: true }) {
  const [folder, sendersFolder] = [temporaryFolder(), temporaryFolder()];
  const server = await startTestServer({ policy });
  const { token: key } = await server.backend.mint();
  const env = { HOME: folder.path, XDG_CONFIG_HOME: folder.path, XDG_STATE_HOME: folder.path, PATH };
  const { token } = await invitePerson(server.backend.service, { team: "team", address: ANN, name: undefined });
  const signedIn = await server.call("POST", "/app/session", { body: { sign_in_token: token }, headers: OWN });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const login = { baseUrl: server.url, fetch, signal: new AbortController().signal };
  const begun = await beginLogin(login, "machine");
  const path = `/app/logins/${begun.user_code.replace("-", "").toLowerCase()}`;
  await server.call("POST", path, { headers: { ...OWN, cookie } });
  const answer = await pollLogin(login, begun.device_code);
  if (answer?.api_key == null) throw new Error("Ann wasn't let in");
  const kept = { baseUrl: server.url, allowHttp: false, apiKey: answer.api_key, isByBrowser: true };
  await saveLogin(createTestTerminal({ env }), kept);
  const sender = { HOME: sendersFolder.path, HANDOFF_URL: server.url, HANDOFF_API_KEY: key };
  const send = (args: readonly string[], stdin = "precious") => runHere(args, sender, stdin);
  return {
    server,
    env,
    folder: folder.path,
    send,
    json: async (args: readonly string[], stdin?: string) =>
      JSON.parse((await send([...args, "--json"], stdin)).stdout),
    /** Runs a command on Ann's machine, where nobody is at the terminal. */
    here: (args: readonly string[], stdin: string) => runHere(args, env, stdin),
    /** Runs a command on Ann's machine, and types these answers. */
    typed: async (args: readonly string[], ...answers: readonly string[]) => {
      const at = createTestTerminal({ env, answers, isTerminal: { in: true, err: true } });
      return { ...at, exitCode: await run(args, at) };
    },
    logOut: () => rmSync(join(folder.path, "handoff/login.json")),
    agent: () => {
      const folders = allowedFolders([folder.path], []);
      return createWorkspace(createTestTerminal({ env: { ...env, ...sender } }), {}, { folders, variables: [] });
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      for (const each of [folder, sendersFolder]) each[Symbol.dispose]();
    },
  };
}

test("what is sent for somebody says so, in lists too", async () => {
  await using place = await setUp();
  const args = ["send", "--for", `${ANN}, *@example.org`, "--for", BOB];
  const sent = await place.send(args);
  expect(sent.stderr).toContain(`The secret can be opened once by ${ANN}, *@example.org, ${BOB} until `);
  const { id, for: chosen } = await place.json(args);
  expect(chosen).toEqual([ANN, "*@example.org", BOB]);
  expect((await place.send(["status", id])).stdout).toContain(`\nFor: ${ANN}, *@example.org, ${BOB}\n`);
  expect((await place.send(["list"])).stdout).toMatch(/ENDS +FOR\n.* ann@example\.com \+2\n/);
  expect(await place.json(["list"])).toMatchObject([{ for: chosen }, { for: chosen }]);
  const asked = await place.send(["request", "--for", ANN]);
  expect(asked.stderr).toContain(`One secret can be handed in by ${ANN} through this link until `);
  const request = await place.json(["request", "--for", ANN]);
  expect(request.for).toEqual([ANN]);
  expect((await place.send(["status", request.id])).stdout).toEndWith(`For: ${ANN}\n`);
});

test("whom nothing can be for is said before anything is sent", async () => {
  await using place = await setUp();
  const many = Array.from({ length: 21 }, (_, at) => `p${at}@example.com`).join(",");
  for (const command of ["send", "request"]) {
    for (const chosen of [
      "",
      "ann",
      "*",
      "ann@",
      `${ANN},`,
      "a b@example.com",
      `${"x".repeat(60)}@example.com`,
      many,
    ]) {
      const refused = await place.send([command, "--for", chosen]);
      expect([command, chosen, refused.exitCode, refused.stdout]).toEqual([command, chosen, 2, ""]);
      expect(refused.stderr).toMatch(/^handoff: It can be for .* Nothing was sent\.\n$/);
    }
  }
  await using other = await setUp({ sendsMails: false, signInWays: ["link"] });
  for (const command of ["send", "request"]) {
    const refused = await other.send([command, "--for", ANN]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toStartWith("handoff: This server can't have an address proven: ");
  }
  expect((await place.send(["list"])).stderr).toBe("No secrets.\n");
});

test("a login by the browser proves its address without a question", async () => {
  await using place = await setUp();
  const { url, id } = await place.json(["send", "--for", ANN]);
  expect(await place.here(["open", "--yes"], url)).toEqual({ exitCode: 0, stdout: "precious", stderr: "" });
  expect((await place.send(["status", id])).stdout).toEndWith(` opened by ${ANN}, who proved it\n`);
  const shown = await place.typed(["open", "--yes", (await place.json(["send", "--for", ANN])).url]);
  expect(shown).toMatchObject({ exitCode: 0, asked: [] });
  expect(shown.said).toContain(`This is for a…@example.com. Your login proves that you are ${ANN}.`);
  const asked = await place.json(["request", "--for", ANN]);
  expect(await place.here(["submit", asked.url], "handed in")).toMatchObject({ exitCode: 0 });
  const [{ id: handedIn }] = await place.json(["list"]);
  expect((await place.send(["status", handedIn])).stdout).toContain(`  handed in by ${ANN}, who proved it\n`);
});

test("without a proof that counts nothing is opened, and nothing is kept of the attempt", async () => {
  await using place = await setUp();
  const { url, id } = await place.json(["send", "--for", BOB]);
  const advice =
    "To prove who you are, log in with 'handoff login --browser', run this on a terminal, or open the link in a browser.";
  expect(await place.here(["open", "--yes"], url)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `handoff: This is for b…@example.com. It isn't for ${ANN}, who is logged in here. ${advice}\n`,
  });
  const asked = await place.typed(["open", "--yes", url], "nobody", BOB, "1234", "");
  expect(asked.exitCode).toBe(1);
  expect(asked.asked).toEqual([
    "Your address: ",
    "Your address: ",
    "Code (Enter alone to change the address): ",
    "Code (Enter alone to change the address): ",
    "Your address: ",
  ]);
  expect(asked.said).toEqual(
    expect.arrayContaining(["That isn't an address. One looks like ann@example.com.", "A code has 8 digits."]),
  );
  place.logOut();
  expect(await place.here(["open", "--yes"], url)).toMatchObject({
    exitCode: 1,
    stderr: `handoff: This is for b…@example.com. ${advice}\n`,
  });
  const request = await place.json(["request", "--for", BOB]);
  expect(await place.here(["submit", request.url], "handed in")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`handoff: This is for b…@example.com. ${advice}\n`),
  });
  const command = ["run", "--env", "SECRET=@-", "--", "true"];
  expect(await place.here(command, url)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(advice) });
  expect(await place.json(["status", id])).toMatchObject({ state: "available", claims: 0 });
  expect([...new Bun.Glob("**/claims/*").scanSync(place.folder)]).toEqual([]);
});

test("where no code can be mailed, and nobody is logged in, it is said how to prove an address", async () => {
  await using place = await setUp({ sendsMails: false, signInWays: ["link", "oidc"] });
  const { url } = await place.json(["send", "--for", ANN]);
  place.logOut();
  const { exitCode, said } = await place.typed(["open", "--yes", url], ANN);
  expect({ exitCode, last: said.at(-1) }).toEqual({
    exitCode: 1,
    last: expect.stringContaining("handoff: This is for a…@example.com. To prove who you are, log in with"),
  });
});

test("what needs an approval too asks for one proof, and the approver sees the address", async () => {
  await using place = await setUp({ sendsMails: true, waitingCalls: 100 });
  const { url, id } = await place.json(["send", "--for", ANN, "--approval", "sender"]);
  const opening = place.typed(["open", "--yes", url]);
  const [ask] = await place.json(["approve", "--wait"]);
  expect(ask).toMatchObject({ secret_id: id, address: ANN, identity: null });
  expect((await place.send(["approve"])).stdout).toContain(`  ${ANN}  `);
  await place.send(["approve", ask.id]);
  const { exitCode, said, asked } = await opening;
  expect({ exitCode, asked }).toEqual({ exitCode: 0, asked: [] });
  expect(said.filter((line) => line.startsWith("This is for"))).toHaveLength(1);
  expect((await place.send(["status", id])).stdout).toMatch(
    new RegExp(` opened by ${ANN}, who proved it: \\w+, \\w+, \\w+\n$`),
  );
  // Nobody asks without a proof.
  const other = await place.json(["send", "--for", BOB, "--approval", "sender"]);
  expect(await place.here(["open", "--yes"], other.url)).toMatchObject({ exitCode: 1 });
  expect(await place.json(["approve"])).toEqual([]);
});

test("a claim that was made with a proof is repeated without one", async () => {
  await using place = await setUp();
  const { url, id } = await place.json(["send", "--for", ANN], "no\0variable");
  const failed = await place.here(["run", "--env", "SECRET=@-", "--", "true"], url);
  expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("isn't text") });
  place.logOut();
  expect(await place.here(["open", "--yes"], url)).toEqual({ exitCode: 0, stdout: "no\0variable", stderr: "" });
  expect(await place.json(["status", id])).toMatchObject({ state: "claimed", claims: 1 });
});

test("an agent proves nothing, even where a person is logged in, and reads that a person has to open it", async () => {
  await using place = await setUp();
  const agent = place.agent();
  const { url, id } = await runTool(sendText, { text: "precious", for: [ANN] }, agent);
  const told =
    "This secret is for chosen people, and an agent can't prove an address. It wasn't opened. The server says that it is for: a…@example.com. Give the link to one of them: they open it in a browser, or with 'handoff open' in a terminal.";
  for (const [tool, input] of [
    [openAsText, { url }],
    [openToFile, { url }],
    [runWithSecret, { env: { SECRET: url }, command: ["true"] }],
  ] as const) {
    expect(await errorOf(runTool(tool, input, agent))).toMatchObject({ code: "proof_required", message: told });
  }
  expect(await runTool(secretStatus, { id }, agent)).toMatchObject({ claims: 0, for: [ANN] });
  expect(await runTool(secretStatus, { url }, agent)).toMatchObject({ for: ["a…@example.com"] });
});
