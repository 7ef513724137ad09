import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { Closed, Id, Nullable, OneOf, PageLimit, Reference, Timestamp, Wait, Words } from "./fields.ts";
import type { PageOf } from "./fields.ts";
import { exampleId, idPattern } from "./ids.ts";
import { AUDIT_PAGE_SIZE } from "./limits.ts";
import { ACTOR_KINDS, EVENT_TYPES, PROOF_WAYS } from "./states.ts";

const eventExample = {
  id: exampleId("event"),
  type: "secret.created",
  created_at: "2026-11-21T09:30:00.000Z",
  secret_id: exampleId("secret"),
  request_id: null,
  identity: exampleId("identity"),
  actor: { kind: "api_key", id: exampleId("identity"), address: null },
  reference: null,
  ask: null,
};

const Actor = Closed(
  {
    kind: OneOf(ACTOR_KINDS, {
      title: "ActorKind",
      description:
        "What the actor used: an API key, a session of the page, the link alone, or the link and the proof of an address.",
    }),
    id: Nullable(Id("identity", "The identity that has the key, or the person; null for the holder of a link.")),
    address: Nullable(
      Type.String({
        description:
          "The address that the actor has proven; of `proof_refused`, the one that they gave. Null for the others.",
      }),
    ),
  },
  {
    description: "The actor; null without one, as for expiry.",
  },
);

/** One change of state. It never has content. */
export const Event = Closed(
  {
    id: Id("event", "The id of the event; events sort by it."),
    type: OneOf(EVENT_TYPES, { title: "EventType", description: "What happened." }),
    created_at: Timestamp("When it was written to the log. Times never go back from one event to the next."),
    secret_id: Nullable(Id("secret", "The secret of the event; null for an event of a request.")),
    request_id: Nullable(Id("request", "The request of the event, or the one that the secret was handed in for.")),
    identity: Nullable(Id("identity", "The `id` of `actor`; null for the holder of a link, and without an actor.")),
    actor: Nullable(Actor),
    reference: Nullable(Reference("The ticket that the secret or the request is about.")),
    ask: Nullable(
      Closed(
        { id: Id("ask", "The id of the ask."), words: Words("Its three words.") },
        { description: "The ask for approval and its three words, of events about one, and of claims that it let in." },
      ),
    ),
  },
  { $id: "Event", description: "One change of state.", examples: [eventExample] },
);
export type Event = Static<typeof Event>;

export const ListEventsQuery = Closed({
  after: Type.Optional(
    Type.String({
      pattern: `^(${idPattern("event")}|now)$`,
      description:
        "The id of the last event already seen; `now` for events from now on. An id from the future is rejected.",
      examples: [exampleId("event")],
    }),
  ),
  limit: PageLimit(),
  wait: Wait("Without new events, wait for one up to this many seconds."),
});
export type ListEventsQuery = Static<typeof ListEventsQuery>;

export const EventPage = Closed(
  {
    data: Type.Array(Event, { description: "Oldest first." }),
    next_cursor: Nullable(Id("event", "Send it as `after` to continue; null when there are no events yet.")),
  },
  {
    $id: "EventPage",
    description: "Events, oldest first.",
    examples: [{ data: [eventExample], next_cursor: exampleId("event") }],
  },
);
export type EventPage = PageOf<Event>;

export const SecretEvents = Closed(
  { data: Type.Array(Event, { description: "Oldest first, and all of them." }) },
  {
    $id: "SecretEvents",
    description: "The events of a secret.",
    examples: [{ data: [eventExample] }],
  },
);
export type SecretEvents = Static<typeof SecretEvents>;

const UTC = String.raw`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$`;

function UtcTime(description: string) {
  return Type.Optional(Type.String({ pattern: UTC, description, examples: ["2026-11-21T00:00:00Z"] }));
}

export const ListAuditQuery = Closed({
  since: UtcTime("Only lines from this time on (RFC 3339, in UTC)."),
  until: UtcTime("Only lines before this time."),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: AUDIT_PAGE_SIZE,
      default: AUDIT_PAGE_SIZE,
      description: "The most lines on a page.",
    }),
  ),
  cursor: Type.Optional(Id("event", "The `next_cursor` of the page before. One from the future is rejected.")),
});
export type ListAuditQuery = Static<typeof ListAuditQuery>;

const auditExample = {
  time: "2026-11-21T09:30:00.000Z",
  type: "secret.claimed",
  secret_id: exampleId("secret"),
  request_id: null,
  reference: "OPS-1207",
  actor: "address",
  identity: null,
  name: null,
  address: "ann@example.com",
  proof: "code",
  network: null,
  ask: null,
  id: exampleId("event"),
};

/** An event as an auditor reads it, flat, and with the name of its actor. */
export const AuditLine = Closed(
  {
    time: Timestamp("When it was written to the log."),
    type: OneOf(EVENT_TYPES, { title: "EventType", description: "What happened." }),
    secret_id: Nullable(Id("secret", "The secret.")),
    request_id: Nullable(Id("request", "The request, or the one that the secret was handed in for.")),
    reference: Nullable(Reference("The ticket.")),
    actor: Nullable(OneOf(ACTOR_KINDS, { description: "What the actor used, as in an event." })),
    identity: Nullable(Id("identity", "The identity of the actor.")),
    name: Nullable(Type.String({ description: "The name that this identity has now; of a person, their address." })),
    address: Nullable(Type.String({ description: "The address of the actor, as in an event." })),
    proof: Nullable(OneOf(PROOF_WAYS, { description: "How the address was proven." })),
    network: Nullable(
      Type.String({ description: "The IP address of the client, where the server runs with `--log-addresses`." }),
    ),
    ask: Nullable(Type.String({ description: "The id and the three words of an ask for approval, with spaces." })),
    id: Id("event", "The id of the event."),
  },
  { $id: "AuditLine", description: "An event with the name of its actor.", examples: [auditExample] },
);
export type AuditLine = Static<typeof AuditLine>;

export const AuditPage = Closed(
  {
    data: Type.Array(AuditLine, { description: "Oldest first. A page may have fewer lines than `limit`." }),
    next_cursor: Nullable(Id("event", "Send it as `cursor` for the next page; null on the last one.")),
  },
  {
    $id: "AuditPage",
    description: "Lines of the audit, oldest first.",
    examples: [{ data: [auditExample], next_cursor: null }],
  },
);
export type AuditPage = PageOf<AuditLine>;
