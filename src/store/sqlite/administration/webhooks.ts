import { and, asc, desc, eq, getTableColumns, lte, sql } from "drizzle-orm";
import type { AdminAction, AdminDetails } from "../../../domain/ports/admin-log.ts";
import { KEPT_DELIVERIES, MAX_WEBHOOKS } from "../../../domain/ports/webhooks.ts";
import type { NewWebhook, WebhookNote, WebhookRecord, WebhookStore } from "../../../domain/ports/webhooks.ts";
import { createAdminLog } from "../admin-log.ts";
import type { StoreContext } from "../engine/context.ts";
import type { Transaction } from "../engine/transaction.ts";
import type { EventWriter } from "../events.ts";
import { events, teams, webhookDeliveries, webhooks } from "../schema.ts";

/** Webhooks and their places in the log. Read once a second, and written a few times a second at most: only what is read before each call is prepared. */
export function createWebhookStore(context: StoreContext, eventWriter: EventWriter): WebhookStore {
  const { orm } = context;
  const run = context.operations.add({ ...changes(context), noteWebhooks: noting(context, eventWriter) });
  let findPrepared: ReturnType<typeof prepareFind> | undefined;
  return {
    listWebhooks: async (teamId) =>
      select(context)
        .where(teamId === undefined ? undefined : eq(webhooks.teamId, teamId))
        .orderBy(asc(webhooks.id))
        .all(),
    findWebhook: async (id) => (findPrepared ??= prepareFind(context)).get({ id }),
    async listWebhookDeliveries(webhookId) {
      const { id: _id, webhookId: _webhookId, ...columns } = getTableColumns(webhookDeliveries);
      return orm
        .select(columns)
        .from(webhookDeliveries)
        .where(eq(webhookDeliveries.webhookId, webhookId))
        .orderBy(desc(webhookDeliveries.id))
        .all();
    },
    createWebhook: (webhook) => run("createWebhook", webhook),
    pauseWebhook: (id) => run("pauseWebhook", { id }),
    resumeWebhook: (id) => run("resumeWebhook", { id }),
    rotateWebhookSecret: (id, secret, formerUntil) => run("rotateWebhookSecret", { id, secret, formerUntil }),
    deleteWebhook: (id) => run("deleteWebhook", { id }),
    noteWebhooks: (notes) => run("noteWebhooks", notes),
    // There is one server on a database: the data folder is locked.
    mayCallWebhooks: async () => true,
  };
}

function select({ orm }: Pick<StoreContext, "orm">) {
  return orm
    .select({ ...getTableColumns(webhooks), teamName: teams.name })
    .from(webhooks)
    .innerJoin(teams, eq(webhooks.teamId, teams.id));
}

function prepareFind(context: Pick<StoreContext, "orm">) {
  return select(context)
    .where(eq(webhooks.id, sql.placeholder("id")))
    .prepare();
}

function find(context: Pick<StoreContext, "orm">, id: string): WebhookRecord | undefined {
  return select(context).where(eq(webhooks.id, id)).get();
}

interface Chosen {
  readonly id: string;
}

