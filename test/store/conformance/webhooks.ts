import { expect, test } from "bun:test";
import { KEPT_DELIVERIES, MAX_WEBHOOKS } from "../../../src/domain/ports/webhooks.ts";
import type { NewWebhook, WebhookDelivery, WebhookNote, WebhookRecord } from "../../../src/domain/ports/webhooks.ts";
import { addSecret, addTeam, DAY, MINUTE, toldOf } from "../../support/stores.ts";
import type { OpenStore, WorkingStore } from "../../support/stores.ts";

/** Returns a webhook that isn't stored yet. */
function newWebhook({ ids, clock }: WorkingStore, teamId: string, change: Partial<NewWebhook> = {}): NewWebhook {
  const rest = { format: "standard", eventTypes: null, allowHttp: false, secret: "whsec_one" } as const;
  return { id: ids.next("webhook"), teamId, url: "https://a.test/b", ...rest, createdAt: clock.now(), ...change };
}

/** Stores a webhook, and returns it as it is found afterwards. */
async function addWebhook(place: WorkingStore, teamId: string, change: Partial<NewWebhook> = {}) {
  const webhook = newWebhook(place, teamId, change);
  expect(await place.store.createWebhook(webhook)).toBe("created");
  const found = await place.store.findWebhook(webhook.id);
  if (!found) throw new Error("it was not stored");
  return found;
}

/** Returns a delivery of an event with its outcome. */
function newDelivery({ clock }: WorkingStore, eventId: string): WebhookDelivery {
  const answer = { status: 503, failure: null, outcome: "retried", nextTryAt: clock.now() + MINUTE } as const;
  return { eventId, eventType: "secret.created", at: clock.now(), durationMs: 12, ...answer };
}

/** Returns a record of no progress for `webhook`, overridden by `change`. */
function noteOf(webhook: WebhookRecord, change: Partial<WebhookNote> = {}): WebhookNote {
  const { id: webhookId, revision, lastEventId, failures, rejections, firstFailedAt, nextTryAt } = webhook;
  const progress = { lastEventId, failures, rejections, firstFailedAt, nextTryAt };
  return { webhookId, revision, ...progress, deliveries: [], goneAt: null, skipped: [], ...change };
}

export function describeWebhooks(open: OpenStore): void {
  describeChanges(open);
  describeNotes(open);

  test("a single process may call the receivers", async () => {
    await using place = await open();
    for (let n = 0; n < 2; n++) expect(await place.store.mayCallWebhooks()).toBe(true);
    await place.reopen();
    expect(await place.store.mayCallWebhooks()).toBe(true);
  });
}

function describeChanges(open: OpenStore): void {
  test("a webhook starts at the end of its team's log, and keeps its values after a restart", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    await addSecret(place, teamId);
    const first = newWebhook(place, teamId, { eventTypes: ["secret.created", "secret.claimed"] });
    expect(await place.store.createWebhook(first)).toBe("created");
    const second = await addWebhook(place, others, { format: "chat", allowHttp: true, secret: null });
    await place.reopen();
    const found = await place.store.findWebhook(first.id);
    const anew = { failures: 0, rejections: 0, firstFailedAt: null, nextTryAt: null, pausedAt: null, pausedBy: null };
    const rest = { teamName: "team", formerSecret: null, formerSecretUntil: null, revision: 0, ...anew };
    expect(found).toEqual({ ...first, ...rest, lastEventId: (await place.store.lastEventId(teamId)) ?? "none" });
    expect(second).toMatchObject({
      lastEventId: "",
      teamName: "others",
      format: "chat",
      allowHttp: true,
      secret: null,
    });
    expect(await place.store.listWebhooks(undefined)).toEqual([found, second] as never);
    expect(await place.store.listWebhooks(others)).toEqual([second]);
    expect(await place.store.findWebhook(place.ids.next("webhook"))).toBeUndefined();
  });

  test("the number of webhooks is limited", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    for (let n = 0; n < MAX_WEBHOOKS; n++) await place.store.createWebhook(newWebhook(place, teamId));
    expect(await place.store.createWebhook(newWebhook(place, teamId))).toBe("too_many");
    expect(await place.store.listWebhooks(teamId)).toHaveLength(MAX_WEBHOOKS);
  });

  test("pausing, resuming, rotating and deleting a webhook take effect, and each is logged once", async () => {
    await using place = await open();
    const { store } = place;
    const webhook = await addWebhook(place, await addTeam(place));
    const { id } = webhook;
    const paused = { ...webhook, pausedAt: place.clock.now(), pausedBy: "admin", revision: 1 } as const;
    for (let n = 0; n < 2; n++) expect(await store.pauseWebhook(id)).toEqual(paused);
    const resumed = { ...webhook, revision: 2 };
    for (let n = 0; n < 2; n++) expect(await store.resumeWebhook(id)).toEqual(resumed);
    const until = place.clock.now() + DAY;
    const signed = { secret: "whsec_two", formerSecret: "whsec_one", formerSecretUntil: until };
    expect(await store.rotateWebhookSecret(id, "whsec_two", until)).toEqual({ ...resumed, ...signed, revision: 3 });
    await store.noteWebhooks([noteOf(webhook, { deliveries: [newDelivery(place, "evt_1")] })]);
    expect(await store.deleteWebhook(id)).toMatchObject({ id, ...signed });
    expect(await store.listWebhookDeliveries(id)).toEqual([]);
    for (const change of [store.pauseWebhook, store.resumeWebhook, store.deleteWebhook, store.findWebhook]) {
      expect(await change(id)).toBeUndefined();
    }
    expect(await store.rotateWebhookSecret(id, "whsec_three", until)).toBeUndefined();
    const entries = await store.listAdminLog({ afterId: undefined, since: undefined, limit: undefined });
    expect(entries.filter(({ subjectId }) => subjectId === id).map(({ action }) => action)).toEqual([
      "webhook.created",
      "webhook.paused",
      "webhook.resumed",
      "webhook.secret_rotated",
      "webhook.deleted",
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/whsec_|a\.test\/b/);
  });

  test("deleting a team deletes its webhooks", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const [own, other] = [await addWebhook(place, teamId), await addWebhook(place, others)];
    await place.store.noteWebhooks([noteOf(own, { deliveries: [newDelivery(place, "evt_1")] })]);
    expect(await place.store.deleteTeam(teamId)).toBe(true);
    expect(await place.store.listWebhooks(undefined)).toEqual([other]);
    expect(await place.store.listWebhookDeliveries(own.id)).toEqual([]);
  });
}

