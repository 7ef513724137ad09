import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { exampleId } from "../../src/contract/ids.ts";
import { EVENT_TYPES } from "../../src/contract/states.ts";
import type { CallTarget, ToldEvent } from "../../src/domain/ports/webhooks.ts";
import { toMessage } from "../../src/webhooks/formats.ts";
import type { Message } from "../../src/webhooks/formats.ts";
import { TEST_TYPE } from "../../src/webhooks/sentences.ts";
import { manualBlock } from "../support/manual.ts";

const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const FORMER = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;

const EVENT: ToldEvent = {
  id: "evt_1",
  type: "secret.claimed",
  created_at: "2026-11-21T09:30:00.000Z",
  secret_id: "sec_1",
  request_id: null,
  identity: "idn_1",
  actor: { kind: "api_key", id: "idn_1", address: null },
  reference: "OPS-4711",
  ask: null,
};

function targetOf(change: Partial<CallTarget>): CallTarget {
  const url = "https://hooks.example/";
  return {
    url,
    format: "standard",
    allowHttp: false,
    secret: SECRET,
    formerSecret: null,
    formerSecretUntil: null,
    ...change,
  };
}

function verifies(secret: string, { headers, body }: Message): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** Verifies a message by the manual's Python code. */
function verifiesInPython(secret: string, { headers, body }: Message): boolean {
  const code = manualBlock("webhooks", "", "python");
  expect(code.trim().split("\n").length).toBeLessThanOrEqual(15);
  const call = `import json, sys\ngiven = json.load(sys.stdin)\nprint(is_from_handoff(given["secret"], given["headers"], given["body"].encode()))\n`;
  const input = JSON.stringify({ secret, headers, body });
  const { exitCode, stdout, stderr } = Bun.spawnSync(["python3", "-c", code + call], { stdin: Buffer.from(input) });
  expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
  return stdout.toString().trim() === "True";
}

test("signatures are valid for the Standard Webhooks library, and for the manual's Python code", () => {
  const message = toMessage(targetOf({}), EVENT, Date.now());
  expect(JSON.parse(message.body)).toEqual({ type: EVENT.type, timestamp: EVENT.created_at, data: EVENT });
  expect(message.headers).toMatchObject({ "content-type": "application/json", "webhook-id": "evt_1" });
  const changed = { ...message, body: message.body.replace("sec_1", "sec_2") };
  const early = toMessage(targetOf({}), EVENT, Date.now() - 600_000);
  for (const verify of [verifies, verifiesInPython]) {
    expect(verify(SECRET, message)).toBe(true);
    expect(verify(OTHER, message)).toBe(false);
    expect(verify(SECRET, changed)).toBe(false);
    expect(verify(SECRET, early)).toBe(false);
  }
});

test("for a day after a rotation both secrets verify, then only the new one", () => {
  const now = Date.now();
  const rotated = (until: number) =>
    toMessage(targetOf({ formerSecret: FORMER, formerSecretUntil: until }), EVENT, now);
  for (const verify of [verifies, verifiesInPython]) {
    expect([SECRET, FORMER, OTHER].map((each) => verify(each, rotated(now + 1)))).toEqual([true, true, false]);
    expect([SECRET, FORMER].map((each) => verify(each, rotated(now)))).toEqual([true, false]);
  }
});

test("chats and ntfy get an unsigned sentence about every type of event, with facts of the event alone", () => {
  const ofRequest = { ...EVENT, secret_id: null, request_id: exampleId("request") };
  const ofSecret = { ...EVENT, secret_id: exampleId("secret") };
  const ofIdentity = { ...EVENT, secret_id: null, request_id: null, identity: exampleId("identity"), reference: null };
  for (const type of [...EVENT_TYPES, TEST_TYPE]) {
    const subject = { request: ofRequest, person: ofIdentity, key: ofIdentity }[type.split(".")[0] ?? ""] ?? ofSecret;
    const event = { ...subject, type };
    const chat = toMessage(targetOf({ format: "chat", secret: null }), event, 0);
    const { text, ...rest } = JSON.parse(chat.body) as { readonly text: string };
    expect(rest).toEqual({});
    expect(text).toMatch(/^(A|The|This) [^\n]*\.$/);
    const named = event.secret_id ?? event.request_id;
    if (named === null) expect(text).toMatch(new RegExp(`the (person|identity) \`${event.identity}\``));
    else if (type !== TEST_TYPE) expect(text).toContain(`\`${named}\` (OPS-4711)`);
    const ntfy = toMessage(targetOf({ format: "ntfy", secret: null }), event, 0);
    expect(ntfy.body).toBe(text.replaceAll("`", ""));
    expect(ntfy.headers["title"]).toMatch(/^handoff: [A-Z][ -~]+$/);
    expect(Object.keys({ ...chat.headers, ...ntfy.headers }).toSorted()).toEqual(["content-type", "title"]);
  }
});

