import { and, asc, eq, gte, isNull, lt, sql } from "drizzle-orm";
import type { EventType } from "../../contract/states.ts";
import type { EventStore, ListedEvent, NewEvent } from "../../domain/ports/events.ts";
import type { SecretRecord } from "../../domain/ports/secrets.ts";
import { firstIdAt } from "../../domain/values/ids.ts";
import type { StoreContext } from "./engine/context.ts";
import { listedColumns } from "./listed-events.ts";
import { prepare } from "./prepared.ts";
import { events, identities } from "./schema.ts";

// With an index of all events by secret, each creation and claim would write another page. The secret itself has the
// times of the two most frequent events: its creation and its last claim. By these times they are found among the
// team's events. All other events have the secret in a column of its own, and only that is in an index.

/** How much earlier than its event an id may be, because they come from two clocks. */
const EARLIER_MS = 1000;
/** How much later than its event an id may be, because a call waited so long for its turn. */
const LATER_MS = 60_000;

/** The types that are found by their secret. */
const OTHERS: readonly EventType[] = [
  "secret.changed",
  "secret.expired",
  "secret.revoked",
  "secret.proof_refused",
  "secret.approval_asked",
  "secret.approved",
  "secret.refused",
];

/**
 * The secret by which `event` is found; null when it is found by its time. After a claim that leaves the secret
 * available, others may follow.
 */
export function historyOf({ type, secretId }: NewEvent, isAvailable: boolean): string | null {
  const leavesClaims = type === "secret.claimed" && isAvailable;
  return leavesClaims || OTHERS.includes(type) ? secretId : null;
}

export function createSecretEvents(context: StoreContext): Pick<EventStore, "listSecretEvents"> {
  const p = sql.placeholder;
  const select = () =>
    context.orm.select(listedColumns()).from(events).leftJoin(identities, eq(identities.id, events.actorId));
  const listByHistory = prepare(context, () => select().where(eq(events.historyOf, p("secretId"))));
  const findByTime = prepare(context, () =>
    select()
      .where(
        and(
          eq(events.teamId, p("teamId")),
          gte(events.id, p("from")),
          lt(events.id, p("to")),
          eq(events.secretId, p("secretId")),
          eq(events.type, p("type")),
          isNull(events.historyOf),
        ),
      )
      .orderBy(asc(events.id))
      .limit(1),
  );

  const at = ({ id: secretId, teamId }: SecretRecord, type: EventType, time: number): ListedEvent[] => {
    // Events older than any tombstone are deleted.
    if (time + LATER_MS < context.clock.now() - context.tombstoneMs) return [];
    const from = firstIdAt("event", Math.max(0, time - EARLIER_MS));
    return findByTime.all({ teamId, secretId, type, from, to: firstIdAt("event", time + LATER_MS) });
  };

  return {
    async listSecretEvents(secret) {
      const { id: secretId, createdAt, state, endedAt } = secret;
      return [
        ...at(secret, "secret.created", createdAt),
        ...listByHistory.all({ secretId }),
        ...(state === "claimed" && endedAt !== null ? at(secret, "secret.claimed", endedAt) : []),
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
  };
}
