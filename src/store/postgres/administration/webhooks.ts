import { and, asc, desc, eq, getTableColumns, lte, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AdminAction, AdminDetails } from "../../../domain/ports/admin-log.ts";
import { KEPT_DELIVERIES, MAX_WEBHOOKS } from "../../../domain/ports/webhooks.ts";
import type { WebhookNote, WebhookRecord, WebhookStore } from "../../../domain/ports/webhooks.ts";
import { recordNote } from "../admin-log.ts";
import type { StoreContext } from "../engine/context.ts";
import type { Connection, Orm } from "../engine/database.ts";
import type { Lease } from "../engine/leases.ts";
import { events, teams, webhookDeliveries, webhooks } from "../schema.ts";

/** Webhooks and their places in the log. Whoever holds `lease` calls them, and no other process does. */
export function createWebhookStore(context: StoreContext, lease: Lease): WebhookStore {
  const { database, writer } = context;
  return {
    ...createWebhookChanges(context),
    listWebhooks: (teamId) => select(database.orm, teamId === undefined ? undefined : eq(webhooks.teamId, teamId)),
    findWebhook: (id) => find(database.orm, id),
    listWebhookDeliveries(webhookId) {
      const { id: _id, webhookId: _webhookId, ...columns } = getTableColumns(webhookDeliveries);
      return database.orm
        .select(columns)
        .from(webhookDeliveries)
        .where(eq(webhookDeliveries.webhookId, webhookId))
        .orderBy(desc(webhookDeliveries.id));
    },
    noteWebhooks: (notes) =>
      writer.alone(async ({ orm }, tell) => {
        for (const note of notes) await noteOne(orm, note, tell);
      }),
    mayCallWebhooks: () => lease.hold(),
  };
}

function select(orm: Orm, where: SQL | undefined): Promise<WebhookRecord[]> {
  return orm
    .select({ ...getTableColumns(webhooks), teamName: teams.name })
    .from(webhooks)
    .innerJoin(teams, eq(webhooks.teamId, teams.id))
    .where(where)
    .orderBy(asc(webhooks.id));
}

async function find(orm: Orm, id: string): Promise<WebhookRecord | undefined> {
  return (await select(orm, eq(webhooks.id, id)))[0];
}

async function update(
  orm: Orm,
  id: string,
  set: Partial<typeof webhooks.$inferInsert>,
): Promise<WebhookRecord | undefined> {
  const revision = sql`${webhooks.revision} + 1`;
  await orm
    .update(webhooks)
    .set({ ...set, revision })
    .where(eq(webhooks.id, id));
  return find(orm, id);
}

type WebhookChanges = Pick<
  WebhookStore,
  "createWebhook" | "pauseWebhook" | "resumeWebhook" | "rotateWebhookSecret" | "deleteWebhook"
>;

function createWebhookChanges(context: StoreContext): WebhookChanges {
  const { writer, clock } = context;
  type Noted = { readonly id: string; readonly teamId: string };
  const note = (orm: Orm, action: AdminAction, { id, teamId }: Noted, details: AdminDetails = {}) =>
    recordNote(context, orm, { action, subjectId: id, teamId, details });
  /** Changes a webhook by `work`, which is given what it was. */
  const change = <T>(id: string, work: (orm: Orm, before: WebhookRecord) => Promise<T>) =>
    writer.alone(async ({ orm }: Connection) => {
      const before = await find(orm, id);
      return before && work(orm, before);
    });
  return {
    createWebhook: (webhook) =>
      writer.alone(async ({ orm }) => {
        if ((await orm.$count(webhooks)) >= MAX_WEBHOOKS) return "too_many";
        const [last] = await orm
          .select({ id: events.id })
          .from(events)
          .where(eq(events.teamId, webhook.teamId))
          .orderBy(desc(events.id))
          .limit(1);
        await orm.insert(webhooks).values({ ...webhook, lastEventId: last?.id ?? "" });
        const { format, eventTypes, url } = webhook;
        // Not all of the URL: the path of many is a credential.
        const details = { format, host: new URL(url).host, ...(eventTypes && { events: eventTypes }) };
        await note(orm, "webhook.created", webhook, details);
        return "created";
      }),
    pauseWebhook: (id) =>
      change(id, async (orm, before) => {
        if (before.pausedAt !== null) return before;
        await note(orm, "webhook.paused", before);
        return update(orm, id, { pausedAt: clock.now(), pausedBy: "admin" });
      }),
    resumeWebhook: (id) =>
      change(id, async (orm, before) => {
        if (before.pausedAt === null && before.nextTryAt === null) return before;
        await note(orm, "webhook.resumed", before);
        const anew = { failures: 0, rejections: 0, firstFailedAt: null, nextTryAt: null };
        return update(orm, id, { pausedAt: null, pausedBy: null, ...anew });
      }),
    rotateWebhookSecret: (id, secret, formerUntil) =>
      change(id, async (orm, before) => {
        await note(orm, "webhook.secret_rotated", before);
        return update(orm, id, { secret, formerSecret: before.secret, formerSecretUntil: formerUntil });
      }),
    deleteWebhook: (id) =>
      change(id, async (orm, before) => {
        await orm.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id));
        await orm.delete(webhooks).where(eq(webhooks.id, id));
        await note(orm, "webhook.deleted", before);
        return before;
      }),
  };
}

async function noteOne(orm: Orm, note: WebhookNote, tell: Tell): Promise<void> {
  const { webhookId: id, revision, lastEventId, failures, rejections, firstFailedAt, nextTryAt, goneAt } = note;
  const row = await find(orm, id);
  if (!row) return;
  const attempts = { failures, rejections, firstFailedAt, nextTryAt };
  const gone = goneAt === null ? {} : ({ pausedAt: goneAt, pausedBy: "receiver" } as const);
  // What an admin has done meanwhile counts.
  const rest = row.revision === revision ? { ...attempts, ...gone } : {};
  await orm
    .update(webhooks)
    .set({ lastEventId, ...rest })
    .where(eq(webhooks.id, id));
  await keepDeliveries(orm, note);
  for (const about of note.skipped) {
    tell({ teamId: row.teamId, type: "webhook.failed", actorId: null, ...about });
  }
}

type Tell = Parameters<Parameters<StoreContext["writer"]["alone"]>[0]>[1];

async function keepDeliveries(orm: Orm, { webhookId, deliveries }: WebhookNote): Promise<void> {
  if (deliveries.length === 0) return;
  await orm.insert(webhookDeliveries).values(deliveries.map((delivery) => ({ webhookId, ...delivery })));
  const isOfWebhook = eq(webhookDeliveries.webhookId, webhookId);
  const last = orm
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(isOfWebhook)
    .orderBy(desc(webhookDeliveries.id))
    .limit(1)
    .offset(KEPT_DELIVERIES);
  await orm.delete(webhookDeliveries).where(and(isOfWebhook, lte(webhookDeliveries.id, sql`(${last})`)));
}
