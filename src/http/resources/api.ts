import { Elysia } from "elysia";
import { OPERATION_IDS, schemasOf } from "../../contract/operation-schemas.ts";
import { OPERATIONS } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { Refusal } from "../../domain/errors.ts";
import type { Service } from "../../domain/service.ts";
import { readOwnJson } from "../gate/bodies.ts";
import { parseQuery } from "../gate/queries.ts";
import { routeOf } from "../gate/routes.ts";
import type { Prefix } from "../gate/routes.ts";
import { createSchemaCheck } from "../gate/schema-checks.ts";
import { callerOf, visitOf } from "../gate/visits.ts";
import type { Call, Handlers } from "./calls.ts";
import { credentialHandlers } from "./credentials.ts";
import { eventHandlers } from "./events.ts";
import { requestHandlers } from "./requests.ts";
import { secretHandlers } from "./secrets.ts";
import type { SecretOptions } from "./secrets.ts";

/** The names of query parameters that the contract defines, which an error may repeat. */
const QUERY_NAMES = OPERATION_IDS.flatMap((id) => Object.keys(schemasOf(id).query.properties));

type ApiOptions = SecretOptions & {
  /** Is told of every request whose answer may be held back. */
  readonly onWait: (request: Request) => void;
};

/** Every operation, below `prefix`. */
export function apiRoutes(service: Service, options: ApiOptions, prefix: Prefix) {
  const handlers: Handlers = {
    ...secretHandlers(service, options),
    ...requestHandlers(service, options),
    ...eventHandlers(service),
    ...credentialHandlers(service),
  };
  const app = new Elysia({ normalize: false });
  for (const id of OPERATION_IDS) {
    const answer = createAnswerer(service, handlers, id, options);
    // Elysia looks into the text of a handler for what it uses. What none of them names it does not make ready, and what it
    // would read of a body takes several times as long as all else that it does.
    app.route(OPERATIONS[id].method, routeOf(id, prefix), ({ request, set }) => answer(request, set));
  }
  return app;
}

/** The part of an answer that Elysia makes of its own. */
interface Answer {
  readonly headers: object;
  status?: number | string;
}

/**
 * Has the calls of the operation `id` answered by its handler, with its status, after they have been held against the
 * schemas of the operation. What the handlers answer is what the schemas say by their types, and the tests hold every
 * answer against them.
 */
function createAnswerer(service: Service, handlers: Handlers, id: OperationId, options: ApiOptions) {
  // That each handler gets the calls of its own operation is said by Handlers; in a loop the compiler loses sight of it.
  const handle = handlers[id] as (call: Call<never>) => Promise<unknown>;
  const { status } = schemasOf(id).success;
  const readBody = OPERATIONS[id].takesBody ? readOwnJson(service.policy, options) : undefined;
  const check = createSchemaCheck(id);
  return async (request: Request, answer: Answer): Promise<unknown> => {
    const { search, id: named, prefix } = visitOf(request);
    const body = readBody && (await readBody({ request }).catch(rejectBody));
    const query = parseQuery(search, QUERY_NAMES);
    if ("wait" in query) options.onWait(request);
    check({ id: named, query, body });
    const caller = callerOf(request);
    const call = { caller, id: named, query, body, request, prefix, headers: answer.headers };
    const answered = await handle(call as Call<never>);
    answer.status = status;
    return answered;
  };
}

/** Throws the refusal of a body that could not be read. */
function rejectBody(error: unknown): never {
  throw error instanceof Refusal ? error : new Refusal("malformed_json", { cause: error });
}
