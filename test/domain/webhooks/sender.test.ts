import { expect, test } from "bun:test";
import type { EventType } from "../../../src/contract/states.ts";
import { askApproval, decideAsk } from "../../../src/domain/signing-in/approvals.ts";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { createWebhookSender } from "../../../src/domain/webhooks/sender.ts";
import {
  createWebhook,
  deleteWebhook,
  findBehind,
  pauseWebhook,
  resumeWebhook,
} from "../../../src/domain/webhooks/webhooks.ts";
import { createCaller } from "../../../src/webhooks/calls.ts";
import { openReceiver } from "../../support/receivers.ts";
import type { ReceivedCall, Receiver } from "../../support/receivers.ts";
import { openTestSecrets } from "../../support/secrets.ts";
import type { TestSecrets } from "../../support/secrets.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A sender with real rules, a real database and real calls, and a clock that the test moves. */
function startSender({ backend }: TestSecrets, isCaller = true) {
  const { store: all, clock } = backend.service;
  const store = isCaller ? all : { ...all, mayCallWebhooks: async () => false };
  const seen = { errors: [] as unknown[], gone: [] as string[], skipped: [] as string[] };
  const sender = createWebhookSender({
    store,
    clock,
    random: systemRandom,
    caller: createCaller({ version: "1", timeoutMs: 5000 }),
    onError: (error) => void seen.errors.push(error),
    onGone: ({ id }) => void seen.gone.push(id),
    onSkip: (_webhook, eventId) => void seen.skipped.push(eventId),
  });
  /** Advances the clock in steps. */
  const pass = async (milliseconds: number, step = milliseconds) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      backend.clock.advance(step);
      await sender.settle();
    }
  };
  return { ...sender, seen, pass };
}

async function addWebhook({ backend }: TestSecrets, receiver: Receiver, eventTypes: readonly EventType[] = []) {
  const { webhook } = await createWebhook(backend.service, {
    team: "team",
    url: receiver.url,
    format: "standard",
    eventTypes,
    allowHttp: false,
  });
  return webhook.id;
}

const typeOf = ({ body }: ReceivedCall): unknown => (JSON.parse(body) as { type: unknown }).type;
const idOf = ({ headers }: ReceivedCall) => headers.get("webhook-id");
const idsOf = (calls: readonly ReceivedCall[]) => calls.map(idOf);

async function eventsOf({ backend, caller }: TestSecrets) {
  return backend.service.store.listEvents(caller.teamId, undefined, 1000);
}

test("a webhook gets the events since its creation, in order and once each", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver();
  await secrets.create("before");
  await addWebhook(secrets, receiver);
  const sender = startSender(secrets);
  await sender.settle();
  expect(receiver.calls).toEqual([]);
  const { id } = await secrets.create("after");
  await secrets.claim(id);
  for (let number = 0; number < 120; number += 1) await secrets.create(`more ${number}`);
  await sender.settle();
  expect(receiver.calls.slice(0, 2).map(typeOf)).toEqual(["secret.created", "secret.claimed"]);
  const events = await eventsOf(secrets);
  expect(idsOf(receiver.calls)).toEqual(events.slice(1).map((event) => event.id));
  await sender.stop();
});

test("a webhook learns of an ask for approval and of its decision, with its words", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver();
  const { backend, caller } = secrets;
  const { id } = await secrets.create("asked for", { approval: "sender" });
  await addWebhook(secrets, receiver, ["secret.approval_asked", "secret.refused"]);
  const sender = startSender(secrets);
  await sender.settle();
  const { ask } = await askApproval(backend.service, caller, { id, proofToken: undefined });
  // Nobody decides what they asked for.
  const byLink = { id: "ask_link", tokenHash: "", words: "maple river nine", askerId: null };
  const { teamId } = caller;
  await backend.service.store.askApproval({ id, teamId, ask: byLink, address: "eve@a.test", quotaBytes: Infinity });
  await decideAsk(backend.service, caller, id, { id: byLink.id, state: "refused" });
  await sender.settle();
  const told = { id: byLink.id, words: ["maple", "river", "nine"] };
  expect(receiver.calls.map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: "secret.approval_asked", data: { ask: { id: ask.id, words: ask.words.split(" ") } } },
    {
      type: "secret.approval_asked",
      data: { secret_id: id, ask: told, actor: { kind: "address", id: null, address: "eve@a.test" } },
    },
    { type: "secret.refused", data: { secret_id: id, ask: told, actor: { kind: "api_key", address: null } } },
  ]);
  await sender.stop();
});

