import { expect, test } from "bun:test";
import { Credential } from "../../src/contract/credentials.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { RequestMetadata } from "../../src/contract/requests.ts";
import { Secret } from "../../src/contract/secrets.ts";
import { requestSecret, waitForAnswer } from "../../src/mcp/request-tools.ts";
import { revokeSecretOrRequest } from "../../src/mcp/secret-tools.ts";
import { sendFileOrVariable, sendText } from "../../src/mcp/send-tools.ts";
import { createTestClient, errorOf, exampleOf, refuse, takenTerms } from "../support/clients.ts";
import type { TestAnswers } from "../support/clients.ts";
import { createTestWorkspace, runTool } from "../support/workspaces.ts";

const [ID, REQUEST_ID] = [exampleId("secret"), exampleId("request")];
const BASE_URL = createTestClient({}).baseUrl;
const request = exampleOf(RequestMetadata, { id: REQUEST_ID });
const answers: TestAnswers = {
  getCredential: () => exampleOf(Credential),
  createRequest: (call) => ({
    ...request,
    ...takenTerms(call, request.created_at),
    url: `${BASE_URL}/r/${REQUEST_ID}`,
  }),
  createSecret: (call) => {
    const secret = exampleOf(Secret, { id: ID });
    return { ...secret, ...takenTerms(call, secret.created_at), url: `${BASE_URL}/s/${ID}` };
  },
};

test("a request's private key is stored before the server gets the request, and then named after it", async () => {
  const workspace = createTestWorkspace({
    answers: {
      ...answers,
      createRequest: (options) => {
        expect(workspace.steps).toEqual(["keep The password"]);
        return answers.createRequest?.(options);
      },
    },
  });
  const asked = await runTool(
    requestSecret,
    { note: "The password", max_submissions: 2, reference: "OPS-4711", for: ["ann@example.com", "*@example.org"] },
    workspace,
  );
  expect(asked).toEqual({
    url: expect.stringMatching(new RegExp(`^${BASE_URL}/r/${REQUEST_ID}#1\\.[\\w-]{22}\\.[\\w-]{22}$`)),
    id: REQUEST_ID,
    expires_at: request.expires_at,
  });
  expect(workspace.steps).toEqual(["keep The password", `assign ${REQUEST_ID}`]);
  const { body, query } = workspace.client.calls.find(({ operation }) => operation === "createRequest") ?? {};
  const chosen = "ann@example.com,*@example.org";
  expect(query).toMatchObject({ max_submissions: 2, reference: "OPS-4711", for: chosen });
  // The note is sealed.
  expect(JSON.stringify(body)).not.toContain("The password");
});

test("a refused request leaves no key", async () => {
  const workspace = createTestWorkspace({
    answers: { ...answers, createRequest: () => refuse("team_quota_exceeded") },
  });
  expect(await errorOf(runTool(requestSecret, {}, workspace))).toMatchObject({ code: "team_quota_exceeded" });
  expect(workspace.steps).toEqual(["keep null", "drop"]);
});

test("a wait ends with a submission, and reports progress until then", async () => {
  const submission = { secret_id: ID, state: "available", created_at: "2026-11-21T09:30:00.000Z" } as const;
  const states = [request, request, { ...request, submissions: [submission] }];
  const workspace = createTestWorkspace({ answers: { getRequest: () => states.shift() } });
  const reports: unknown[] = [];
  const report = async (...told: unknown[]) => void reports.push(told);
  const input = { request_id: REQUEST_ID, timeout_seconds: 60 };
  const waited = await runTool(waitForAnswer, input, workspace, { report });
  expect(waited).toEqual({ state: "open", submissions: [submission] });
  expect(workspace.client.calls.map(({ waitSeconds }) => waitSeconds)).toEqual([0, 5, 5]);
  expect(reports[0]).toEqual([0, 60, "Nothing has been handed in yet."]);
  const passed = (reports as [number][]).map(([seconds]) => seconds);
  expect(passed).toEqual([...new Set(passed)].toSorted((a, b) => a - b));
});

