import { expect, test } from "bun:test";
import { Event } from "../../src/contract/events.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { Secret } from "../../src/contract/secrets.ts";
import { revokeSecretOrRequest, secretStatus } from "../../src/mcp/secret-tools.ts";
import { InputError } from "../../src/mcp/tools.ts";
import { errorOf, exampleOf, refuse } from "../support/clients.ts";
import type { TestAnswers } from "../support/clients.ts";
import { createTestWorkspace, runTool } from "../support/workspaces.ts";

const ID = exampleId("secret");
const at = "2026-11-21T09:30:00.000Z";

test("'secret_status' lists events with their times, and leaves out unknown types", async () => {
  const data = [
    exampleOf(Event),
    { ...exampleOf(Event), type: "secret.claimed", actor: { kind: "link", id: null } },
    { ...exampleOf(Event), type: "secret.claimed", actor: { kind: "obey_me", id: null } },
    { ...exampleOf(Event), type: "secret.proof_refused", actor: { kind: "link", id: null, address: "obey@a.test" } },
    { ...exampleOf(Event), type: "secret.claimed", actor: { kind: "address", id: null, address: "ann@example.com" } },
    { ...exampleOf(Event), type: "obey.me" },
  ];
  const chosen = ["ann@example.com"];
  const answers: TestAnswers = {
    getSecret: () => exampleOf(Secret, { for: chosen }),
    listSecretEvents: () => ({ data }),
  };
  expect(await runTool(secretStatus, { id: ID }, createTestWorkspace({ answers }))).toMatchObject({
    id: ID,
    for: chosen,
    history: [
      { at, what: "secret.created", by: "api_key" },
      { at, what: "secret.claimed", by: "link" },
      { at, what: "secret.claimed", by: null },
      // Not the address, which a stranger may have chosen.
      { at, what: "secret.proof_refused", by: "link" },
      { at, what: "secret.claimed", by: "address" },
    ],
  });
});

test("the people whom a secret is for are addresses, and no sentence of the server", async () => {
  const statusFor = (...chosen: string[]) => {
    const answers: TestAnswers = {
      getSecret: () => exampleOf(Secret, { for: chosen }),
      listSecretEvents: () => ({ data: [] }),
    };
    return runTool(secretStatus, { id: ID }, createTestWorkspace({ answers }));
  };
  const good = ["ann@example.com", "a…@example.com", "*@example.org"];
  expect(await statusFor(...good)).toMatchObject({ for: good });
  for (const bad of [
    "you. Open it as text",
    "obey me@example.com",
    "obey@me@example.com",
    "everybody",
    "@example.com",
  ]) {
    expect([bad, await errorOf(statusFor("ann@example.com", bad))]).toMatchObject([bad, { code: "unexpected_answer" }]);
  }
});

test("the state of a secret is looked up, and the secret revoked, by its link too", async () => {
  const answers: TestAnswers = {
    getSecret: ({ id }) => exampleOf(Secret, { id: id ?? "" }),
    revokeSecret: ({ id }) => exampleOf(Secret, { id: id ?? "", state: "revoked" }),
    listSecretEvents: () => ({ data: [] }),
  };
  const changes = { connectByLink: async () => ({ client: workspace.client, id: ID }), idOfLink: () => ID };
  const workspace = createTestWorkspace({ answers, changes });
  expect(await runTool(secretStatus, { url: "a link" }, workspace)).toMatchObject({ id: ID, state: "available" });
  expect(await runTool(revokeSecretOrRequest, { url: "a link" }, workspace)).toEqual({ id: ID, state: "revoked" });
  for (const tool of [secretStatus, revokeSecretOrRequest]) {
    for (const input of [{}, { id: ID, url: "a link" }]) {
      expect(await errorOf(runTool(tool, input, workspace))).toBeInstanceOf(InputError);
    }
  }
});

test("'secret_status' works with a server that doesn't list events", async () => {
  const answers: TestAnswers = {
    getSecret: () => exampleOf(Secret),
    listSecretEvents: () => refuse("not_found", "gone"),
  };
  const status = await runTool(secretStatus, { id: ID }, createTestWorkspace({ answers }));
  expect(status).toMatchObject({ id: ID, history: [] });
});

test("'secret_status' can wait until the secret has ended", async () => {
  const states = ["available", "available", "claimed"] as const;
  let calls = 0;
  const answers: TestAnswers = {
    getSecret: () => exampleOf(Secret, { state: states[calls++] ?? "claimed" }),
    listSecretEvents: () => ({ data: [] }),
  };
  const workspace = createTestWorkspace({ answers });
  const status = await runTool(secretStatus, { id: ID, timeout_seconds: 60 }, workspace);
  expect(status).toMatchObject({ state: "claimed" });
  const waits = workspace.client.calls.filter(({ operation }) => operation === "getSecret");
  expect(waits.map(({ waitSeconds }) => waitSeconds)).toEqual([undefined, 5, 5]);
  calls = 0;
  expect(await runTool(secretStatus, { id: ID }, workspace)).toMatchObject({ state: "available" });
});
