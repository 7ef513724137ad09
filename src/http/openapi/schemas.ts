import type { TSchema } from "@sinclair/typebox";
import { Liveness, Readiness } from "../../contract/health.ts";
import { OPERATION_IDS, schemasOf } from "../../contract/operation-schemas.ts";
import { Problem } from "../../contract/problems.ts";

/** A part of a JSON document. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/**
 * The reader of a schema: the server, which refuses unknown members, or a client, which accepts additions of later
 * versions.
 */
export type Reader = "server" | "client";

/** The schemas of all operations that `reader` reads by. */
function schemasReadBy(reader: Reader): readonly TSchema[] {
  const all = OPERATION_IDS.map(schemasOf);
  if (reader === "server") return all.flatMap(({ query, body }) => (body ? [query, body] : [query]));
  return [...all.flatMap(({ success }) => ("schema" in success ? [success.schema] : [])), Problem, Liveness, Readiness];
}

/** Every schema and choice of the contract that has a name, as OpenAPI 3.0.3 writes it. */
export function namedSchemas(): JsonObject {
  const named = (["server", "client"] as const).flatMap((reader) =>
    schemasReadBy(reader).flatMap((schema) => [...namedIn(toJson(schema), reader)]),
  );
  return Object.fromEntries(named);
}

/** The reference to a named schema. */
export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * A JSON Schema as OpenAPI 3.0.3 writes it: a named schema becomes a reference, `const` an enum of one, a choice of
 * constants an enum, a choice with null `nullable`, and the first of the `examples` the `example`. For clients objects
 * and choices are open to additions.
 */
export function toOpenApiSchema(schema: Json, reader: Reader): Json {
  if (Array.isArray(schema)) return schema.map((each) => toOpenApiSchema(each, reader));
  if (!isObject(schema)) return schema;
  const name = schema["$id"] ?? (constantsOf(schema) && schema["title"]);
  return typeof name === "string" ? schemaRef(name) : describeSchema(schema, reader);
}

/** The same, with named schemas inlined instead of referenced. */
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

// Not promised: the rest of an ID is opaque, and limits change.
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

// Generators make a plain string of `x-extensible-enum`, which takes the values of later versions too.
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

/** A choice between one schema and null. Throws an Error for any other: 3.0.3 clients support them poorly. */
function nullable(options: readonly JsonObject[], reader: Reader): JsonObject {
  const [only, ...more] = options.filter(({ type }) => type !== "null");
  if (only === undefined || more.length > 0) throw new Error("a schema has a choice that is none with null");
  // Not a reference: null would have to match the referenced schema, and does not.
  return { ...describeSchema(only, reader), nullable: true };
}

/** The constants that `schema` is a choice of; undefined when it is something else. */
function constantsOf({ anyOf }: JsonObject): string[] | undefined {
  if (!Array.isArray(anyOf) || anyOf.length === 0) return undefined;
  const constants = anyOf.filter(isObject).map((option) => option["const"]);
  return constants.every((constant) => typeof constant === "string") ? constants : undefined;
}

/** Every schema and choice in `schema` that has a name, with its name. */
function* namedIn(schema: Json, reader: Reader): Generator<readonly [string, Json]> {
  if (Array.isArray(schema)) for (const each of schema) yield* namedIn(each, reader);
  if (!isObject(schema)) return;
  const { $id: name, ...plain } = schema;
  if (typeof name === "string") yield [name, toOpenApiSchema(plain, reader)];
  const { title, ...choice } = plain;
  if (typeof title === "string" && constantsOf(choice)) yield [title, describeSchema(choice, reader)];
  else for (const each of Object.values(plain)) yield* namedIn(each, reader);
}

function toJson(schema: TSchema): JsonObject {
  const json: JsonObject = JSON.parse(JSON.stringify(schema));
  return json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
