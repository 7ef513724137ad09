import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { createWebhookSender } from "../../../src/domain/webhooks/sender.ts";
import {
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
} from "../../../src/domain/webhooks/webhooks.ts";
import { createCaller } from "../../../src/webhooks/calls.ts";
import { openReceiver } from "../../support/receivers.ts";
import type { ReceivedCall } from "../../support/receivers.ts";
import { openTestSecrets } from "../../support/secrets.ts";

/** A webhook, and a sender that has read it and never looks by itself. */
async function setUp() {
  const secrets = await openTestSecrets();
  const receiver = openReceiver();
  const { service } = secrets.backend;
  const of = { team: "team", url: receiver.url, format: "standard", eventTypes: [], allowHttp: false } as const;
  const { webhook, secret } = await createWebhook(service, of);
  const { store, clock } = service;
  const caller = createCaller({ version: "1" });
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const ignore = () => undefined;
  const sender = createWebhookSender({
    store,
    clock,
    random: systemRandom,
    caller,
    onError,
    onGone: ignore,
    onSkip: ignore,
  });
  await sender.settle();
  return {
    secrets,
    receiver,
    service,
    sender,
    id: webhook.id,
    secret: secret ?? "",
    async [Symbol.asyncDispose]() {
      await sender.stop();
      await receiver[Symbol.asyncDispose]();
      await secrets[Symbol.asyncDispose]();
      expect(errors).toEqual([]);
    },
  };
}

/** True when the call verifies with `secret` alone. */
function isSignedBy(secret: string, { headers, body }: ReceivedCall): boolean {
  const [id = "", at = "", signatures = ""] = ["id", "timestamp", "signature"].map(
    (name) => headers.get(`webhook-${name}`) ?? "",
  );
  return signatures.split(" ").includes(new Webhook(secret).sign(id, new Date(Number(at) * 1000), body));
}

test("after a rotation, every call has both signatures, and never one of an older secret", async () => {
  await using place = await setUp();
  const { secrets, receiver, service, id } = place;
  let before = place.secret;
  for (let round = 1; round <= 3; round++) {
    const { secret } = await rotateWebhookSecret(service, id);
    // The sender gets only the event.
    await secrets.create(`after ${round}`);
    const call = (await receiver.untilCalls(round))[round - 1];
    if (!call) throw new Error("there was no call");
    expect([secret ?? "", before].map((each) => isSignedBy(each, call))).toEqual([true, true]);
    expect(call.headers.get("webhook-signature")?.split(" ")).toHaveLength(2);
    before = secret ?? "";
  }
});

test("a paused or deleted webhook isn't called any more; a resumed one goes on at its place", async () => {
  await using place = await setUp();
  const { secrets, receiver, service, sender, id } = place;
  await pauseWebhook(service, id);
  await secrets.create("one");
  await sender.settle();
  expect(receiver.calls).toEqual([]);
  await resumeWebhook(service, id);
  await sender.settle();
  expect(receiver.calls).toHaveLength(1);
  await deleteWebhook(service, id);
  await secrets.create("two");
  await sender.settle();
  expect(receiver.calls).toHaveLength(1);
});
