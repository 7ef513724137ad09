import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import { OPERATION_IDS, OPERATIONS } from "../../contract/operations.ts";
import type { Operation, OperationId } from "../../contract/operations.ts";
import { maxEnvelopeBytes } from "../../domain/envelopes.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import { apiRoutes } from "../resources/api.ts";
import { commonHeaders, headerRef, problemExamples, problemResponses, RESPONSE_HEADERS } from "./responses.ts";
import { isObject, namedSchemas, schemaRef, toOpenApiSchema } from "./schemas.ts";
import type { Json, JsonObject } from "./schemas.ts";

export interface ApiDescriptionOptions {
  /** The limits of this server are written into the schemas. */
  readonly policy: ServerPolicy;
  readonly version: string;
  /** Where the server is reached, such as `https://handoff.example`, or `/`. */
  readonly baseUrl: string;
}

const DESCRIPTION = `Send and receive secrets, encrypted end to end. Clients encrypt. The server keeps ciphertexts, gives each out as often
as its sender allowed, and then deletes it.

The server accepts only envelopes; with \`--require-encrypted\`, only age files. No operation takes a plaintext, passphrase or private key.
What this document does not describe is rejected: unknown parameters, other members, other media types. No error repeats what was sent.

Answers grow within v1: new members, and new values where a schema says so (\`x-extensible-enum\`). Clients ignore what they do not know.`;

const TAGS = [
  { name: "Secrets", description: "Envelopes on their way from one client to another." },
  { name: "Requests", description: "Links through which people without an account hand in secrets." },
  { name: "Events", description: "What happened in a team." },
  { name: "Credential", description: "What a credential may do." },
];

/**
 * The OpenAPI 3.0.3 document of the API. The plugin describes the very routes that are served; what it writes that 3.0.3
 * does not have is mended here, and what it leaves out is added.
 */
export async function describeApi(options: ApiDescriptionOptions): Promise<JsonObject> {
  const raw = await describeRoutes();
  const paths: JsonObject = {};
  for (const id of OPERATION_IDS) {
    const { method, path } = OPERATIONS[id];
    const operation = at(raw, "paths", path, method.toLowerCase());
    const item = (paths[path] ??= {});
    if (isObject(item)) item[method.toLowerCase()] = describeOperation(id, operation, options.policy);
  }
  const schemas = namedSchemas();
  const { policy } = options;
  at(schemas, "Envelope", "properties", "ciphertext")["maxLength"] = maxEnvelopeBytes(policy, "secret");
  at(schemas, "NoteEnvelope", "properties", "ciphertext")["maxLength"] = maxEnvelopeBytes(policy, "note");
  return {
    openapi: "3.0.3",
    info: {
      title: "handoff",
      version: options.version,
      description: DESCRIPTION,
      license: { name: "All rights reserved", url: `${options.baseUrl.replace(/\/$/, "")}/docs` },
    },
    servers: [{ url: options.baseUrl, description: "This server." }],
    tags: TAGS,
    paths,
    components: {
      schemas,
      headers: RESPONSE_HEADERS,
      examples: problemExamples(),
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY, ClaimIdempotencyKey: CLAIM_IDEMPOTENCY_KEY },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Repeated with the same key within 24 hours, the call gives the same answer. Visible ASCII characters.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
  example: "5b0c4c4e-2f0a-4f0e-9a53-2f1d6f2c7b1a",
};

const CLAIM_IDEMPOTENCY_KEY: JsonObject = {
  ...IDEMPOTENCY_KEY,
  required: true,
  description: "The key that the claim was made with.",
};

const SECURITY_SCHEMES: JsonObject = {
  apiKey: bearer(
    "hak_…",
    "An API key. It may do what the scopes of its identity allow, inside its team. `x-required-scopes` of an operation names the one it needs.",
  ),
  claimToken: bearer("hct_…", "The claim token in the link of one secret. It works for that secret alone."),
  submitToken: bearer("hst_…", "The submit token in one request link. It works for that request alone."),
};

function bearer(bearerFormat: string, description: string): JsonObject {
  return { type: "http", scheme: "bearer", bearerFormat, description: `${description} Never in the query string.` };
}

/** The kinds of credential that an operation takes, any one of them. */
function securityOf({ token, tokenOnly }: Operation): JsonObject[] {
  return [
    ...(tokenOnly ? [] : [{ apiKey: [] }]),
    ...(token === "claim" || token === "any" ? [{ claimToken: [] }] : []),
    ...(token === "submit" || token === "any" ? [{ submitToken: [] }] : []),
  ];
}

function neverCalled(): never {
  throw new Error("these routes are described and never called");
}

async function describeRoutes(): Promise<JsonObject> {
  const app = new Elysia({ normalize: false })
    .use(swagger({ path: "/describe" }))
    .use(apiRoutes(neverCalled, { baseUrl: () => "" }));
  const response = await app.handle(new Request("http://localhost/describe/json"));
  const document = (await response.json()) as JsonObject;
  return document;
}

function describeOperation(id: OperationId, raw: JsonObject, policy: ServerPolicy): JsonObject {
  const { scope, token, method, body } = OPERATIONS[id];
  const { tokenOnly }: Operation = OPERATIONS[id];
  const parameters = list(raw["parameters"]).map((parameter) => describeParameter(id, parameter, policy));
  const keyParameter = id === "acknowledgeClaim" ? "ClaimIdempotencyKey" : "IdempotencyKey";
  if (method === "POST") parameters.push({ $ref: `#/components/parameters/${keyParameter}` });
  const needs = tokenOnly ? [] : [scope === null ? "any live credential" : `the scope \`${scope}\``];
  if (token !== null && token !== "any") needs.push(`the ${token} token of the link`);
  return {
    operationId: id,
    tags: raw["tags"] ?? [],
    security: securityOf(OPERATIONS[id]),
    "x-required-scopes": scope === null ? [] : [scope],
    summary: raw["summary"] ?? "",
    description: `${text(raw["description"])}\n\nNeeds ${needs.join(", or ")}.`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: describeBody(raw) } : {}),
    responses: { ...successResponse(id, raw), ...problemResponses(id) },
  };
}