test("an event is delivered at once, without a look", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver();
  await addWebhook(secrets, receiver);
  const sender = startSender(secrets);
  await sender.settle();
  await secrets.create("one");
  await receiver.untilCalls(1);
  await secrets.create("two");
  await receiver.untilCalls(2);
  await sender.stop();
});

test("events of another process are delivered at the next look", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver();
  const sender = startSender(secrets);
  await sender.settle();
  // A sender without event feed.
  await addWebhook(secrets, receiver);
  await secrets.create("one");
  expect(receiver.calls).toEqual([]);
  await sender.settle();
  expect(receiver.calls).toHaveLength(1);
  await sender.stop();
});

test("a receiver that was down for an hour or a day then gets all events in order", async () => {
  for (const [away, step] of [
    [HOUR, 10 * SECOND],
    [24 * HOUR, HOUR],
  ] as const) {
    await using secrets = await openTestSecrets();
    let isAway = true;
    await using receiver = openReceiver(() => new Response(null, { status: isAway ? 503 : 204 }));
    const id = await addWebhook(secrets, receiver);
    const sender = startSender(secrets);
    for (let number = 0; number < 30; number += 1) await secrets.create(String(number));
    await sender.settle();
    await sender.pass(away, step);
    const tries = receiver.calls.length;
    // One event is retried, and the others wait for it.
    expect(new Set(idsOf(receiver.calls)).size).toBe(1);
    expect(tries).toBeLessThan(40);
    expect((await sender.figures())[0]?.behindSince).toBe((await eventsOf(secrets))[0]?.createdAt);
    const webhook = await secrets.backend.service.store.findWebhook(id);
    expect(webhook?.failures).toBe(tries);
    expect(webhook && (await findBehind(secrets.backend.service.store, webhook))).toBeDefined();
    isAway = false;
    await sender.pass(HOUR);
    expect(idsOf(receiver.calls.slice(tries))).toEqual((await eventsOf(secrets)).map((event) => event.id));
    expect((await sender.figures())[0]?.behindSince).toBeUndefined();
    expect(sender.seen).toEqual({ errors: [], gone: [], skipped: [] });
    await sender.stop();
  }
});

test("the lag of a webhook is known right after a restart, and to processes that don't call", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver(() => new Response(null, { status: 503 }));
  await addWebhook(secrets, receiver, ["secret.claimed"]);
  const [first, second] = [startSender(secrets), startSender(secrets, false)];
  const { id } = await secrets.create("one");
  await secrets.claim(id);
  await first.settle();
  await first.pass(HOUR, MINUTE);
  const calls = receiver.calls.length;
  const behind = { team: "team", state: "active", behindSince: (await eventsOf(secrets))[1]?.createdAt } as const;
  expect(await first.figures()).toEqual([behind]);
  await first.stop();
  const third = startSender(secrets);
  expect(await third.figures()).toEqual([behind]);
  await third.settle();
  await second.settle();
  for (const sender of [third, second]) expect(await sender.figures()).toEqual([behind]);
  expect(receiver.calls).toHaveLength(calls);
  await third.stop();
  await second.stop();
});

test("after Retry-After, the receiver gets the same event again", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver((_call, calls) =>
    calls.length === 1 ? new Response(null, { status: 429, headers: { "Retry-After": "120" } }) : new Response(),
  );
  const id = await addWebhook(secrets, receiver);
  const sender = startSender(secrets);
  await sender.settle();
  await secrets.create("one");
  await sender.settle();
  await sender.pass(119 * SECOND, 7 * SECOND);
  expect(receiver.calls).toHaveLength(1);
  const [first] = await secrets.backend.service.store.listWebhookDeliveries(id);
  expect((first?.nextTryAt ?? 0) - (first?.at ?? 0)).toBe(120 * SECOND);
  await sender.pass(SECOND);
  expect(new Set(idsOf(receiver.calls)).size).toBe(1);
  expect(receiver.calls).toHaveLength(2);
  await sender.stop();
});

test("a delivery that wasn't stored when the process ended is repeated under the same id", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver();
  await addWebhook(secrets, receiver);
  const first = startSender(secrets);
  await first.settle();
  await secrets.create("one");
  await receiver.untilCalls(1);
  // It was never stopped and stored nothing: the next sender begins at the place in the database.
  const second = startSender(secrets);
  await second.settle();
  expect(idsOf(receiver.calls)).toEqual([
    idOf(receiver.calls[0] as ReceivedCall),
    idOf(receiver.calls[0] as ReceivedCall),
  ]);
  await second.settle();
  expect(receiver.calls).toHaveLength(2);
  await second.stop();
  await first.stop();
});

