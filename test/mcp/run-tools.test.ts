import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { exampleId } from "../../src/contract/ids.ts";
import { runWithSecret } from "../../src/mcp/run-tools.ts";
import { InputError } from "../../src/mcp/tools.ts";
import type { Workspace } from "../../src/mcp/workspace.ts";
import { errorOf } from "../support/clients.ts";
import { createTestWorkspace, runTool } from "../support/workspaces.ts";

const LINK = "https://handoff.example/s/sec_1#1.key";
const REQUEST_ID = exampleId("request");
const env = { PASSWORD: LINK, TOKEN: `request:${REQUEST_ID}` };
const command = ["./deploy", "staging"];

/** A workspace with a secret for the link, and a submission. */
const workspaceOf = (text: string | undefined = "one\n", changes: Partial<Workspace> = {}) =>
  createTestWorkspace({ secrets: { [LINK]: text, [REQUEST_ID]: "two" }, changes });
const messageOf = async (input: object, workspace = workspaceOf()) => {
  const error = await errorOf(runTool(runWithSecret, { command, ...input }, workspace));
  return error instanceof InputError ? error.message : error;
};

test("all secrets are found before the first is claimed, and acknowledged after the command has started", async () => {
  const workspace = workspaceOf();
  const result = await runTool(runWithSecret, { env, command }, workspace);
  expect(result).toEqual({
    exit_code: 3,
    stdout: "out",
    stderr: "",
    truncated: false,
    timed_out: false,
    senders: { PASSWORD: null, TOKEN: null },
  });
  expect(workspace.steps).toEqual([
    "check ./deploy staging",
    "find 0",
    "find 1",
    "open 0",
    "open 1",
    'start ./deploy staging with {"PASSWORD":"one","TOKEN":"two"}',
    "finish 0",
    "finish 1",
    "let go of 1",
    "let go of 0",
  ]);
});

test("fields of one request are opened once, and without a field a request is opened for each variable", async () => {
  const workspace = workspaceOf();
  const fields = { DB_USER: `request:${REQUEST_ID}#user`, LINKED: LINK, DB_PASSWORD: `request:${REQUEST_ID}#SSH key` };
  await runTool(runWithSecret, { env: fields, command }, workspace);
  expect(workspace.steps).toEqual([
    "check ./deploy staging",
    "find 1",
    "find 0",
    "open 1",
    "open 0",
    'start ./deploy staging with {"DB_USER":"twouser","DB_PASSWORD":"twoSSH key","LINKED":"one"}',
    "finish 1",
    "finish 0",
    "let go of 0",
    "let go of 1",
  ]);
  const whole = workspaceOf();
  const twice = { ONE: `request:${REQUEST_ID}`, OTHER: `request:${REQUEST_ID}` };
  await runTool(runWithSecret, { env: twice, command }, whole);
  expect(whole.steps.filter((step) => step === "open 1")).toHaveLength(2);
  // All of it beside one of its fields is the same secret.
  for (const both of [
    { ALL: `request:${REQUEST_ID}`, ONE: `request:${REQUEST_ID}#user` },
    { ONE: `request:${REQUEST_ID}#user`, ALL: `request:${REQUEST_ID}` },
  ]) {
    const mixed = workspaceOf();
    await runTool(runWithSecret, { env: both, command }, mixed);
    expect(mixed.steps.filter((step) => step === "open 1")).toHaveLength(1);
  }
});

test("how what was handed in differs is said by the name of the variable, and of the others nothing", async () => {
  const differences = { missing: ["password"], unasked: 1 };
  const base = workspaceOf();
  const workspace = workspaceOf("one", {
    find: async (source, signal) => {
      const found = await base.find(source, signal);
      const open = async () => ({ ...(await found.open()), differences: source.kind === "link" ? null : differences });
      return { ...found, open };
    },
  });
  const result = await runTool(runWithSecret, { env, command }, workspace);
  expect(result["differs"]).toEqual({ TOKEN: differences });
  expect(Value.Check(runWithSecret.output, result)).toBeTrue();
});

