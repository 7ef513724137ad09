import type { Event, ListEventsQuery } from "../contract/events.ts";
import { DEFAULT_PAGE_SIZE } from "../contract/limits.ts";
import type { EventType } from "../contract/states.ts";
import { toIsoTime } from "../contract/times.ts";
import type { Caller } from "./callers.ts";
import type { EventStream, EventStreams } from "./event-streams.ts";
import type { EventStore, ListedEvent } from "./ports/events.ts";
import type { SecretStore } from "./ports/secrets.ts";
import type { Clock } from "./ports/sources.ts";
import { checkCursor } from "./values/cursors.ts";
import { Refusal } from "./values/errors.ts";
import type { Waits } from "./waits.ts";

export interface EventDeps {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly waits: Waits;
}

/**
 * Lists the events of the caller's team after `query.after`, oldest first, with the next cursor: the last event listed,
 * or `after` if there is none; for `now`, the latest event of all. With `query.wait`, an empty page is delayed until
 * something happens. Throws a Refusal `schema_mismatch` for an `after` from the future.
 */
export async function listEvents(
  deps: EventDeps,
  caller: Caller,
  query: ListEventsQuery,
  signal: AbortSignal,
): Promise<{ events: ListedEvent[]; nextCursor: string | null }> {
  if (query.after !== "now") checkCursor(deps.clock, "event", "after", query.after);
  const after = query.after === "now" ? await deps.store.lastEventId(caller.teamId) : query.after;
  const events = await deps.waits.until({
    topic: caller.teamId,
    credentialId: caller.credentialId,
    seconds: query.wait ?? 0,
    signal,
    read: () => deps.store.listEvents(caller.teamId, after, query.limit ?? DEFAULT_PAGE_SIZE),
    settled: (page) => page.length > 0,
  });
  return { events, nextCursor: events.at(-1)?.id ?? after ?? null };
}

/**
 * Opens a stream of the events of the caller's team after `after`, as in `listEvents`, until `signal` is aborted.
 * Throws a Refusal: `schema_mismatch` for an `after` from the future, `rate_limited` when too many calls of the
 * credential wait.
 */
export async function openEventStream(
  deps: { readonly streams: EventStreams; readonly clock: Clock },
  caller: Caller,
  after: string | undefined,
  signal: AbortSignal,
): Promise<EventStream> {
  if (after !== "now") checkCursor(deps.clock, "event", "after", after);
  return deps.streams.open(caller, after, signal);
}

/**
 * The events of a secret that are still kept, oldest first. For the holder of its claim token, they have no actor,
 * request or ticket, and refused proofs and asks for approval are left out: one that isn't there would tell that an
 * address is chosen. Throws a Refusal `not_found`.
 */
export async function listSecretEvents(
  deps: { readonly store: EventStore & Pick<SecretStore, "findSecret"> },
  caller: Caller,
  id: string,
): Promise<Event[]> {
  const secret = await deps.store.findSecret(caller.teamId, id);
  if (!secret) throw new Refusal("not_found");
  const events = (await deps.store.listSecretEvents(secret)).map(toEvent);
  if (caller.kind !== "claim") return events;
  return events.filter(({ type }) => !OF_TEAM.includes(type)).map(withoutNames);
}

/** The events that the holder of a link doesn't see: they tell of others who have it. */
const OF_TEAM: readonly EventType[] = [
  "secret.proof_refused",
  "secret.approval_asked",
  "secret.approved",
  "secret.refused",
];

function withoutNames(event: Event): Event {
  const actor = event.actor && { ...event.actor, id: null, address: null };
  return { ...event, actor, identity: null, request_id: null, reference: null };
}

/** The event as answers, streams and webhooks have it. */
export function toEvent(event: ListedEvent): Event {
  return {
    id: event.id,
    type: event.type,
    created_at: toIsoTime(event.createdAt),
    secret_id: event.secretId,
    request_id: event.requestId,
    identity: event.actorId,
    actor: actorOf(event),
    reference: event.reference,
    ask: askOf(event),
  };
}

function askOf({ ask }: ListedEvent): Event["ask"] {
  if (ask === null) return null;
  const [id = "", ...words] = ask.split(" ");
  return { id, words };
}

/**
 * The actor; null for expiry, for a request fulfilled by its last submission, and for a revocation by a restored
 * backup.
 */
function actorOf({ type, actorId, actorKind, requestId, address }: ListedEvent): Event["actor"] {
  if (actorId !== null) return { kind: actorKind === "person" ? "person" : "api_key", id: actorId, address: null };
  if (type === "secret.proof_refused" || type === "request.proof_refused") return { kind: "link", id: null, address };
  if (address !== null) return { kind: "address", id: null, address };
  // Without an identity, these are actions of a link's holder: claiming and handing in.
  const isByLink =
    type === "secret.claimed" || type === "secret.approval_asked" || (type === "secret.created" && requestId !== null);
  return isByLink ? { kind: "link", id: null, address: null } : null;
}