test("a rejected event is given up after five attempts, with an event, and the next ones are delivered", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver(
    (call) => new Response(null, { status: typeOf(call) === "secret.created" ? 422 : 200 }),
  );
  const id = await addWebhook(secrets, receiver);
  const sender = startSender(secrets);
  await sender.settle();
  const { id: secretId } = await secrets.create("one");
  await secrets.claim(secretId);
  await sender.pass(15 * MINUTE, 10 * SECOND);
  expect(receiver.calls.map(typeOf)).toEqual([
    ...Array.from({ length: 5 }, () => "secret.created"),
    "secret.claimed",
    "webhook.failed",
  ]);
  const [created] = await eventsOf(secrets);
  expect(sender.seen.skipped).toEqual([created?.id ?? ""]);
  expect(JSON.parse(receiver.calls.at(-1)?.body ?? "")).toMatchObject({ data: { secret_id: secretId, actor: null } });
  const deliveries = await secrets.backend.service.store.listWebhookDeliveries(id);
  expect(deliveries.map(({ outcome, status }) => `${outcome} ${status}`)).toEqual([
    "delivered 200",
    "delivered 200",
    "skipped 422",
    ...Array.from({ length: 4 }, () => "retried 422"),
  ]);
  expect(deliveries.at(-1)?.nextTryAt).toBeGreaterThan(deliveries.at(-1)?.at ?? Infinity);
  await sender.stop();
});

test("rejecting the event about a failure makes no further event", async () => {
  await using secrets = await openTestSecrets();
  await using bad = openReceiver(() => new Response(null, { status: 404 }));
  await using worse = openReceiver(() => new Response(null, { status: 400 }));
  await addWebhook(secrets, bad);
  await addWebhook(secrets, worse);
  const sender = startSender(secrets);
  await sender.settle();
  await secrets.create("one");
  await sender.pass(3 * HOUR, 30 * SECOND);
  const events = await eventsOf(secrets);
  expect(events.map(({ type }) => type)).toEqual(["secret.created", "webhook.failed", "webhook.failed"]);
  expect([bad.calls.length, worse.calls.length]).toEqual([15, 15]);
  await sender.stop();
});

test("a receiver that answers 410 isn't called until an admin resumes the webhook", async () => {
  await using secrets = await openTestSecrets();
  let status = 410;
  await using receiver = openReceiver(() => new Response(null, { status }));
  const id = await addWebhook(secrets, receiver);
  const sender = startSender(secrets);
  await sender.settle();
  await secrets.create("one");
  await secrets.create("two");
  await sender.settle();
  await sender.pass(24 * HOUR, HOUR);
  expect(receiver.calls).toHaveLength(1);
  expect(sender.seen.gone).toEqual([id]);
  expect(await secrets.backend.service.store.findWebhook(id)).toMatchObject({ pausedBy: "receiver" });
  expect(await sender.figures()).toEqual([{ team: "team", state: "gone", behindSince: undefined }]);
  status = 200;
  await resumeWebhook(secrets.backend.service, id);
  await sender.settle();
  expect(idsOf(receiver.calls.slice(1))).toEqual((await eventsOf(secrets)).map((event) => event.id));
  await sender.stop();
});

test("pausing, resuming and deleting take effect while the sender runs", async () => {
  await using secrets = await openTestSecrets();
  let status = 500;
  await using receiver = openReceiver(() => new Response(null, { status }));
  const id = await addWebhook(secrets, receiver);
  const sender = startSender(secrets);
  await sender.settle();
  await secrets.create("one");
  await sender.settle();
  await pauseWebhook(secrets.backend.service, id);
  await sender.settle();
  await sender.pass(HOUR, MINUTE);
  expect(receiver.calls).toHaveLength(1);
  // A resumed webhook doesn't wait for the former schedule.
  await resumeWebhook(secrets.backend.service, id);
  await sender.settle();
  expect(receiver.calls).toHaveLength(2);
  status = 200;
  await resumeWebhook(secrets.backend.service, id);
  await sender.settle();
  expect(receiver.calls).toHaveLength(3);
  await deleteWebhook(secrets.backend.service, id);
  await secrets.create("two");
  await sender.settle();
  await sender.pass(HOUR);
  expect(receiver.calls.length).toBeLessThanOrEqual(4);
  expect(await secrets.backend.service.store.listWebhookDeliveries(id)).toEqual([]);
  expect(await sender.figures()).toEqual([]);
  await sender.stop();
});