test("a canceled wait ends", async () => {
  const controller = new AbortController();
  const getRequest = () => {
    controller.abort();
    return request;
  };
  const workspace = createTestWorkspace({ answers: { getRequest } });
  const call = runTool(waitForAnswer, { request_id: REQUEST_ID }, workspace, { signal: controller.signal });
  expect(await errorOf(call)).toMatchObject({ code: "interrupted" });
  expect(workspace.client.calls).toHaveLength(1);
});

test("exactly one file or variable is sent, encrypted", async () => {
  const bytes = new TextEncoder().encode("hunter2");
  const file = { kind: "files", files: [{ name: "key", bytes, isExecutable: false, isFolder: false }] } as const;
  const workspace = createTestWorkspace({ answers, files: { key: file }, variables: { PASSWORD: "hunter2" } });
  for (const [input, hint] of [
    [{ file: "key" }, "1"],
    [{ env: "PASSWORD", expires_in: 60, max_claims: 2, reference: "OPS-4711", for: ["ann@example.com"] }, "t"],
  ] as const) {
    expect(await runTool(sendFileOrVariable, input, workspace)).toMatchObject({
      id: ID,
      url: expect.stringMatching(new RegExp(`^${BASE_URL}/s/${ID}#1\\.[\\w-]{22}\\.${hint}$`)),
    });
  }
  expect(await runTool(sendText, { text: "hunter2" }, workspace)).toMatchObject({ id: ID });
  const created = workspace.client.calls.filter(({ operation }) => operation === "createSecret");
  expect(created.map(({ query }) => query)).toEqual([
    { claim_token_hash: expect.any(String) },
    {
      claim_token_hash: expect.any(String),
      expires_in: 60,
      max_claims: 2,
      reference: "OPS-4711",
      for: "ann@example.com",
    },
    { claim_token_hash: expect.any(String) },
  ]);
  expect(JSON.stringify(created)).not.toContain("hunter2");
  expect(JSON.stringify(created)).not.toContain(Buffer.from("hunter2").toString("base64url"));
  for (const input of [{}, { file: "key", env: "PASSWORD" }]) {
    expect(await errorOf(runTool(sendFileOrVariable, input, workspace))).toMatchObject({
      message: "Give exactly one of `file` and `env`.",
    });
  }
});

test("a file is read only up to the server's limit", async () => {
  let most = 0;
  const readFile = async (_path: string, maxBytes: number) => {
    most = maxBytes;
    return { kind: "text", text: "x" } as const;
  };
  const { limits } = exampleOf(Credential);
  await runTool(sendFileOrVariable, { file: "key" }, createTestWorkspace({ answers, changes: { readFile } }));
  expect((most * 4) / 3).toBeLessThan(limits.max_ciphertext_bytes);
  expect((most * 4) / 3).toBeGreaterThan(0.99 * limits.max_ciphertext_bytes);
});

test("the id decides if a secret or a request is revoked", async () => {
  const workspace = createTestWorkspace({
    answers: {
      revokeSecret: () => exampleOf(Secret, { id: ID, state: "revoked" }),
      revokeRequest: () => ({ ...request, state: "revoked" }),
    },
  });
  expect(await runTool(revokeSecretOrRequest, { id: ID }, workspace)).toEqual({ id: ID, state: "revoked" });
  expect(await runTool(revokeSecretOrRequest, { id: REQUEST_ID }, workspace)).toMatchObject({ state: "revoked" });
  expect(workspace.client.called()).toEqual(["revokeSecret", "revokeRequest"]);
});

test("a key that can't approve sends nothing that its sender has to approve, and the error names the other way", async () => {
  const send = async (scopes: Credential["scopes"]) => {
    const getCredential = () => exampleOf(Credential, { scopes });
    const workspace = createTestWorkspace({ answers: { ...answers, getCredential } });
    const error = await errorOf(runTool(sendText, { text: "hunter2", approval: "sender" }, workspace));
    return { error, isSent: workspace.client.called().includes("createSecret") };
  };
  expect(await send(["secrets:create"])).toMatchObject({
    isSent: false,
    error: { message: expect.stringMatching(/lacks the scope secrets:approve\. It wasn't sent\. Use `team`/) },
  });
  expect(await send(["secrets:create", "secrets:approve"])).toMatchObject({ isSent: true });
});
