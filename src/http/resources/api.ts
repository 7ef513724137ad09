import { OPERATION_IDS, schemasOf } from "../../contract/operation-schemas.ts";
import { operationOf } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import type { Service } from "../../domain/service.ts";
import { maxBodyBytes, readJson } from "../gate/bodies.ts";
import type { Gate } from "../gate/gate.ts";
import { parseQuery } from "../gate/queries.ts";
import type { Prefix } from "../gate/routes.ts";
import { callerOf, visitOf } from "../gate/visits.ts";
import { approvalHandlers } from "./approvals.ts";
import type { ApprovalOptions } from "./approvals.ts";
import type { Call, Handlers } from "./calls.ts";
import { credentialHandlers } from "./credentials.ts";
import { eventHandlers } from "./events.ts";
import { largeSecretHandlers } from "./large-secrets.ts";
import { operationRoutes } from "./operation-routes.ts";
import type { OperationRoute } from "./operation-routes.ts";
import { proofHandlers } from "./proofs.ts";
import type { ProofOptions } from "./proofs.ts";
import { requestHandlers } from "./requests.ts";
import { secretHandlers } from "./secrets.ts";
import type { SecretOptions } from "./secrets.ts";

/** The names of query parameters that the contract defines, which an error may repeat. */
const QUERY_NAMES = OPERATION_IDS.flatMap((id) => Object.keys(schemasOf(id).query.properties));

type ApiOptions = SecretOptions &
  ProofOptions &
  ApprovalOptions & {
    /** Called for every request whose answer may be held back. */
    readonly onWait: (request: Request) => void;
  };

/** Every operation, below `prefix`, behind `gate`. */
export function apiRoutes(service: Service, options: ApiOptions, gate: Gate, prefix: Prefix) {
  const handlers: Handlers = {
    ...secretHandlers(service, options),
    ...largeSecretHandlers(service, options),
    ...requestHandlers(service, options),
    ...proofHandlers(service, options),
    ...approvalHandlers(service, options),
    ...eventHandlers(service),
    ...credentialHandlers(service),
  };
  const maxBytes = maxBodyBytes(service.policy.maxCiphertextBytes);
  // Elysia reads the source of these functions, and prepares only the parts of the context that they use. A function
  // that passed the whole context on would have it parse headers and cookies for every call.
  return operationRoutes(prefix, (id) => ({
    ...(operationOf(id).takesBody
      ? {
          // Elysia runs no other hook of a route before this one, so the gate is met here.
          parse: async ({ request, params, set }) => {
            await gate.admit({ request, params, set }, id, prefix);
            return readJson(request, maxBytes, options);
          },
          derive: ({ request }) => queryOf(request),
        }
      : {
          derive: async ({ request, params, set }) => {
            await gate.admit({ request, params, set }, id, prefix);
            return queryOf(request);
          },
        }),
    handle: createAnswerer(handlers, options, { id, prefix }),
  }));
}

/** The query of `request` for its context, where it is empty at first. Throws a Refusal `schema_mismatch`. */
function queryOf(request: Request): { readonly query?: object } {
  const { search } = visitOf(request);
  return search === "" ? {} : { query: parseQuery(search, QUERY_NAMES) };
}

/** Returns a function that answers the calls of the operation `id` with its handler and its status. */
function createAnswerer(
  handlers: Handlers,
  options: ApiOptions,
  { id, prefix }: { readonly id: OperationId; readonly prefix: Prefix },
): OperationRoute["handle"] {
  // By its type each handler gets the calls of its own operation; the compiler cannot follow that through a loop.
  const handle = handlers[id] as (call: Call<never>) => Promise<unknown>;
  const { status } = schemasOf(id).success;
  return async ({ request, params, query, body, set }) => {
    if ("wait" in query) options.onWait(request);
    const call = { caller: callerOf(request), id: params?.id, query, body, request, prefix, headers: set.headers };
    set.status = status;
    return handle(call as Call<never>);
  };
}
