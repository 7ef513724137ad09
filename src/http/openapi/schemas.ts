import type { TSchema } from "@sinclair/typebox";
import { Credential, CredentialLimits } from "../../contract/credentials.ts";
import { Envelope, NoteEnvelope, StoredEnvelope } from "../../contract/envelopes.ts";
import { Event, EventPage } from "../../contract/events.ts";
import { Problem, SchemaError } from "../../contract/problems.ts";
import {
  CreatedRequest,
  CreateRequestBody,
  Invitation,
  ListRequestsQuery,
  PatchRequestBody,
  RequestMetadata,
  RequestPage,
  RequestSummary,
  Submission,
  SubmittedSecret,
} from "../../contract/requests.ts";
import {
  ClaimedSecret,
  CreatedSecret,
  CreateSecretBody,
  ListSecretsQuery,
  Secret,
  SecretPage,
} from "../../contract/secrets.ts";

/** A part of a JSON document. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/**
 * Who reads by a schema: the server, which refuses whatever is not in it, or a client, which has to bear what a later
 * version of the API adds to its answers.
 */
export type Reader = "server" | "client";

const READ_BY: Readonly<Record<Reader, readonly TSchema[]>> = {
  server: [CreateSecretBody, Envelope, CreateRequestBody, NoteEnvelope, PatchRequestBody],
  client: [
    StoredEnvelope,
    Secret,
    CreatedSecret,
    ClaimedSecret,
    SecretPage,
    RequestMetadata,
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
  ],
};
// They have no name of their own, but choices in them have.
const QUERIES: readonly TSchema[] = [ListSecretsQuery, ListRequestsQuery];

/** The schemas of the contract that have a name, as OpenAPI 3.0.3 writes them. */
export function namedSchemas(): JsonObject {
  const queries = QUERIES.flatMap((query) => namedChoices(toJson(query), "server"));
  const others = (["server", "client"] as const).flatMap((reader) =>
    READ_BY[reader].flatMap((schema) => {
      const { $id: _name, ...plain } = toJson(schema);
      return [[schema.$id ?? "", toOpenApiSchema(plain, reader)] as const, ...namedChoices(plain, reader)];
    }),
  );
  return Object.fromEntries([...queries, ...others]);
}

/** The reference to a named schema. */
export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * A JSON Schema as OpenAPI 3.0.3 writes it: what has a name becomes a reference, `const` an enum of one, a choice of
 * constants an enum, a choice with null `nullable`, and the first of the `examples` the `example`. For a client everything
 * that may grow is open.
 */
export function toOpenApiSchema(schema: Json, reader: Reader): Json {
  if (Array.isArray(schema)) return schema.map((each) => toOpenApiSchema(each, reader));
  if (!isObject(schema)) return schema;
  const name = schema["$id"] ?? (constantsOf(schema) && schema["title"]);
  return typeof name === "string" ? schemaRef(name) : describeSchema(schema, reader);
}

/** The same, with everything in its place and not behind a reference. */
function describeSchema(schema: JsonObject, reader: Reader): JsonObject {
  const { $id: _name, const: constant, anyOf, examples, example, ...rest } = schema;
  const converted: JsonObject = {};
  for (const [name, value] of Object.entries(rest)) {
    if (reader === "client" && PROMISED_BY_NOBODY.has(name)) continue;
    converted[name] = name === "default" || name === "enum" ? value : sized(name, toOpenApiSchema(value, reader));
  }
  if (reader === "client" && converted["type"] === "object") converted["additionalProperties"] = true;
  if (typeof constant === "number") Object.assign(converted, ofNumber(constant, reader));
  const shown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
  if (shown !== undefined) converted["example"] = shown;
  if (!Array.isArray(anyOf)) return converted;
  const constants = constantsOf(schema);
  if (constants) return describeChoice(converted, constants, reader);
  return { ...nullable(anyOf.filter(isObject), reader), ...converted };
}

// What an answer happens to look like today: the rest of an id is opaque, and a limit of today was another one yesterday.
const PROMISED_BY_NOBODY: ReadonlySet<string> = new Set(["pattern", "minLength", "maxLength"]);

// Without the format, clients in Java and Rust take an integer for one of 32 bits, and a quota can be larger.
function sized(member: string, schema: Json): Json {
  if (!member.endsWith("_bytes") || !isObject(schema) || schema["type"] !== "integer") return schema;
  return { ...schema, format: "int64" };
}

/** A number that is fixed, such as the version of an envelope. Only whole ones are. */
function ofNumber(constant: number, reader: Reader): JsonObject {
  return {
    type: "integer",
    ...(reader === "server" ? { enum: [constant] } : { minimum: constant, example: constant }),
  };
}

// `x-extensible-enum` names what there is today, and generators make a plain string of it, which takes what comes tomorrow.
function describeChoice(rest: JsonObject, values: readonly string[], reader: Reader): JsonObject {
  if (reader === "server") return { type: "string", ...rest, enum: [...values] };
  return {
    type: "string",
    ...rest,
    description:
      `${typeof rest["description"] === "string" ? rest["description"] : ""} New values may be added.`.trim(),
    "x-extensible-enum": [...values],
    example: values[0] ?? "",
  };
}

/** A choice between one thing and null. Throws an Error for any other: 3.0.3 clients are poor at them. */
function nullable(options: readonly JsonObject[], reader: Reader): JsonObject {
  const [only, ...more] = options.filter(({ type }) => type !== "null");
  if (only === undefined || more.length > 0) throw new Error("a schema has a choice that is none with null");
  // Not as a reference: null would have to fit what it leads to, and does not.
  return { ...describeSchema(only, reader), nullable: true };
}

/** The constants that `schema` is a choice of; undefined when it is something else. */
function constantsOf({ anyOf }: JsonObject): string[] | undefined {
  if (!Array.isArray(anyOf) || anyOf.length === 0) return undefined;
  const constants = anyOf.filter(isObject).map((option) => option["const"]);
  return constants.every((constant) => typeof constant === "string") ? constants : undefined;
}

/** Every named choice in `schema`, by name. */
function namedChoices(schema: Json, reader: Reader): [string, JsonObject][] {
  if (Array.isArray(schema)) return schema.flatMap((each) => namedChoices(each, reader));
  if (!isObject(schema)) return [];
  const { title, ...plain } = schema;
  if (typeof title === "string" && constantsOf(schema)) return [[title, describeSchema(plain, reader)]];
  return Object.values(schema).flatMap((each) => namedChoices(each, reader));
}

function toJson(schema: TSchema): JsonObject {
  const json: JsonObject = JSON.parse(JSON.stringify(schema));
  return json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
