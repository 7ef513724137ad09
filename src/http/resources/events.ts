import { OPERATIONS } from "../../contract/operations.ts";
import { listAudit, listEvents, listSecretEvents, openEventStream, toEvent } from "../../domain/events.ts";
import type { Service } from "../../domain/service.ts";
import { reauthenticate } from "../../domain/sessions.ts";
import { visitOf } from "../gate/visits.ts";
import type { Call, Handlers } from "./calls.ts";
import { answerWithoutStream, answerWithStream, lastEventId, wantsStream } from "./event-streams.ts";

/** Answers calls about events of the caller's team. */
export function eventHandlers(service: Service): Handlers<"listEvents" | "listSecretEvents" | "listAudit"> {
  return {
    async listEvents(call) {
      const { caller, query, request } = call;
      // Checked for JSON too, where it has no effect: one operation describes both answers.
      const last = lastEventId(service.clock, request.headers);
      if (wantsStream(request.headers.get("accept"))) return stream(service, call, last);
      const { events, nextCursor } = await listEvents(service, caller, query, request.signal);
      if (query.wait) await reauthenticate(service, caller, OPERATIONS.listEvents, undefined);
      return { data: events.map(toEvent), next_cursor: nextCursor };
    },
    listAudit: ({ caller, query }) => listAudit(service, caller.teamId, query),
    listSecretEvents: async ({ caller, id }) => ({ data: await listSecretEvents(service, caller, id) }),
  };
}

async function stream(service: Service, call: Call<"listEvents">, last: string | undefined): Promise<Response> {
  const { caller, query, request, headers } = call;
  // EventSource reconnects to the address that it began with, so the header is newer than `after`.
  const after = last ?? query.after;
  if (request.method === "HEAD") return answerWithoutStream(headers);
  visitOf(request).isWait = true;
  return answerWithStream(request, await openEventStream(service, caller, after, request.signal), headers);
}
