import { and, asc, desc, eq, getTableColumns, lte, sql } from "drizzle-orm";
import type { AdminAction, AdminDetails } from "../../domain/ports/admin-log.ts";
import { KEPT_DELIVERIES, MAX_WEBHOOKS } from "../../domain/ports/webhooks.ts";
import type { NewWebhook, WebhookDelivery, WebhookNote, WebhookRecord } from "../../domain/ports/webhooks.ts";
import { record } from "./admin-log.ts";
import { rowsOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

/** Builds a query for webhooks with the names of their teams. */
export function selectWebhooks({ orm, tables: { teams, webhooks } }: Pick<ReadContext, "orm" | "tables">) {
  return orm
    .select({ ...getTableColumns(webhooks), teamName: teams.name })
    .from(webhooks)
    .innerJoin(teams, eq(webhooks.teamId, teams.id));
}

export function listWebhooks(context: ReadContext, teamId: string | undefined): Work<WebhookRecord[]> {
  const { webhooks } = context.tables;
  const condition = teamId === undefined ? undefined : eq(webhooks.teamId, teamId);
  return rowsOf(selectWebhooks(context).where(condition).orderBy(asc(webhooks.id)));
}

export function* findWebhook(context: ReadContext, id: string): Work<WebhookRecord | undefined> {
  return (yield* rowsOf(selectWebhooks(context).where(eq(context.tables.webhooks.id, id))))[0];
}

export function listWebhookDeliveries(
  { orm, tables: { webhookDeliveries } }: ReadContext,
  webhookId: string,
): Work<WebhookDelivery[]> {
  const { id: _id, webhookId: _webhookId, ...columns } = getTableColumns(webhookDeliveries);
  return rowsOf(
    orm
      .select(columns)
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhookId, webhookId))
      .orderBy(desc(webhookDeliveries.id)),
  );
}

export function* createWebhook(context: ChangeContext, webhook: NewWebhook): Work<"created" | "too_many"> {
  const { orm } = context;
  const { events, webhooks } = context.tables;
  const others = yield* rowsOf(orm.select({ id: webhooks.id }).from(webhooks));
  if (others.length >= MAX_WEBHOOKS) return "too_many";
  const { teamId, format, eventTypes, url } = webhook;
  const [last] = yield* rowsOf(
    orm.select({ id: events.id }).from(events).where(eq(events.teamId, teamId)).orderBy(desc(events.id)).limit(1),
  );
  yield* rowsOf(orm.insert(webhooks).values({ ...webhook, lastEventId: last?.id ?? "" }));
  // Only the host: in many URLs the path is a credential.
  const details = { format, host: new URL(url).host, ...(eventTypes && { events: eventTypes }) };
  yield* note(context, "webhook.created", webhook, details);
  return "created";
}

export function* pauseWebhook(context: ChangeContext, id: string): Work<WebhookRecord | undefined> {
  const before = yield* findWebhook(context, id);
  if (!before || before.pausedAt !== null) return before;
  yield* note(context, "webhook.paused", before);
  return yield* update(context, id, { pausedAt: context.clock.now(), pausedBy: "admin" });
}

export function* resumeWebhook(context: ChangeContext, id: string): Work<WebhookRecord | undefined> {
  const before = yield* findWebhook(context, id);
  if (!before || (before.pausedAt === null && before.nextTryAt === null)) return before;
  yield* note(context, "webhook.resumed", before);
  const anew = { failures: 0, rejections: 0, firstFailedAt: null, nextTryAt: null };
  return yield* update(context, id, { pausedAt: null, pausedBy: null, ...anew });
}

export function* rotateWebhookSecret(
  context: ChangeContext,
  id: string,
  secret: string,
  formerUntil: number,
): Work<WebhookRecord | undefined> {
  const before = yield* findWebhook(context, id);
  if (!before) return undefined;
  yield* note(context, "webhook.secret_rotated", before);
  return yield* update(context, id, { secret, formerSecret: before.secret, formerSecretUntil: formerUntil });
}

export function* deleteWebhook(context: ChangeContext, id: string): Work<WebhookRecord | undefined> {
  const { orm } = context;
  const { webhookDeliveries, webhooks } = context.tables;
  const before = yield* findWebhook(context, id);
  if (!before) return undefined;
  yield* rowsOf(orm.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id)));
  yield* rowsOf(orm.delete(webhooks).where(eq(webhooks.id, id)));
  yield* note(context, "webhook.deleted", before);
  return before;
}

export function* noteWebhooks(context: ChangeContext, notes: readonly WebhookNote[]): Work<void> {
  const { orm } = context;
  const { webhooks } = context.tables;
  for (const each of notes) {
    const { webhookId: id, revision, lastEventId, failures, rejections, firstFailedAt, nextTryAt, goneAt } = each;
    const [row] = yield* rowsOf(orm.select().from(webhooks).where(eq(webhooks.id, id)));
    if (!row) continue;
    const attempts = { failures, rejections, firstFailedAt, nextTryAt };
    const gone = goneAt === null ? {} : ({ pausedAt: goneAt, pausedBy: "receiver" } as const);
    // A concurrent change by an admin must not be overwritten.
    const rest = row.revision === revision ? { ...attempts, ...gone } : {};
    yield* rowsOf(
      orm
        .update(webhooks)
        .set({ lastEventId, ...rest })
        .where(eq(webhooks.id, id)),
    );
    yield* keepDeliveries(context, each);
    for (const about of each.skipped) {
      context.append({ teamId: row.teamId, type: "webhook.failed", actorId: null, address: null, ...about });
    }
  }
}

function* keepDeliveries(
  { orm, tables: { webhookDeliveries } }: ChangeContext,
  { webhookId, deliveries }: WebhookNote,
): Work<void> {
  if (deliveries.length === 0) return;
  yield* rowsOf(orm.insert(webhookDeliveries).values(deliveries.map((delivery) => ({ webhookId, ...delivery }))));
  const isOfWebhook = eq(webhookDeliveries.webhookId, webhookId);
  const last = orm
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(isOfWebhook)
    .orderBy(desc(webhookDeliveries.id))
    .limit(1)
    .offset(KEPT_DELIVERIES);
  yield* rowsOf(orm.delete(webhookDeliveries).where(and(isOfWebhook, lte(webhookDeliveries.id, sql`(${last})`))));
}

function* update(
  context: ChangeContext,
  id: string,
  set: Partial<Omit<WebhookRecord, "id" | "teamName" | "revision">>,
): Work<WebhookRecord | undefined> {
  const { webhooks } = context.tables;
  const revision = sql`${webhooks.revision} + 1`;
  yield* rowsOf(
    context.orm
      .update(webhooks)
      .set({ ...set, revision })
      .where(eq(webhooks.id, id)),
  );
  return yield* findWebhook(context, id);
}

function note(
  context: ChangeContext,
  action: AdminAction,
  { id, teamId }: Pick<WebhookRecord, "id" | "teamId">,
  details: AdminDetails = {},
): Work<void> {
  return record(context, { action, subjectId: id, teamId, details });
}