test("a webhook gets only its types of events, and only those of its team", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver();
  await using other = openReceiver();
  const id = await addWebhook(secrets, receiver, ["secret.claimed"]);
  await secrets.backend.mint({ team: "other" });
  const input = { team: "other", url: other.url, format: "standard", eventTypes: [], allowHttp: false } as const;
  await createWebhook(secrets.backend.service, input);
  const sender = startSender(secrets);
  await sender.settle();
  const before = await secrets.backend.service.store.findWebhook(id);
  for (let number = 0; number < 60; number += 1) await secrets.create(String(number));
  const { id: secretId } = await secrets.create("claimed");
  await sender.settle();
  // Unwanted events cost no write.
  expect(await secrets.backend.service.store.findWebhook(id)).toEqual(before);
  await secrets.claim(secretId);
  await sender.settle();
  expect(receiver.calls.map(typeOf)).toEqual(["secret.claimed"]);
  expect(other.calls).toEqual([]);
  await sender.stop();
});

test("a slow receiver doesn't delay others", async () => {
  await using secrets = await openTestSecrets();
  const silence = Promise.withResolvers<Response>();
  await using slow = openReceiver(() => silence.promise);
  await using quick = openReceiver();
  await addWebhook(secrets, slow);
  await addWebhook(secrets, quick);
  const sender = startSender(secrets);
  await sender.settle();
  for (const each of ["one", "two", "three"]) await secrets.create(each);
  await quick.untilCalls(3);
  const [first] = idsOf(quick.calls);
  const failed = sender.calls().filter(({ result }) => result !== "2xx");
  expect({ slow: idsOf(slow.calls), failed, errors: sender.seen.errors }).toEqual({
    slow: [first ?? null],
    failed: [],
    errors: [],
  });
  silence.resolve(new Response());
  await slow.untilCalls(3);
  await sender.stop();
});

test("progress that can't be stored is stored later, and no delivery is repeated", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver();
  const id = await addWebhook(secrets, receiver);
  const { store } = secrets.backend.service;
  const { noteWebhooks } = store;
  store.noteWebhooks = () => Promise.reject(new Error("the disk is full"));
  const sender = startSender(secrets);
  await sender.settle();
  await secrets.create("one");
  await receiver.untilCalls(1);
  while (sender.seen.errors.length === 0) await new Promise(setImmediate);
  await sender.look();
  await secrets.create("two");
  await receiver.untilCalls(2);
  expect(await store.findWebhook(id)).toMatchObject({ lastEventId: "" });
  expect(sender.seen.errors).toEqual([new Error("the disk is full")]);
  store.noteWebhooks = noteWebhooks;
  await sender.settle();
  expect(await store.findWebhook(id)).toMatchObject({ lastEventId: (await eventsOf(secrets)).at(-1)?.id });
  expect(await store.listWebhookDeliveries(id)).toHaveLength(2);
  expect(receiver.calls).toHaveLength(2);
  await sender.stop();
});

test("the last hundred calls of a webhook are kept", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver();
  const id = await addWebhook(secrets, receiver);
  const sender = startSender(secrets);
  await sender.settle();
  for (let round = 0; round < 3; round += 1) {
    for (let number = 0; number < 45; number += 1) await secrets.create(`${round} ${number}`);
    await sender.settle();
  }
  const deliveries = await secrets.backend.service.store.listWebhookDeliveries(id);
  const events = await eventsOf(secrets);
  expect(deliveries.map(({ eventId }) => eventId)).toEqual(
    events
      .slice(-100)
      .map((event) => event.id)
      .toReversed(),
  );
  await sender.stop();
});

test("a stopped sender makes no further call, and has stored its progress", async () => {
  await using secrets = await openTestSecrets();
  await using receiver = openReceiver();
  const id = await addWebhook(secrets, receiver);
  const sender = startSender(secrets);
  await sender.settle();
  await secrets.create("one");
  await receiver.untilCalls(1);
  await sender.stop();
  const [event] = await eventsOf(secrets);
  expect(await secrets.backend.service.store.findWebhook(id)).toMatchObject({ lastEventId: event?.id });
  await secrets.create("two");
  await sender.settle();
  expect(receiver.calls).toHaveLength(1);
  expect(sender.calls()).toEqual([{ team: "team", result: "2xx", count: 1 }]);
});
