import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { OneOf } from "./enums.ts";
import { ID_PREFIXES } from "./id-prefixes.ts";
import { exampleId, Id, Timestamp } from "./ids.ts";
import { MAX_WAIT_SECONDS } from "./limits.ts";
import { PageLimit } from "./pages.ts";
import type { PageOf } from "./pages.ts";

export const EVENT_TYPES = [
  "secret.created",
  "secret.claimed",
  "secret.expired",
  "secret.revoked",
  "request.created",
  "request.paused",
  "request.opened",
  "request.fulfilled",
  "request.expired",
  "request.revoked",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const eventExample = {
  id: exampleId("event"),
  type: "secret.created",
  created_at: "2026-11-21T09:30:00.000Z",
  secret_id: exampleId("secret"),
  request_id: null,
  identity: exampleId("identity"),
};

/** One change of state. It never has content. */
export const Event = Type.Object(
  {
    id: Id("event", "The id of the event; events sort by it."),
    type: OneOf(EVENT_TYPES, { title: "EventType", description: "What happened." }),
    created_at: Timestamp("When it happened."),
    secret_id: Type.Union([
      Id("secret", "The secret it happened to; null when it happened to a request."),
      Type.Null(),
    ]),
    request_id: Type.Union([Id("request", "The request it happened to, or that the secret belongs to."), Type.Null()]),
    identity: Type.Union([
      Id("identity", "Who did it; null for the holder of a claim token, and for expiry."),
      Type.Null(),
    ]),
  },
  { $id: "Event", additionalProperties: false, description: "One change of state.", examples: [eventExample] },
);
export type Event = Static<typeof Event>;

export const ListEventsQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        pattern: `^(${ID_PREFIXES.event}[0-9a-v]{26}|now)$`,
        description:
          "The id of the last event already seen; `now` for what happens from now on. An id from the future is rejected.",
        examples: [exampleId("event")],
      }),
    ),
    limit: PageLimit(),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        description: "When there is nothing new, wait for it so many seconds at most.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type ListEventsQuery = Static<typeof ListEventsQuery>;

export const EventPage = Type.Object(
  {
    data: Type.Array(Event, { description: "Oldest first." }),
    next_cursor: Type.Union([
      Id("event", "Send it as `after` to go on; null when nothing has happened yet."),
      Type.Null(),
    ]),
  },
  {
    $id: "EventPage",
    additionalProperties: false,
    description: "Events, oldest first.",
    examples: [{ data: [eventExample], next_cursor: exampleId("event") }],
  },
);
export type EventPage = PageOf<Event>;
