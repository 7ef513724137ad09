import { expect, test } from "bun:test";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createAgeIdentity } from "../../src/crypto/age-identities.ts";
import { formatBackupLink } from "../../src/crypto/backup-links.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

const LONGEST_MS = 180 * 86_400_000;

/** Somebody who asked for a secret at the server of this test, with an API key of their team. */
async function openAsked(flags: readonly string[] = []) {
  const folder = temporaryFolder();
  const server = await startTestServer();
  let lie: ((request: Record<string, unknown>) => object) | undefined;
  const proxy = startLiar(server.url, (request) => lie?.(request) ?? request);
  const [key, other] = [await server.backend.mint({ team: "ours" }), await server.backend.mint({ team: "theirs" })];
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: proxy.url.origin };
  const run = (args: readonly string[], apiKey = key.token, stdin = "") =>
    runHere(args, { ...env, HANDOFF_API_KEY: apiKey }, stdin);
  const { stdout } = await run(["request", "--json", ...flags]);
  const { id, url } = JSON.parse(stdout) as { readonly id: string; readonly url: string };
  const kept = join(folder.path, "handoff", "requests");
  return {
    id,
    url,
    server: server.url,
    /** Where the commands call the server. */
    proxy: proxy.url.origin,
    run,
    folder: folder.path,
    otherKey: other.token,
    files: () => readdirSync(kept).map((name) => join(kept, name)),
    /** Changes what is answered about a request from now on; undefined for honest answers. */
    answer: (change: typeof lie) => void (lie = change),
    async [Symbol.asyncDispose]() {
      await proxy.stop(true);
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Something in front of the server at `url`, which changes what the server says about one request. */
function startLiar(url: string, change: (request: Record<string, unknown>) => object) {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(call) {
      const { pathname, search } = new URL(call.url);
      const headers = new Headers(call.headers);
      headers.delete("host");
      const body = call.method === "GET" ? null : await call.arrayBuffer();
      const answer = await fetch(`${url}${pathname}${search}`, { method: call.method, headers, body });
      const isLie = call.method === "GET" && /\/requests\/req_\w+$/.test(pathname) && answer.ok;
      const text = await answer.text();
      return new Response(isLie ? JSON.stringify(change(JSON.parse(text))) : text, answer);
    },
  });
}

const ENDED_AT = "2026-11-21T09:30:00.000Z";
const NONE = { submissions: [], submission_count: 0, ended_at: ENDED_AT };

test.each([
  ["revoked, with nothing handed in", () => ({ ...NONE, state: "revoked" })],
  ["expired, with nothing handed in", () => ({ ...NONE, state: "expired" })],
  ["fulfilled, with nothing handed in", () => ({ ...NONE, state: "fulfilled" })],
  [
    "fulfilled, with everything collected elsewhere",
    ({ submissions }: Record<string, unknown>) => ({
      state: "fulfilled",
      submissions: (submissions as object[]).map((each) => ({ ...each, state: "claimed" })),
    }),
  ],
])("a wrong answer that a request is %s costs no key, and a later honest one is believed", async (_, lie) => {
  await using asked = await openAsked();
  await asked.run(["submit", asked.url], undefined, "precious");
  asked.answer((request) => ({ ...request, ...lie(request) }));
  expect(await asked.run(["collect"])).toMatchObject({ exitCode: 0 });
  // It was listed once.
  expect(await asked.run(["collect", "--json"])).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  for (const args of [
    ["collect", asked.id],
    ["collect", asked.id, "--wait"],
  ]) {
    expect(await asked.run(args)).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("Nothing to collect") });
  }
  asked.answer(undefined);
  expect(await asked.run(["collect", asked.id])).toMatchObject({ exitCode: 0, stdout: "precious" });
  expect(asked.files()).toEqual([]);
});

