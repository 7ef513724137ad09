import { Elysia } from "elysia";
import { EventPage, ListEventsQuery } from "../../contract/events.ts";
import { OPERATIONS } from "../../contract/operations.ts";
import { listEvents } from "../../domain/events.ts";
import { reauthenticate } from "../../domain/reauthentication.ts";
import type { Service } from "../../domain/service.ts";
import { routeOf } from "../gate/routes.ts";
import type { Prefix } from "../gate/routes.ts";
import { callerOf } from "../gate/visits.ts";
import { describeOperation } from "./descriptions.ts";
import { toIsoTime } from "./times.ts";

/** What happened in the caller's team. */
export function eventRoutes(service: () => Service, prefix: Prefix) {
  return new Elysia({ normalize: false }).get(
    routeOf("listEvents", prefix),
    async ({ query, request }) => {
      const caller = callerOf(request);
      const { events, nextCursor } = await listEvents(service(), caller, query, request.signal);
      if (query.wait) await reauthenticate(service(), caller, OPERATIONS.listEvents, undefined);
      return {
        data: events.map((event) => ({
          id: event.id,
          type: event.type,
          created_at: toIsoTime(event.createdAt),
          secret_id: event.secretId,
          request_id: event.requestId,
          identity: event.actorId,
        })),
        next_cursor: nextCursor,
      };
    },
    { query: ListEventsQuery, response: { 200: EventPage }, detail: describeOperation("listEvents") },
  );
}
