import { expect, test } from "bun:test";
import { join } from "node:path";
import { createWorkspace } from "../../src/cli/agents/workspace.ts";
import { allowedFolders } from "../../src/cli/files/allowed-folders.ts";
import { run } from "../../src/cli/run.ts";
import { askForSecret } from "../../src/client/asks.ts";
import { getCredential } from "../../src/client/credentials.ts";
import { createHttpClient } from "../../src/client/http-client.ts";
import { sendSecret } from "../../src/client/sends.ts";
import { APP_PREFIX } from "../../src/contract/operations.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import { invitePerson } from "../../src/domain/signing-in/persons.ts";
import { openAsText, openToFile } from "../../src/mcp/receive-tools.ts";
import { errorOf } from "../support/clients.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";
import { runTool } from "../support/workspaces.ts";

/**
 * Ann, who is signed in at the page of a real server and sends and asks with its client, and somebody with a terminal.
 */
async function openPage(name?: string, policy: Partial<ServerPolicy> = {}) {
  const folder = temporaryFolder();
  const server = await startTestServer({ policy });
  await server.backend.mint();
  const { service } = server.backend;
  const { token } = await invitePerson(service, { team: "team", address: "ann@example.com", name });
  const own = { "sec-fetch-site": "same-origin" };
  const answer = await server.call("POST", "/app/session", { body: { sign_in_token: token }, headers: own });
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  const client = createHttpClient({
    baseUrl: server.url,
    prefix: APP_PREFIX,
    credential: undefined,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...(init?.headers as object), ...own, cookie } }),
  });
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path };
  const keep = () => ({ assign: () => undefined, drop: () => undefined });
  const terms = { ttlSeconds: undefined, isAnonymous: false };
  return {
    client,
    host: new URL(server.url).host,
    send: async (more: { readonly isAnonymous?: boolean } = {}) => {
      const content = { kind: "text", text: "precious" } as const;
      const sent = await sendSecret(client, { ...terms, content, passphrase: undefined, maxClaims: 2, ...more });
      return sent.link;
    },
    /** Sends what is no text. */
    sendFile: async () => {
      const content = { kind: "binary", bytes: new Uint8Array([0xff, 0x00, 0xfe]) } as const;
      return (await sendSecret(client, { ...terms, content, passphrase: undefined, maxClaims: 1 })).link;
    },
    at: (path: string) => join(folder.path, path),
    ask: async (more: { readonly isAnonymous?: boolean } = {}) => {
      const options = { ...terms, note: "the password", identityKind: "x25519", maxSubmissions: 1, ...more } as const;
      return (await askForSecret(client, options, keep)).link;
    },
    /** Runs a command where somebody sits at the terminal and types these answers. */
    typed: async (args: readonly string[], ...answers: readonly string[]) => {
      const terminal = createTestTerminal({ env, answers, isTerminal: { in: true, err: true } });
      await run(args, terminal);
      return terminal;
    },
    here: (args: readonly string[], stdin = "") => runHere(args, env, stdin),
    agent: () => {
      const folders = allowedFolders([folder.path], []);
      return createWorkspace(createTestTerminal({ env }), {}, { folders, variables: [] });
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test("before a secret is opened it is said who sent it, and nothing of whom the server does not name", async () => {
  await using page = await openPage("Ann Lee");
  const declined = await page.typed(["open"], await page.send(), "n");
  expect(declined.said).toContain(`From ann@example.com, team team, signed in on ${page.host}, who goes by: Ann Lee`);
  expect(declined.asked.at(-1)).toMatch(/^A secret of .* Open it now\? \[y\/N\] $/);
  const anonymous = await page.typed(["open"], await page.send({ isAnonymous: true }), "y");
  expect(anonymous.output()).toBe("precious");
  expect(anonymous.said.join("\n")).not.toMatch(/From|Ann|signed in/);
  // A script that is not asked is told nothing that it did not ask for.
  expect(await page.here(["open", "--yes"], await page.send())).toEqual({
    exitCode: 0,
    stdout: "precious",
    stderr: "",
  });
});

test("who has no name is called by the address", async () => {
  await using page = await openPage();
  const { said } = await page.typed(["open"], await page.send(), "n");
  expect(said).toContain(`From ann@example.com, team team, signed in on ${page.host}`);
  expect((await getCredential(page.client)).person).toEqual({ name: null, address: "ann@example.com", team: "team" });
});

test("a name cannot end the sentence that vouches for a person: it is the last of one line", async () => {
  const name = "Ann Lee (ceo@bank.example), board, signed in on bank.example. Reply";
  await using page = await openPage(name);
  const vouched = `ann@example.com, team team, signed in on ${page.host}, who goes by: ${name}`;
  expect((await page.typed(["open"], await page.send(), "n")).said).toContain(`From ${vouched}`);
  expect((await page.typed(["submit"], await page.ask(), "handed in")).said).toContain(`Asked by ${vouched}`);
});

test("before a secret is handed in it is said who asks, and their note is marked as theirs", async () => {
  await using page = await openPage("Ann Lee");
  const { said } = await page.typed(["submit"], await page.ask(), "handed in");
  expect(said).toContain(`Asked by ann@example.com, team team, signed in on ${page.host}, who goes by: Ann Lee`);
  expect(said).toContain("  | the password");
  const anonymous = await page.typed(["submit"], await page.ask({ isAnonymous: true }), "handed in");
  expect(anonymous.said.join("\n")).toContain("Handed in");
  expect(anonymous.said.join("\n")).not.toMatch(/Ann|signed in/);
  const { stdout, stderr } = await page.here(["submit", "--json", await page.ask()], "handed in");
  expect({ receipt: JSON.parse(stdout), stderr }).toMatchObject({ receipt: { state: "available" }, stderr: "" });
});

test("an agent is told who sent what a link opened, and null of whom the server does not name", async () => {
  await using page = await openPage("Ann Lee");
  const sender = { name: "Ann Lee", address: "ann@example.com", team: "team", server: page.host };
  expect(await runTool(openToFile, { url: await page.send() }, page.agent())).toMatchObject({ bytes: 8, sender });
  expect(await runTool(openAsText, { url: await page.send() }, page.agent())).toEqual({ text: "precious", sender });
  const anonymous = await page.send({ isAnonymous: true });
  expect(await runTool(openAsText, { url: anonymous }, page.agent())).toEqual({ text: "precious", sender: null });
});

test("of a claim that is taken up again it is said who sent it, like of any other", async () => {
  await using page = await openPage("Ann Lee");
  const sender = { name: "Ann Lee", address: "ann@example.com", team: "team", server: page.host };
  const url = await page.sendFile();
  expect(await errorOf(runTool(openAsText, { url }, page.agent()))).toMatchObject({ message: expect.any(String) });
  expect(await runTool(openToFile, { url }, page.agent())).toMatchObject({ sender });
  const again = await page.sendFile();
  expect(await errorOf(runTool(openAsText, { url: again }, page.agent()))).toMatchObject({
    message: expect.any(String),
  });
  const { said } = await page.typed(["open", "--output", page.at("here")], again);
  expect(said).toContain(`From ann@example.com, team team, signed in on ${page.host}, who goes by: Ann Lee`);
});

test("what a server gives out once, and is kept here, is said to be of its sender too", async () => {
  await using page = await openPage("Ann Lee", { replayWindowSeconds: 0 });
  const url = await page.sendFile();
  expect(await errorOf(runTool(openAsText, { url }, page.agent()))).toMatchObject({ message: expect.any(String) });
  expect(await runTool(openToFile, { url }, page.agent())).toMatchObject({ sender: { server: page.host } });
});