test("a chat reads who waits for approval, which words they see, and what was decided; a program gets the ask", () => {
  const [secretId, decider] = [exampleId("secret"), exampleId("identity")];
  const ask = { id: exampleId("ask"), words: ["maple", "river", "nine"] };
  const asked: ToldEvent = { ...EVENT, type: "secret.approval_asked", secret_id: secretId, ask };
  const said = (change: Partial<ToldEvent>) =>
    (JSON.parse(toMessage(targetOf({ format: "chat" }), { ...asked, ...change }, 0).body) as { text: string }).text;
  const needs = (who: string) =>
    `The secret \`${secretId}\` (OPS-4711) needs approval: ${who} wants to open it, and sees the words maple, river, nine.`;
  const byLink = { kind: "link", id: null, address: null } as const;
  expect(said({ actor: byLink })).toBe(needs("someone with its link"));
  const proven = { kind: "address", id: null, address: "ann_lee_x@a.test" } as const;
  expect(said({ actor: proven })).toBe(needs("someone with the proven address `ann_lee_x@a.test`"));
  expect(said({ actor: { kind: "person", id: decider, address: null } })).toBe(needs(`the person \`${decider}\``));
  expect(said({ actor: { kind: "api_key", id: decider, address: null } })).toBe(needs(`\`${decider}\``));
  for (const [type, decision] of [
    ["secret.approved", "approved"],
    ["secret.refused", "refused"],
  ] as const) {
    expect(said({ type, actor: { kind: "person", id: decider, address: null } })).toBe(
      `The opening of the secret \`${secretId}\` (OPS-4711) was ${decision} by the person \`${decider}\`. It had the words maple, river, nine.`,
    );
  }
  const ntfy = toMessage(targetOf({ format: "ntfy" }), { ...asked, actor: proven }, 0);
  expect(ntfy.headers["title"]).toBe("handoff: Approval needed");
  expect(ntfy.body).toContain("the proven address ann_lee_x@a.test wants to open it, and sees the words maple, river");
  const { data } = JSON.parse(toMessage(targetOf({}), { ...asked, actor: proven }, 0).body);
  expect(data).toMatchObject({ type: "secret.approval_asked", ask, actor: proven });
});

test("a proven address is markup, a link or a mention in no chat", () => {
  const text = (address: string) => {
    const event: ToldEvent = { ...EVENT, actor: { kind: "address", id: null, address } };
    return (JSON.parse(toMessage(targetOf({ format: "chat" }), event, 0).body) as { text: string }).text;
  };
  const before = "The secret sec_1 (OPS-4711) was opened by";
  expect(text("ann+x@bücher.test")).toBe(`${before} \`ann+x@bücher.test\`.`);
  expect(text("<!channel>@a.test")).toBe(`${before} \`�!channel�@a.test\`.`);
  expect(text("@all`https://b.test/@a.test")).toBe(`${before} \`�all�https���b.test�@a.test\`.`);
  expect(text("nna\u202e\u200b x@a.test")).toBe(`${before} \`nna���x@a.test\`.`);
  const id = exampleId("identity");
  expect(text(`${id}@a.test`)).toBe(`${before} \`${id}@a.test\`.`);
});

test("a sentence names the actor if the event does", () => {
  const sentenceFor = (change: Partial<ToldEvent>) =>
    (JSON.parse(toMessage(targetOf({ format: "chat" }), { ...EVENT, ...change }, 0).body) as { text: string }).text;
  expect(sentenceFor({})).toBe("The secret sec_1 (OPS-4711) was opened by idn_1.");
  expect(sentenceFor({ actor: { kind: "person", id: "idn_2", address: null } })).toBe(
    "The secret sec_1 (OPS-4711) was opened by the person idn_2.",
  );
  expect(sentenceFor({ actor: { kind: "link", id: null, address: null }, reference: null })).toBe(
    "The secret sec_1 was opened with its link.",
  );
  expect(sentenceFor({ type: "webhook.failed", secret_id: null, request_id: null })).toBe(
    "Your team has news that a webhook couldn't deliver. Ask your admin.",
  );
  expect(sentenceFor({ type: "secret.expired", actor: null })).toBe("The secret sec_1 (OPS-4711) has expired.");
  expect(sentenceFor({ type: "secret.created", request_id: "req_1", reference: null })).toBe(
    "The secret sec_1 was handed in for the request req_1.",
  );
});
