import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import { NO_RARE_MEMBERS } from "../../domain/ports/events.ts";
import type { EventStore } from "../../domain/ports/events.ts";
import type { Transaction } from "../../domain/transactions/transaction.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Effects } from "./engine/effects.ts";
import { prepareInsert } from "./inserts.ts";
import { listedColumns } from "./listed-events.ts";
import { named, prepare } from "./prepared.ts";
import { events, identities } from "./schema.ts";
import { createSecretEvents, historyOf } from "./secret-events.ts";
import { ROW_BYTES } from "./stored-bytes.ts";

/** Returns a function that writes an event in the transaction that it is about, as `Transaction.append` does. */
export function createAppend(
  context: Pick<StoreContext, "orm" | "ids" | "clock">,
  effects: Pick<Effects, "tell" | "charge">,
): Transaction["append"] {
  const insert = prepareInsert(context, events);
  return (event, after) => {
    // The time comes first: an id is never earlier than its event.
    const createdAt = context.clock.now();
    const whole = { id: context.ids.next("event"), createdAt, ...NO_RARE_MEMBERS, ...event };
    insert({ ...whole, historyOf: historyOf(event, after?.state === "available") });
    effects.charge(event.teamId, ROW_BYTES.event);
    effects.tell(whole);
  };
}

export function createEventStore(context: StoreContext): EventStore {
  const p = sql.placeholder;
  const list = prepare(context, () =>
    context.orm
      .select(listedColumns())
      .from(events)
      .leftJoin(identities, eq(identities.id, events.actorId))
      .where(and(eq(events.teamId, p("teamId")), gt(events.id, p("after"))))
      .orderBy(asc(events.id))
      .limit(p("limit")),
  );
  const last = prepare(context, () =>
    context.orm
      .select(named({ id: events.id }))
      .from(events)
      .where(eq(events.teamId, p("teamId")))
      .orderBy(desc(events.id))
      .limit(1),
  );
  return {
    ...createSecretEvents(context),
    listEvents: async (teamId, after, limit) => list.all({ teamId, after: after ?? "", limit }),
    lastEventId: async (teamId) => last.get({ teamId })?.id,
  };
}