function describeParameter(id: OperationId, raw: JsonObject, policy: ServerPolicy): JsonObject {
  const { name = "", in: place = "", required = false, description = "", examples } = raw;
  const schema = { ...at({ schema: toOpenApiSchema(raw["schema"] ?? {}, "server") }, "schema") };
  if ((id === "createSecret" || id === "createRequest") && name === "expires_in") {
    Object.assign(schema, { maximum: policy.maxTtlSeconds, default: policy.defaultTtlSeconds });
  }
  if (id === "createSecret" && name === "max_claims") {
    Object.assign(schema, { maximum: policy.maxClaims, default: policy.defaultMaxClaims });
  }
  if (id === "createRequest" && name === "max_submissions") {
    Object.assign(schema, { maximum: policy.maxClaims, default: 1 });
  }
  const example = Array.isArray(examples) ? examples[0] : undefined;
  return { name, in: place, required, description, schema, ...(example === undefined ? {} : { example }) };
}

function describeBody(raw: JsonObject): JsonObject {
  const schema = at(raw, "requestBody", "content", "application/json", "schema");
  return { required: true, content: { "application/json": { schema: schemaRef(text(schema["$id"])) } } };
}

function successResponse(id: OperationId, raw: JsonObject): JsonObject {
  const headers = commonHeaders();
  if (OPERATIONS[id].method === "POST") headers["Idempotency-Replayed"] = headerRef("IdempotencyReplayed");
  if (id === "acknowledgeClaim") return { "204": { description: "Acknowledged.", headers } };
  const [status = "200", response] = Object.entries(at(raw, "responses"))[0] ?? [];
  const { $id = "", description = "" } = isObject(response) ? response : {};
  if (id === "createSecret" || id === "createRequest") headers["Location"] = headerRef("Location");
  return {
    [status]: { description, headers, content: { "application/json": { schema: schemaRef(text($id)) } } },
  };
}

/** What lies under `path` in `from`. Throws when there is nothing: a route and its operation have drifted apart. */
function at(from: JsonObject, ...path: readonly string[]): JsonObject {
  const found = path.reduce<Json | undefined>((each, name) => (isObject(each) ? each[name] : undefined), from);
  if (!isObject(found)) throw new Error(`the routes do not describe ${path.join(" ")}`);
  return found;
}

function list(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
