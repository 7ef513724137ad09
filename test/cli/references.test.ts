import { expect, test } from "bun:test";
import { join } from "node:path";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

/** Somebody with an API key for the server of this test. */
async function setUp() {
  const folder = temporaryFolder();
  const server = await startTestServer();
  const { token } = await server.backend.mint();
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: server.url, HANDOFF_API_KEY: token };
  const run = (args: readonly string[], stdin = "", more = {}) => runHere(args, { ...env, ...more }, stdin);
  return {
    server,
    run,
    json: async (args: readonly string[], stdin = "") => JSON.parse((await run([...args, "--json"], stdin)).stdout),
    labels: join(folder.path, "handoff", "labels"),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test("what is sent has a ticket on the server and a label here, and both are shown where its state is", async () => {
  await using place = await setUp();
  const names = ["--reference", "OPS-4711", "--label", "router, for Ann"];
  const sent = await place.json(["send", ...names], "hunter2");
  expect(sent).toMatchObject({ reference: "OPS-4711", label: "router, for Ann" });
  await place.json(["send", "--reference", "OPS-12"], "hunter2");
  const { stdout } = await place.run(["status", sent.id]);
  expect(stdout).toMatch(
    /^waiting: .*\n(.*\n)*Reference: OPS-4711\nLabel: router, for Ann\n {2}.*  created with an API key .*\n$/,
  );
  expect(await place.json(["status", sent.id])).toMatchObject({ reference: "OPS-4711", label: "router, for Ann" });
  const listed = await place.run(["list", "--reference", "OPS-4711"]);
  expect(listed.stdout.split("\n")).toEqual([
    expect.stringMatching(/^ID .*ENDS +REFERENCE +LABEL$/),
    expect.stringMatching(new RegExp(`^${sent.id} .* OPS-4711 +router, for Ann$`)),
    "",
  ]);
  expect((await place.run(["list", "--reference", "OPS-4713"])).stderr).toBe("No secrets.\n");
  // The holder of the link gets neither, and the person who labelled it is not named.
  const other = await place.run(["status"], sent.url, { XDG_STATE_HOME: `${place.labels}-elsewhere` });
  expect(other).toMatchObject({ exitCode: 0, stdout: expect.not.stringMatching(/OPS|Ann/) });
  expect(await place.server.backend.storage.holds("for Ann")).toBe(false);
});

test("a list in which nothing has a name is as wide as ever", async () => {
  await using place = await setUp();
  await place.run(["send"], "hunter2");
  expect((await place.run(["list"])).stdout).toMatch(/^ID +STATE +CLAIMS +SIZE +CREATED +ENDS\n/);
});

test("what is asked for has them too, and what is handed in has the ticket", async () => {
  await using place = await setUp();
  const names = ["--reference", "OPS-4711", "--label", "from Ann"];
  const asked = await place.json(["request", ...names]);
  expect(asked).toMatchObject({ reference: "OPS-4711", label: "from Ann" });
  await place.run(["submit", asked.url], "hunter2");
  expect((await place.run(["status", asked.id])).stdout).toEndWith("Reference: OPS-4711\nLabel: from Ann\n");
  expect((await place.run(["collect"])).stdout).toMatch(/NOTE +REFERENCE +LABEL\n.* - +OPS-4711 +from Ann\n$/);
  expect(await place.json(["collect"])).toMatchObject([{ reference: "OPS-4711", label: "from Ann" }]);
  expect(await place.json(["list", "--reference", "OPS-4711"])).toMatchObject([{ request_id: asked.id, label: null }]);
  expect(await place.run(["collect", asked.id])).toMatchObject({ exitCode: 0, stdout: "hunter2" });
});

test("what is no ticket, and a label that is too long, are refused before anything is sent, and not repeated", async () => {
  await using place = await setUp();
  for (const command of ["send", "request", "list"]) {
    for (const reference of [
      "",
      "OPS",
      "OPS-4711\n",
      "%",
      "hunter2 is the password",
      "\u202eOPS-1",
      "x".repeat(100_000),
    ]) {
      const refused = await place.run([command, "--reference", reference], "hunter2");
      expect([command, refused.exitCode, refused.stdout]).toEqual([command, 2, ""]);
      expect(refused.stderr).toMatch(
        /^handoff: --reference must be the name of a ticket, such as OPS-4711: [\w ,-]+\.\n/,
      );
    }
  }
  for (const command of ["send", "request"]) {
    const refused = await place.run([command, "--label", "x".repeat(1024 * 1024)], "hunter2");
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toStartWith("handoff: --label can have 80 characters at most. Nothing was sent.\n");
  }
  expect((await place.run(["list"])).stderr).toBe("No secrets.\n");
});

test("a label can command no terminal and begin no line, and a program gets it as it was given", async () => {
  await using place = await setUp();
  const label = `\u001b]0;owned\u0007 \u202egnp.exe\nLabel: forged {"a": "%_'; --"} 🎫`;
  const sent = await place.json(["send", "--label", label], "hunter2");
  const inOneLine = label.replace("\n", " ");
  expect(sent.label).toBe(inOneLine);
  for (const args of [["status", sent.id], ["list"]]) {
    const { stdout } = await place.run(args);
    expect(stdout).toContain(`\uFFFD]0;owned\uFFFD \uFFFDgnp.exe Label: forged {"a": "%_'; --"} 🎫\n`);
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect((await place.json(args)) as unknown).toMatchObject(
      args[0] === "list" ? [{ label: inOneLine }] : { label: inOneLine },
    );
    expect((await place.run([...args, "--json"])).stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  }
});

test("where nothing can be kept, a secret is sent without its label, and that is said", async () => {
  await using place = await setUp();
  const sent = await place.run(["send", "--label", "router", "--json"], "hunter2", { XDG_STATE_HOME: "/proc/nothing" });
  expect(sent).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^The label wasn't kept\. .*\n$/) });
  expect(JSON.parse(sent.stdout)).toMatchObject({ label: null });
  expect(await place.json(["list"])).toHaveLength(1);
});
