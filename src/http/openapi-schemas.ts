import type { TSchema } from "@sinclair/typebox";
import { Credential, CredentialLimits } from "../contract/credentials.ts";
import { Envelope } from "../contract/envelopes.ts";
import { Event, EventPage } from "../contract/events.ts";
import { Problem, SchemaError } from "../contract/problems.ts";
import {
  CreatedRequest,
  CreateRequestBody,
  Invitation,
  PatchRequestBody,
  Request,
  RequestPage,
  RequestSummary,
  Submission,
  SubmittedSecret,
} from "../contract/requests.ts";
import { ClaimedSecret, CreatedSecret, CreateSecretBody, Secret, SecretPage } from "../contract/secrets.ts";

/** A part of a JSON document. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

const NAMED: readonly TSchema[] = [
  CreateSecretBody,
  Envelope,
  Secret,
  CreatedSecret,
  ClaimedSecret,
  SecretPage,
  CreateRequestBody,
  PatchRequestBody,
  Request,
  RequestSummary,
  CreatedRequest,
  Invitation,
  Submission,
  SubmittedSecret,
  RequestPage,
  Event,
  EventPage,
  Credential,
  CredentialLimits,
  Problem,
  SchemaError,
];

/** The schemas of the contract that have a name, as OpenAPI 3.0.3 writes them. */
export function namedSchemas(): JsonObject {
  return Object.fromEntries(
    NAMED.map((schema) => {
      const { $id: _name, ...plain }: JsonObject = JSON.parse(JSON.stringify(schema));
      return [schema.$id ?? "", toOpenApiSchema(plain)];
    }),
  );
}

/** The reference to a named schema. */
export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * A JSON Schema as OpenAPI 3.0.3 writes it: a named one becomes a reference, `const` an enum of one, a choice of constants
 * an enum, a choice with null `nullable`, and the first of the `examples` the `example`.
 */
export function toOpenApiSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(toOpenApiSchema);
  if (!isObject(schema)) return schema;
  if (typeof schema["$id"] === "string") return schemaRef(schema["$id"]);
  const { const: constant, anyOf, examples, example, ...rest } = schema;
  const converted: JsonObject = {};
  for (const [name, value] of Object.entries(rest)) {
    converted[name] = name === "default" || name === "enum" ? value : toOpenApiSchema(value);
  }
  if (constant !== undefined) converted["enum"] = [constant];
  const shown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  if (shown !== undefined) converted["example"] = shown;
  return Array.isArray(anyOf) ? { ...choice(anyOf.filter(isObject)), ...converted } : converted;
}

function choice(options: readonly JsonObject[]): JsonObject {
  const some = options.filter((option) => option["type"] !== "null");
  const nullable: JsonObject = some.length < options.length ? { nullable: true } : {};
  const constants = some.flatMap((option) => (option["const"] === undefined ? [] : [option["const"]]));
  if (constants.length === some.length) return { type: "string", enum: constants, ...nullable };
  const [only, second] = some.map(toOpenApiSchema).filter(isObject);
  if (only === undefined || second !== undefined) return { anyOf: some.map(toOpenApiSchema), ...nullable };
  // Everything that has a name is an object.
  return "$ref" in only ? { type: "object", allOf: [only], ...nullable } : { ...only, ...nullable };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