test("a field that isn't there is said not to be, without the names that are", async () => {
  const missing = createTestWorkspace({ secrets: { [REQUEST_ID]: undefined } });
  expect(await messageOf({ env: { A: `request:${REQUEST_ID}#user` } }, missing)).toBe(
    "What was handed in doesn't have that field. Without a field, all of it is used. [rescue of 1]",
  );
  expect(missing.steps).not.toContain("finish 0");
});

test("if one of several secrets isn't found, none is claimed", async () => {
  const workspace = workspaceOf();
  const missing = { env: { PASSWORD: LINK, TOKEN: `${LINK}2` } };
  expect(await messageOf(missing, workspace)).toBe("no such secret");
  expect(workspace.steps).toEqual(["check ./deploy staging", "find 0", "let go of 0"]);
});

test("if the command is missing or fails to start, the same call can be repeated", async () => {
  const fail = () => {
    throw new InputError("no such command");
  };
  const first = workspaceOf("one", { checkCommand: fail });
  expect(await messageOf({ env }, first)).toBe("no such command");
  expect(first.steps).toEqual([]);
  const second = workspaceOf("one", { start: async () => fail() });
  expect(await messageOf({ env }, second)).toBe("no such command");
  expect(second.steps.filter((step) => step.startsWith("finish"))).toEqual([]);
});

test("text that is neither a link nor a request is refused without quoting it, because it may be the secret", async () => {
  for (const source of ["hunter2", "request:hunter2", `request:${REQUEST_ID}x`, "ftp://hunter2"]) {
    const message = await messageOf({ env: { PASSWORD: source } });
    expect(message).toStartWith("The value for PASSWORD must be a link, or request: and the ID of a request.");
    expect(message).not.toContain("hunter2");
  }
  for (const name of [LINK, "A-B", "1A", "A".repeat(257)]) {
    const message = await messageOf({ env: { [name]: "PASSWORD" } });
    expect(message).toContain("one of the names is not a name");
    expect(message).not.toContain(name);
  }
  expect(await messageOf({ env: { PATH: LINK } })).toContain("PATH can't be set here: it says where programs are.");
});

test("one link can't be used for two variables", async () => {
  const workspace = workspaceOf();
  expect(await messageOf({ env: { A: LINK, B: LINK } }, workspace)).toStartWith("A and B name the same link.");
  expect(workspace.steps).toEqual(["check ./deploy staging"]);
});

test("content that doesn't fit into a variable is refused before the claim if possible, or can be opened otherwise", async () => {
  const large = createTestWorkspace({ secrets: { [LINK]: "" }, found: { leastBytes: 128 * 1024 + 1 } });
  const input = { env: { PASSWORD: LINK } };
  expect(await messageOf(input, large)).toContain("It hasn't been opened: use open_to_file or collect_to_file.");
  expect(large.steps).not.toContain("open 0");
  for (const text of [undefined, "a\0b", "x".repeat(128 * 1024 - "PASSWORD=".length)]) {
    const workspace = createTestWorkspace({ secrets: { [LINK]: text } });
    expect(await messageOf(input, workspace)).toEndWith("[rescue of 1]");
    expect(workspace.steps).toEqual(["check ./deploy staging", "find 0", "open 0", "let go of 0"]);
  }
  const blank = createTestWorkspace({ secrets: { [LINK]: "" } });
  expect(await messageOf(input, blank)).toBe("The secret for PASSWORD is an empty text. [rescue of 1]");
  const longest = createTestWorkspace({ secrets: { [LINK]: "x".repeat(128 * 1024 - "PASSWORD=".length - 1) } });
  expect(await messageOf(input, longest)).toBeUndefined();
});

test("a canceled call starts no command", async () => {
  const controller = new AbortController();
  controller.abort();
  const workspace = workspaceOf();
  const { signal } = controller;
  expect(await errorOf(runTool(runWithSecret, { env, command }, workspace, { signal }))).toMatchObject({
    name: "AbortError",
  });
  expect(workspace.steps.filter((step) => /^(start|finish)/.test(step))).toEqual([]);
});
