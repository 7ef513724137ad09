import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import type { EventType } from "../../contract/events.ts";
import type { EventRecord, EventStore } from "../../domain/ports.ts";
import type { StoreContext } from "./engine/context.ts";
import { events } from "./schema.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

/** Writes events, in the transaction of what they tell of. */
export interface EventWriter {
  append(
    type: EventType,
    secret: { readonly id: string; readonly teamId: string; readonly requestId: string | null },
    createdAt: number,
    actorId: string | null,
  ): void;
  /** The same for what happens to a request. */
  appendForRequest(
    type: EventType,
    request: { readonly id: string; readonly teamId: string },
    createdAt: number,
    actorId: string | null,
  ): void;
}

export function createEventWriter(
  context: Pick<StoreContext, "orm" | "ids" | "announce" | "storedBytes">,
): EventWriter {
  const p = sql.placeholder;
  const insert = context.orm
    .insert(events)
    .values({
      id: p("id"),
      teamId: p("teamId"),
      type: p("type"),
      createdAt: p("createdAt"),
      secretId: p("secretId"),
      requestId: p("requestId"),
      actorId: p("actorId"),
    })
    .prepare();
  const append = (event: Omit<EventRecord, "id">) => {
    const whole = { id: context.ids.next("event"), ...event };
    insert.run({ ...whole });
    context.storedBytes.charge(event.teamId, ROW_BYTES.event);
    context.announce(whole);
  };
  return {
    append: (type, { id, teamId, requestId }, createdAt, actorId) =>
      append({ teamId, type, createdAt, secretId: id, requestId, actorId }),
    appendForRequest: (type, { id, teamId }, createdAt, actorId) =>
      append({ teamId, type, createdAt, secretId: null, requestId: id, actorId }),
  };
}

export function createEventStore(context: StoreContext): EventStore {
  const p = sql.placeholder;
  const list = context.orm
    .select()
    .from(events)
    .where(and(eq(events.teamId, p("teamId")), gt(events.id, p("after"))))
    .orderBy(asc(events.id))
    .limit(p("limit"))
    .prepare();
  const last = context.orm
    .select({ id: events.id })
    .from(events)
    .where(eq(events.teamId, p("teamId")))
    .orderBy(desc(events.id))
    .limit(1)
    .prepare();
  return {
    listEvents: async (teamId, after, limit) => list.all({ teamId, after: after ?? "", limit }),
    lastEventId: async (teamId) => last.get({ teamId })?.id,
  };
}