function describeNotes(open: OpenStore): void {
  test("the progress of a webhook is kept, and so are its newest deliveries, newest first", async () => {
    await using place = await open();
    const webhook = await addWebhook(place, await addTeam(place));
    const [at, nextTryAt] = [place.clock.now(), place.clock.now() + MINUTE];
    const progress = { lastEventId: "evt_7", failures: 2, rejections: 1, firstFailedAt: at, nextTryAt };
    const deliveries = Array.from({ length: KEPT_DELIVERIES + 20 }, (_, n) => newDelivery(place, `evt_${n}`));
    for (const part of [deliveries.slice(0, 70), deliveries.slice(70)]) {
      await place.store.noteWebhooks([noteOf(webhook, { ...progress, deliveries: part })]);
    }
    await place.reopen();
    expect(await place.store.findWebhook(webhook.id)).toEqual({ ...webhook, ...progress });
    expect(await place.store.listWebhookDeliveries(webhook.id)).toEqual(deliveries.slice(20).toReversed());
  });

  test("progress doesn't overwrite a concurrent change by an admin, and is dropped for a deleted webhook", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const [webhook, deleted] = [await addWebhook(place, teamId), await addWebhook(place, teamId)];
    await place.store.pauseWebhook(webhook.id);
    const resumed = await place.store.resumeWebhook(webhook.id);
    await place.store.deleteWebhook(deleted.id);
    const failed = { lastEventId: "evt_7", failures: 3, nextTryAt: place.clock.now() + DAY, goneAt: place.clock.now() };
    await place.store.noteWebhooks([noteOf(deleted, failed), noteOf(webhook, failed)]);
    expect(await place.store.findWebhook(webhook.id)).toEqual({ ...webhook, ...resumed, lastEventId: "evt_7" });
    expect(await place.store.listWebhooks(teamId)).toHaveLength(1);
  });

  test("a receiver that is gone pauses its webhook, and skipped events are reported as an event", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const webhook = await addWebhook(place, teamId);
    const { id: secretId } = await addSecret(place, teamId);
    const goneAt = place.clock.now();
    const skipped = [{ secretId, requestId: null, reference: "OPS-1" }];
    const before = (await place.store.findTeamUsage(teamId)).storedBytes;
    await place.store.noteWebhooks([noteOf(webhook, { goneAt, skipped })]);
    expect(await place.store.findWebhook(webhook.id)).toMatchObject({ pausedAt: goneAt, pausedBy: "receiver" });
    expect(await toldOf(place, teamId)).toEqual([`secret.created ${secretId}`, `webhook.failed ${secretId}`]);
    const last = (await place.store.listEvents(teamId, undefined, 10)).at(-1);
    expect(last).toMatchObject({ type: "webhook.failed", reference: "OPS-1", actorId: null });
    expect((await place.store.findTeamUsage(teamId)).storedBytes).toBe(before + place.eventBytes);
  });
}
