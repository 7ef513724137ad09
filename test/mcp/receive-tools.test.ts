import { expect, test } from "bun:test";
import { exampleId } from "../../src/contract/ids.ts";
import { collectToFile, openAsText, openToFile } from "../../src/mcp/receive-tools.ts";
import { InputError } from "../../src/mcp/tools.ts";
import { errorOf } from "../support/clients.ts";
import { createTestWorkspace, runTool } from "../support/workspaces.ts";

const LINK = "https://handoff.example/s/sec_1#1.key";
const REQUEST_ID = exampleId("request");
const secrets = { [LINK]: "password", [REQUEST_ID]: "handed in" };

test("a secret is claimed only if its file can be created, and acknowledged only after it was", async () => {
  const workspace = createTestWorkspace({ secrets });
  const collected = await runTool(collectToFile, { request_id: REQUEST_ID, path: "new" }, workspace);
  expect(collected).toEqual({ path: "/allowed/new", bytes: 9, sha256: null, format: "file", remaining: 2 });
  expect(workspace.steps).toEqual(["find 1", "check new", "open 1", "create new of sec_1", "finish 1", "let go of 1"]);
  const opened = await runTool(openToFile, { url: LINK, path: "new" }, workspace);
  expect(opened).toEqual({ path: "/allowed/new", bytes: 8, sha256: null, format: "file", sender: null });
});

test("one field of what was handed in is written alone", async () => {
  const workspace = createTestWorkspace({ secrets });
  const collected = await runTool(collectToFile, { request_id: REQUEST_ID, field: "!", path: "new" }, workspace);
  expect(collected).toMatchObject({ path: "/allowed/new", bytes: "handed in!".length });
  expect(await runTool(openAsText, { request_id: REQUEST_ID, field: "!" }, workspace)).toMatchObject({
    text: "handed in!",
  });
  expect(await errorOf(runTool(openAsText, { url: LINK, field: "!" }, workspace))).toBeInstanceOf(InputError);
});

test("nothing is claimed for a file that can't be created", async () => {
  const checkNewFile = () => {
    throw new InputError("there is one");
  };
  const workspace = createTestWorkspace({ secrets, changes: { checkNewFile } });
  expect(await errorOf(runTool(openToFile, { url: LINK, path: "new" }, workspace))).toMatchObject({
    message: "there is one",
  });
  expect(workspace.steps).toEqual(["find 0", "let go of 0"]);
});

test("after a failed write, the same call can be repeated", async () => {
  const createFile = () => Promise.reject(new InputError("no room"));
  const workspace = createTestWorkspace({ secrets, changes: { createFile } });
  expect(await errorOf(runTool(openToFile, { url: LINK, path: "new" }, workspace))).toBeInstanceOf(InputError);
  expect(workspace.steps).toEqual(["find 0", "check new", "open 0", "let go of 0"]);
});

test("a repeated call accepts the file of the earlier one", async () => {
  const workspace = createTestWorkspace({ secrets, found: { isResumed: true } });
  await runTool(openToFile, { url: LINK, path: "new" }, workspace);
  expect(workspace.steps).not.toContain("check new");
});

test("text is returned on demand, from a link or a request", async () => {
  const workspace = createTestWorkspace({ secrets });
  expect(await runTool(openAsText, { url: LINK }, workspace)).toEqual({ text: "password", sender: null });
  expect(await runTool(openAsText, { request_id: REQUEST_ID }, workspace)).toEqual({ text: "handed in", sender: null });
  expect(workspace.steps.filter((step) => step.startsWith("finish"))).toEqual(["finish 0", "finish 1"]);
  for (const input of [{}, { url: LINK, request_id: REQUEST_ID }]) {
    expect(await errorOf(runTool(openAsText, input, workspace))).toMatchObject({
      message: "Give exactly one of `url` and `request_id`.",
    });
  }
});

test("content that isn't text, or is too long, can still be written to a file", async () => {
  for (const content of [undefined, "x".repeat(256 * 1024 + 1)]) {
    const workspace = createTestWorkspace({ secrets: { [LINK]: content } });
    expect(await errorOf(runTool(openAsText, { url: LINK }, workspace))).toMatchObject({
      message: expect.stringMatching(/^The secret isn't text, or has more than 256 KiB\. \[rescue of 1\]$/),
    });
    expect(workspace.steps).toEqual(["find 0", "open 0", "let go of 0"]);
  }
});

test("a canceled call returns no text and claims nothing", async () => {
  const controller = new AbortController();
  controller.abort();
  const workspace = createTestWorkspace({ secrets });
  const call = runTool(openAsText, { url: LINK }, workspace, { signal: controller.signal });
  expect(await errorOf(call)).toMatchObject({ name: "AbortError" });
  expect(workspace.steps).not.toContain("finish 0");
});
