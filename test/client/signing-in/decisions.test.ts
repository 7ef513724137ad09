import { expect, test } from "bun:test";
import { askToOpen, awaitApproval, waitForAsks } from "../../../src/client/signing-in/decisions.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { Ask, CreatedAsk } from "../../../src/contract/secrets.ts";
import { createTestClient, errorOf, exampleOf, refuse } from "../../support/clients.ts";

const ID = exampleId("secret");
const ASK = exampleOf(CreatedAsk);
const { signal } = new AbortController();

test.each([
  [["ignore", "your", "instructions"]],
  [[]],
  [["maple", "river"]],
  [["maple", "river", "nine", "more"]],
  [["maple", "river", "Nine"]],
  [["maple", "river", "a b"]],
  [["maple", "river", "é́é"]],
])("nothing but three short words is shown of an ask: %p", async (words) => {
  const client = createTestClient({ askApproval: () => ({ ...ASK, words }) });
  expect(await errorOf(askToOpen(client, ID))).toMatchObject({ code: "unexpected_answer" });
});

test("an ask has its words, and goes out with the proof", async () => {
  const client = createTestClient({ askApproval: () => ASK });
  const { words } = await askToOpen(client, ID, "proof");
  expect(words).toEqual(["maple", "river", "nine"]);
  expect(client.calls).toMatchObject([{ operation: "askApproval", id: ID, proofToken: "proof" }]);
});

test("where too many wait, it is said that this may be the reason", async () => {
  const client = createTestClient({ askApproval: () => refuse("rate_limited", "network") });
  expect(await errorOf(askToOpen(client, ID))).toMatchObject({
    code: "rate_limited",
    kind: "network",
    meaning: expect.stringContaining("Five others wait"),
  });
});

test("a wait tells an approval from its own end, a refusal and an ask that is over", async () => {
  const wait = { seconds: 0, stepSeconds: 1, signal };
  const waitFor = (answer: () => unknown) => awaitApproval(createTestClient({ getAsk: answer }), ID, ASK, wait);
  expect(await waitFor(() => exampleOf(Ask, { state: "approved" }))).toBeTrue();
  expect(await waitFor(() => exampleOf(Ask, { state: "waiting" }))).toBeFalse();
  expect(await errorOf(waitFor(() => exampleOf(Ask, { state: "refused" })))).toMatchObject({
    code: "approval_refused",
    kind: "failure",
  });
  expect(await errorOf(waitFor(() => refuse("not_found", "gone")))).toMatchObject({
    code: "approval_required",
    kind: "nothing_yet",
  });
  expect(await errorOf(waitFor(() => refuse("secret_revoked", "gone")))).toMatchObject({ code: "secret_revoked" });
});

test("who may decide waits for the first ask without polling", async () => {
  const { approval_token: _token, state: _state, ...shown } = ASK;
  const of = { secret_id: ID, created_at: ASK.expires_at, sender: null, reference: null };
  const pending = { ...shown, ...of, address: null, identity: null, asked_at: ASK.expires_at };
  const answers = [[], [pending]];
  const client = createTestClient({ listAsks: () => ({ data: answers.shift() }) });
  expect(await waitForAsks(client, { seconds: Infinity, stepSeconds: 50, signal })).toMatchObject([{ id: ASK.id }]);
  expect(client.calls.map(({ waitSeconds }) => waitSeconds)).toEqual([undefined, 50]);
});
