import type { AuditLine, AuditPage, Event, ListAuditQuery, ListEventsQuery } from "../contract/events.ts";
import { AUDIT_PAGE_SIZE, DEFAULT_PAGE_SIZE } from "../contract/limits.ts";
import type { EventType } from "../contract/states.ts";
import { toIsoTime } from "../contract/times.ts";
import type { Caller } from "./callers.ts";
import type { EventStream, EventStreams } from "./event-streams.ts";
import type { AdminStore } from "./ports/admin.ts";
import type { EventStore, ListedEvent } from "./ports/events.ts";
import type { SecretStore } from "./ports/secrets.ts";
import type { Clock } from "./ports/sources.ts";
import { checkCursor } from "./values/cursors.ts";
import { Refusal } from "./values/errors.ts";
import { firstIdAt } from "./values/ids.ts";
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
  return { ...event, actor, identity: null, request_id: null, reference: null, ask: null };
}

/** How much earlier than its event an id may be, and more: an id is compared with no time of the events. */
const EARLIER_MS = 60_000;

/** Selects a page of the audit. */
export type AuditQuery = { readonly [Name in keyof ListAuditQuery]?: ListAuditQuery[Name] | undefined };

/**
 * A page of the audit of a team: its events from `since` until before `until`, oldest first, with the names that their
 * actors have now. Throws a Refusal `schema_mismatch` for a time that isn't in the calendar, and a cursor from the
 * future.
 */
export async function listAudit(
  { store, clock }: { readonly store: EventStore & Pick<AdminStore, "listIdentities">; readonly clock: Clock },
  teamId: string,
  query: AuditQuery,
): Promise<AuditPage> {
  const [since, until] = [timeOf("since", query.since) ?? 0, timeOf("until", query.until) ?? Infinity];
  checkCursor(clock, "event", "cursor", query.cursor);
  const limit = query.limit ?? AUDIT_PAGE_SIZE;
  const names = new Map((await store.listIdentities(teamId)).map(({ id, name }) => [id, name]));
  for (let from = query.cursor ?? firstIdAt("event", Math.max(0, since - EARLIER_MS)); ;) {
    const events = await store.listEvents(teamId, from, limit);
    const last = events.at(-1);
    const isOver = !last || events.length < limit || last.createdAt >= until;
    const data = events
      .filter(({ createdAt }) => createdAt >= since && createdAt < until)
      .map((event) => toAuditLine(event, names));
    // A page isn't empty before the last, so that a script may stop there.
    if (data.length > 0 || isOver) return { data, next_cursor: isOver ? null : last.id };
    from = last.id;
  }
}

function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  // The engine takes the 31st of February for a day in March.
  if (Number.isNaN(time) || toIsoTime(time).slice(0, 10) !== text.slice(0, 10)) {
    throw new Refusal("schema_mismatch", { errors: [{ pointer: `/query/${name}`, code: "format" }] });
  }
  return time;
}

function toAuditLine(event: ListedEvent, names: ReadonlyMap<string, string>): AuditLine {
  const { actor, created_at: time, type } = toEvent(event);
  const { secretId, requestId, reference, actorId, address, proof, network, ask, id } = event;
  return {
    time,
    type,
    secret_id: secretId,
    request_id: requestId,
    reference,
    actor: actor?.kind ?? null,
    identity: actorId,
    name: actorId === null ? null : (names.get(actorId) ?? null),
    address,
    proof,
    network,
    ask,
    id,
  };
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
