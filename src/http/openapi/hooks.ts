import { schemasOf } from "../../contract/operation-schemas.ts";
import type { OperationId } from "../../contract/operations.ts";

/** The hooks that the route of an operation would have if Elysia checked it, for its plugin for the document. */
export function hooksOf(id: OperationId) {
  const { params, query, body, success } = schemasOf(id);
  return {
    query,
    ...(params ? { params } : {}),
    ...(body ? { body } : {}),
    ...("schema" in success ? { response: { [success.status]: success.schema } } : {}),
  };
}
