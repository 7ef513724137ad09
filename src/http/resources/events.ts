import { OPERATIONS } from "../../contract/operations.ts";
import { listEvents, toEvent } from "../../domain/events.ts";
import { reauthenticate } from "../../domain/reauthentication.ts";
import type { Service } from "../../domain/service.ts";
import type { Handlers } from "./calls.ts";

/** Answers calls about events of the caller's team. */
export function eventHandlers(service: Service): Handlers<"listEvents"> {
  return {
    async listEvents({ caller, query, request }) {
      const { events, nextCursor } = await listEvents(service, caller, query, request.signal);
      if (query.wait) await reauthenticate(service, caller, OPERATIONS.listEvents, undefined);
      return { data: events.map(toEvent), next_cursor: nextCursor };
    },
  };
}
