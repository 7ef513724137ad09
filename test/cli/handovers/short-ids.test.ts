import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { runHere } from "../../support/terminals.ts";

test("the last six characters of an ID find what was sent, labelled or asked for", async () => {
  using folder = temporaryFolder();
  await using server = await startTestServer();
  const [mine, colleague] = [await server.backend.mint(), await server.backend.mint()];
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: server.url, HANDOFF_API_KEY: mine.token };
  const run = (args: readonly string[], stdin = "", more = {}) => runHere(args, { ...env, ...more }, stdin);
  const json = async (args: readonly string[], stdin = "", more = {}) =>
    JSON.parse((await run([...args, "--json"], stdin, more)).stdout);
  const short = (id: string) => id.slice(-6);

  const sent = await json(["send"], "hunter2");
  const asked = await json(["request"]);
  expect(await json(["status", short(sent.id)])).toMatchObject({ id: sent.id, state: "available" });
  // On another machine too: the server is asked.
  expect(await json(["status", short(asked.id)], "", { XDG_STATE_HOME: "/nonexistent" })).toMatchObject({
    id: asked.id,
  });
  expect(await json(["status", short(sent.id).toUpperCase()])).toMatchObject({ id: sent.id });
  expect(await json(["status", asked.id.toUpperCase()])).toMatchObject({ id: asked.id });
  expect((await run(["collect", short(asked.id)])).stderr).toContain("Nothing has been handed in yet");
  expect(await json(["revoke", short(sent.id)])).toMatchObject({ id: sent.id, state: "revoked" });
  expect(await json(["revoke", short(asked.id)])).toMatchObject({ id: asked.id, state: "revoked" });

  const other = { HANDOFF_API_KEY: colleague.token, XDG_STATE_HOME: "/nonexistent" };
  const theirs = await json(["send"], "hunter2", other);
  expect(await run(["revoke", short(theirs.id)])).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `handoff: Nothing that you sent or asked for has an ID that ends in '${short(theirs.id)}'. Check it, or give the whole ID.\n`,
  });
  expect(await run(["collect", short(sent.id)])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("No request that was made on this machine has an ID that ends in"),
  });
});

test("six characters that end several IDs are refused with the IDs", async () => {
  using folder = temporaryFolder();
  await using server = await startTestServer();
  const { token } = await server.backend.mint();
  const ids = ["sec_069q6gv7k1rqf8a0c2m4e6g8io", "sec_169q6gv7k1rqf8a0c2m4e6g8io"];
  const labels = join(folder.path, "handoff/labels");
  mkdirSync(labels, { recursive: true, mode: 0o700 });
  for (const id of ids) writeFileSync(join(labels, `${id}-0123456789abcdef`), "for Ann\n", { mode: 0o600 });
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: server.url, HANDOFF_API_KEY: token };
  const { exitCode, stderr } = await runHere(["revoke", "e6g8io"], env);
  expect({ exitCode, stderr: stderr.trim() }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(new RegExp(`^handoff: Several IDs end in 'e6g8io': (${ids.join(", ")}|.*)\\.$`)),
  });
  for (const id of ids) expect(stderr).toContain(id);
});
