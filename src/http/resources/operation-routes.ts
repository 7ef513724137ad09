import type { Context, Elysia, MaybePromise } from "elysia";
import { OPERATION_IDS, schemasOf } from "../../contract/operation-schemas.ts";
import { OPERATIONS } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { Refusal } from "../../domain/values/errors.ts";
import { routeOf } from "../gate/routes.ts";
import type { Prefix } from "../gate/routes.ts";
import { checked, described } from "../gate/schema-checks.ts";
import { schemaRefusal } from "../gate/schema-errors.ts";
import { detailOf } from "./details.ts";

/** The parts of Elysia's context that the routes of operations use. */
type OperationContext = Pick<Context, "body" | "request" | "set"> & {
  readonly query: object;
  readonly params?: { readonly id?: string };
};

/** The hooks and the handler of the route of one operation. */
export interface OperationRoute {
  /** Reads the body, where the operation takes one. */
  readonly parse?: (context: OperationContext) => Promise<unknown>;
  /** Adds to the context, after that and before the schemas are checked. */
  readonly derive?: (context: OperationContext) => MaybePromise<{ readonly query?: object }>;
  readonly handle: (context: OperationContext) => unknown;
}

/** A plugin with a route for every operation, below `prefix`: its schemas, and what the document says about it. */
export function operationRoutes(prefix: Prefix, routeFor: (id: OperationId) => OperationRoute) {
  return (app: Elysia): Elysia => {
    for (const id of OPERATION_IDS) {
      const { params, query, body, success } = schemasOf(id);
      const { parse, derive, handle } = routeFor(id);
      app.route(OPERATIONS[id].method, routeOf(id, prefix), handle, {
        ...(parse ? { parse } : {}),
        // `derive` of one route alone: Elysia adds what a hook returns here to the context. By its type it returns
        // nothing.
        ...(derive ? { transform: derive as (context: OperationContext) => void } : {}),
        query: checked(query, (errors) => schemaRefusal("query", errors)),
        ...(params ? { params: checked(params, () => new Refusal("not_found")) } : {}),
        ...(body ? { body: checked(body, (errors) => schemaRefusal("body", errors)) } : {}),
        ...("schema" in success ? { response: { [success.status]: described(success.schema) } } : {}),
        detail: detailOf(id),
      });
    }
    return app;
  };
}
