import { Elysia } from "elysia";
import { OPERATION_IDS, schemasOf } from "../../contract/operation-schemas.ts";
import { OPERATIONS } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import type { Service } from "../../domain/service.ts";
import { readOwnJson } from "../gate/bodies.ts";
import { routeOf } from "../gate/routes.ts";
import type { Prefix } from "../gate/routes.ts";
import { callerOf } from "../gate/visits.ts";
import type { RouteOptions } from "../options.ts";
import type { Call, Handlers } from "./calls.ts";
import { credentialHandlers } from "./credentials.ts";
import { eventHandlers } from "./events.ts";
import { hooksOf } from "./hooks.ts";
import { requestHandlers } from "./requests.ts";
import { secretHandlers } from "./secrets.ts";

/** Every operation, below `prefix`. */
export function apiRoutes(service: Service, options: RouteOptions, prefix: Prefix) {
  const handlers: Handlers = {
    ...secretHandlers(service, options),
    ...requestHandlers(service, options),
    ...eventHandlers(service),
    ...credentialHandlers(service),
  };
  const parse = readOwnJson(service.policy, options);
  const app = new Elysia({ normalize: false });
  for (const id of OPERATION_IDS) {
    const answer = answerer(handlers, id, prefix);
    const [method, path] = [OPERATIONS[id].method, routeOf(id, prefix)];
    // Elysia looks into the text of a handler for what it uses, and whether it is to be waited for: no body is read where
    // none is named.
    if (OPERATIONS[id].takesBody) {
      app.route(
        method,
        path,
        async ({ params, query, body, request, set }) => answer({ params, query, body, request, set }),
        { ...hooksOf(id), parse },
      );
    } else {
      app.route(
        method,
        path,
        async ({ params, query, request, set }) => answer({ params, query, request, set }),
        hooksOf(id),
      );
    }
  }
  return app;
}

/** The part of Elysia's context that a handler is given. The schemas of the operation have checked it. */
interface Checked {
  /** Undefined, whatever Elysia says, where the path has none. */
  readonly params: { readonly id?: string } | undefined;
  readonly query: object;
  readonly body?: unknown;
  readonly request: Request;
  readonly set: { headers: object; status?: number | string };
}

/** Has the calls of the operation `id` answered by its handler, with its status. */
function answerer(handlers: Handlers, id: OperationId, prefix: Prefix) {
  // That each handler gets the calls of its own operation is said by Handlers; in a loop the compiler loses sight of it.
  const handle = handlers[id] as (call: Call<never>) => Promise<unknown>;
  const { status } = schemasOf(id).success;
  return async ({ params, query, body, request, set }: Checked): Promise<unknown> => {
    const call = {
      caller: callerOf(request),
      id: params?.id,
      query,
      body,
      request,
      prefix,
      headers: set.headers,
    };
    const answer = await handle(call as Call<never>);
    set.status = status;
    return answer;
  };
}