function changes(context: StoreContext) {
  const { orm, clock } = context;
  const log = createAdminLog(context);
  const note = (
    action: AdminAction,
    { id, teamId }: Chosen & { readonly teamId: string },
    details: AdminDetails = {},
  ) => log.record({ action, subjectId: id, teamId, details });
  const update = (id: string, set: Partial<typeof webhooks.$inferInsert>): WebhookRecord | undefined => {
    const revision = sql`${webhooks.revision} + 1`;
    orm
      .update(webhooks)
      .set({ ...set, revision })
      .where(eq(webhooks.id, id))
      .run();
    return find(context, id);
  };
  return {
    createWebhook: {
      kind: "essential",
      run(_tx: Transaction, webhook: NewWebhook): "created" | "too_many" {
        if (orm.select({ id: webhooks.id }).from(webhooks).all().length >= MAX_WEBHOOKS) return "too_many";
        const last = orm
          .select({ id: events.id })
          .from(events)
          .where(eq(events.teamId, webhook.teamId))
          .orderBy(desc(events.id))
          .limit(1)
          .get();
        orm
          .insert(webhooks)
          .values({ ...webhook, lastEventId: last?.id ?? "" })
          .run();
        const { format, eventTypes, url } = webhook;
        // Not all of the URL: the path of many is a credential.
        note("webhook.created", webhook, {
          format,
          host: new URL(url).host,
          ...(eventTypes && { events: eventTypes }),
        });
        return "created";
      },
    },
    pauseWebhook: {
      kind: "essential",
      run(_tx: Transaction, { id }: Chosen): WebhookRecord | undefined {
        const before = find(context, id);
        if (!before || before.pausedAt !== null) return before;
        note("webhook.paused", before);
        return update(id, { pausedAt: clock.now(), pausedBy: "admin" });
      },
    },
    resumeWebhook: {
      kind: "essential",
      run(_tx: Transaction, { id }: Chosen): WebhookRecord | undefined {
        const before = find(context, id);
        if (!before || (before.pausedAt === null && before.nextTryAt === null)) return before;
        note("webhook.resumed", before);
        const anew = { failures: 0, rejections: 0, firstFailedAt: null, nextTryAt: null };
        return update(id, { pausedAt: null, pausedBy: null, ...anew });
      },
    },
    rotateWebhookSecret: {
      kind: "essential",
      run(
        _tx: Transaction,
        { id, secret, formerUntil }: Chosen & { readonly secret: string; readonly formerUntil: number },
      ): WebhookRecord | undefined {
        const before = find(context, id);
        if (!before) return undefined;
        note("webhook.secret_rotated", before);
        return update(id, { secret, formerSecret: before.secret, formerSecretUntil: formerUntil });
      },
    },
    deleteWebhook: {
      kind: "essential",
      run(_tx: Transaction, { id }: Chosen): WebhookRecord | undefined {
        const before = find(context, id);
        if (!before) return undefined;
        orm.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id)).run();
        orm.delete(webhooks).where(eq(webhooks.id, id)).run();
        note("webhook.deleted", before);
        return before;
      },
    },
  } as const;
}

function noting({ orm }: StoreContext, eventWriter: EventWriter) {
  const keep = ({ webhookId, deliveries }: WebhookNote) => {
    if (deliveries.length === 0) return;
    orm
      .insert(webhookDeliveries)
      .values(deliveries.map((delivery) => ({ webhookId, ...delivery })))
      .run();
    const isOfWebhook = eq(webhookDeliveries.webhookId, webhookId);
    const last = orm
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(isOfWebhook)
      .orderBy(desc(webhookDeliveries.id))
      .limit(1)
      .offset(KEPT_DELIVERIES);
    orm
      .delete(webhookDeliveries)
      .where(and(isOfWebhook, lte(webhookDeliveries.id, sql`(${last})`)))
      .run();
  };
  return {
    kind: "essential",
    run(tx: Transaction, notes: readonly WebhookNote[]): void {
      for (const note of notes) {
        const { webhookId: id, revision, lastEventId, failures, rejections, firstFailedAt, nextTryAt, goneAt } = note;
        const row = orm.select().from(webhooks).where(eq(webhooks.id, id)).get();
        if (!row) continue;
        const attempts = { failures, rejections, firstFailedAt, nextTryAt };
        const gone = goneAt === null ? {} : ({ pausedAt: goneAt, pausedBy: "receiver" } as const);
        // What an admin has done meanwhile counts.
        const rest = row.revision === revision ? { ...attempts, ...gone } : {};
        orm
          .update(webhooks)
          .set({ lastEventId, ...rest })
          .where(eq(webhooks.id, id))
          .run();
        keep(note);
        for (const about of note.skipped) {
          const event = { teamId: row.teamId, type: "webhook.failed", actorId: null } as const;
          eventWriter.append(tx, { ...event, ...about });
        }
      }
    },
  } as const;
}
