import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { TypeCheck } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import type { Refusal } from "../../domain/values/errors.ts";

/**
 * A copy of `schema` for the route of an operation. Elysia asks it to check what arrives, and gets the Refusal of
 * `toRefusal` thrown for what does not match.
 *
 * It is a Standard Schema, because of what else Elysia does with a TypeBox schema. Its own error holds the input as
 * JSON, which takes ten seconds for a body of 4 MiB. In a query it also takes text for a flag, and decodes the query
 * twice.
 */
export function checked<Schema extends TSchema>(
  schema: Schema,
  toRefusal: (errors: Iterable<ValueError>) => Refusal,
): Schema {
  // Compiled when it is first needed: most processes use few of the operations.
  let compiled: TypeCheck<Schema> | undefined;
  return withStandard(schema, (value) => {
    compiled ??= TypeCompiler.Compile(schema);
    if (!compiled.Check(value)) throw toRefusal(compiled.Errors(value));
    return { value };
  });
}

/**
 * A copy of `schema` for the answers of a route, which are not checked: their types and the tests hold them to it. An
 * answer refused by a check would be lost, and with it a claim that is already committed.
 */
export function described<Schema extends TSchema>(schema: Schema): Schema {
  return withStandard(schema, (value) => ({ value }));
}

function withStandard<Schema extends TSchema>(
  schema: Schema,
  validate: (value: unknown) => { readonly value: unknown },
): Schema {
  // Not enumerable, so that the document does not contain it.
  return Object.defineProperty({ ...schema }, "~standard", { value: { version: 1, vendor: "typebox", validate } });
}