test("the key to a request for several stays until as many were collected here as were asked for", async () => {
  await using asked = await openAsked(["--submissions", "2"]);
  await asked.run(["submit", asked.url], undefined, "first");
  const lie = { state: "fulfilled", max_submissions: 1, ended_at: ENDED_AT };
  asked.answer((request) => ({ ...request, ...lie }));
  const output = ["--output", asked.folder];
  expect(await asked.run(["collect", asked.id, ...output])).toMatchObject({ exitCode: 0 });
  expect(asked.files()).toHaveLength(1);
  expect(await asked.run(["collect", asked.id, ...output])).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("You collected what was handed in"),
  });
  asked.answer(undefined);
  await asked.run(["submit", asked.url], undefined, "second");
  expect(await asked.run(["collect", asked.id, ...output])).toMatchObject({ exitCode: 0 });
  expect(asked.files()).toEqual([]);
});

test("a request that ended without anything doesn't fail the list when the server forgets it", async () => {
  await using asked = await openAsked();
  await asked.run(["revoke", asked.id]);
  expect(await asked.run(["collect"])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("revoked") });
  expect(await asked.run(["collect", "--json"], asked.otherKey)).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  expect(asked.files()).toHaveLength(1);
  for (const each of asked.files()) utimesSync(each, new Date(), new Date(Date.now() - LONGEST_MS - 60_000));
  await asked.run(["collect"]);
  expect(asked.files()).toEqual([]);
});

test("a list with the API key of another team deletes no private key, and says what it can't see", async () => {
  await using asked = await openAsked();
  await asked.run(["submit", asked.url], undefined, "precious");
  expect(await asked.run(["collect"], asked.otherKey)).toEqual({
    exitCode: 3,
    stdout: "",
    stderr: `handoff: The server doesn't show this API key the request ${asked.id}. Nothing was deleted: its private key stays on this machine. Use the API key of the team that asked, or check the server URL.\n`,
  });
  const listed = await asked.run(["collect", "--json"], asked.otherKey);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id: asked.id, state: null, waiting: null }]);
  expect(JSON.parse(listed.stderr)).toMatchObject({ error: { code: "credential", exit_code: 3 } });
  expect(await asked.run(["collect", asked.id])).toMatchObject({ exitCode: 0, stdout: "precious" });
  expect(asked.files()).toEqual([]);
});

test("a key is deleted for not being shown once nothing can wait any more, by the clock of this machine", async () => {
  await using asked = await openAsked();
  const keptAgo = (milliseconds: number) => {
    for (const each of asked.files()) utimesSync(each, new Date(), new Date(Date.now() - milliseconds));
  };
  keptAgo(LONGEST_MS - 60_000);
  expect(await asked.run(["collect"], asked.otherKey)).toMatchObject({ exitCode: 3 });
  keptAgo(LONGEST_MS + 60_000);
  expect(await asked.run(["collect"], asked.otherKey)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(/^There is nothing to collect on this machine from .*\.\n$/),
  });
  expect(asked.files()).toEqual([]);
});

test("the key to a request that was revoked stays while something that was handed in waits", async () => {
  await using asked = await openAsked();
  const several = JSON.parse((await asked.run(["request", "--json", "--submissions", "2"])).stdout);
  await asked.run(["submit", several.url], undefined, "precious");
  await asked.run(["revoke", several.id]);
  await asked.run(["revoke", asked.id]);
  const { exitCode, stdout } = await asked.run(["collect"]);
  expect({ exitCode, waiting: /(req_\S+) +revoked +1 /.exec(stdout)?.[1] }).toEqual({
    exitCode: 0,
    waiting: several.id,
  });
  expect(asked.files()).toContainEqual(expect.stringContaining(several.id));
});

