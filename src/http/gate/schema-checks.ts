import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { TypeCheck } from "@sinclair/typebox/compiler";
import { schemasOf } from "../../contract/operation-schemas.ts";
import type { OperationId } from "../../contract/operations.ts";
import { Refusal } from "../../domain/errors.ts";
import { schemaRefusal } from "./schema-errors.ts";

/** The parts of a call that have schemas. */
export interface CallParts {
  /** The id that the path names; undefined when it names none. */
  readonly id: string | undefined;
  readonly query: object;
  /** The body; undefined for operations without one. */
  readonly body: unknown;
}

/**
 * Returns what holds the calls of the operation `id` against its schemas. That throws a Refusal: `not_found` for an id of
 * another shape, then those of `schemaRefusal` for the query and the body.
 */
export function createSchemaCheck(operationId: OperationId): (call: CallParts) => void {
  const { params, query, body } = schemasOf(operationId);
  const [checkParams, checkQuery, checkBody] = [params, query, body].map(compileOnce);
  return (call) => {
    if (checkParams && !checkParams().Check({ id: call.id })) throw new Refusal("not_found");
    if (checkQuery && !checkQuery().Check(call.query)) throw schemaRefusal("query", checkQuery().Errors(call.query));
    if (checkBody && !checkBody().Check(call.body)) throw schemaRefusal("body", checkBody().Errors(call.body));
  };
}

/** The compiled `schema`, made when it is first needed: most processes meet few of the operations. */
function compileOnce(schema: TSchema | undefined): (() => TypeCheck<TSchema>) | undefined {
  if (!schema) return undefined;
  let compiled: TypeCheck<TSchema> | undefined;
  return () => (compiled ??= TypeCompiler.Compile(schema));
}
