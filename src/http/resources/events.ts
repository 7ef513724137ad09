import { OPERATIONS } from "../../contract/operations.ts";
import { toIsoTime } from "../../contract/times.ts";
import { listEvents } from "../../domain/events.ts";
import { reauthenticate } from "../../domain/reauthentication.ts";
import type { Service } from "../../domain/service.ts";
import type { Handlers } from "./calls.ts";

/** Answers calls about events of the caller's team. */
export function eventHandlers(service: Service): Handlers<"listEvents"> {
  return {
    async listEvents({ caller, query, request }) {
      const { events, nextCursor } = await listEvents(service, caller, query, request.signal);
      if (query.wait) await reauthenticate(service, caller, OPERATIONS.listEvents, undefined);
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
  };
}