test("status and revoke take the link of a request, and its backup link, for the ID in it", async () => {
  await using asked = await openAsked();
  const { proxy, id } = asked;
  const backup = formatBackupLink({ baseUrl: proxy, id, ...(await createAgeIdentity("x25519")) });
  const url = asked.url.replace(asked.server, proxy);
  for (const link of [url, backup]) {
    expect(await asked.run(["status"], undefined, link)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("0 of 1 handed in"),
    });
  }
  expect(await asked.run(["status"], undefined, url.slice(0, -1))).toMatchObject({ exitCode: 2, stdout: "" });
  const elsewhere = url.replace(proxy, "https://other.example");
  for (const command of ["status", "revoke"]) {
    expect(await asked.run([command], undefined, elsewhere)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("the link is of another server"),
    });
  }
  expect(await asked.run(["revoke"], undefined, url)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(`nothing can be handed in for ${asked.id} any more`),
  });
  expect((await asked.run(["status", asked.id])).stdout).toStartWith("revoked");
});

test("a request link is taken for no secret, and one that can't be read as such is said to be why", async () => {
  await using asked = await openAsked();
  const link = join(asked.folder, "link");
  await Bun.write(link, asked.url);
  const submit = async (args: readonly string[], stdin: string) => {
    const { exitCode, stderr } = await asked.run(["submit", ...args], undefined, stdin);
    return { exitCode, said: stderr.trim().split("\n").at(-1) };
  };
  expect(await submit(["--link-file", link], `${asked.url}\n`)).toEqual({
    exitCode: 2,
    said: "handoff: The secret is a request link, so nothing was handed in. With --link-file, standard input is the secret.",
  });
  expect(await submit([], `${asked.url}\nprecious\n`)).toEqual({
    exitCode: 2,
    said: "handoff: Standard input has more than one line, and a link is one line.",
  });
  expect(await submit([], `"${asked.url}"\n`)).toEqual({
    exitCode: 2,
    said: "handoff: Standard input was the link. Name a file with the secret, or use --env.",
  });
  expect(await submit([], `See ${asked.url}\n`)).toEqual({
    exitCode: 2,
    said: "handoff: This is not a request link: it has to look like https://handoff.example/r/req_…#1.…",
  });
  expect(await asked.run(["collect", asked.id])).toMatchObject({ exitCode: 7 });
});

test("an empty file is sent as one, and an empty text isn't sent", async () => {
  await using asked = await openAsked();
  const empty = join(asked.folder, "empty");
  await Bun.write(empty, "");
  expect(await asked.run(["send", empty])).toMatchObject({ exitCode: 0 });
  for (const stdin of ["", "\n", "\r\n\n"]) {
    expect(await asked.run(["send"], undefined, stdin)).toMatchObject({ exitCode: 2, stdout: "" });
    expect(await asked.run(["submit", asked.url], undefined, stdin)).toMatchObject({ exitCode: 2 });
  }
  expect(await asked.run(["submit", asked.url, empty])).toMatchObject({ exitCode: 0 });
});

test("a wait with --timeout ends with 7 when nothing was handed in, and the request goes on", async () => {
  await using asked = await openAsked();
  expect(await asked.run(["collect", asked.id, "--wait", "--timeout", "1s"])).toEqual({
    exitCode: 7,
    stdout: "",
    stderr: "handoff: Nothing has been handed in yet. The time to wait is over.\n",
  });
  const waited = await asked.run(["request", "--wait", "--timeout", "1s"]);
  const [link = ""] = waited.stderr.split("\n");
  expect(waited).toMatchObject({ exitCode: 7, stdout: "" });
  expect(waited.stderr).toMatch(/The time to wait is over\. Go on with: handoff collect req_\w+ --wait\n$/);
  await asked.run(["submit", link], undefined, "later");
  const id = /req_\w+/.exec(link)?.[0] ?? "";
  expect(await asked.run(["collect", id, "--wait", "--timeout", "30s"])).toMatchObject({
    exitCode: 0,
    stdout: "later",
  });
  for (const args of [
    ["collect", asked.id, "--timeout", "1s"],
    ["request", "--timeout", "1s"],
    ["collect", asked.id, "--wait", "--timeout", "soon"],
  ]) {
    expect(await asked.run(args)).toMatchObject({ exitCode: 2, stdout: "" });
  }
});
