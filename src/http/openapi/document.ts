import { swagger } from "@elysiajs/swagger";
import { Elysia } from "elysia";
import type { CredentialLimits } from "../../contract/credentials.ts";
import { exampleId, idPattern } from "../../contract/ids.ts";
import { OPERATION_IDS, schemasOf } from "../../contract/operation-schemas.ts";
import type { Tag } from "../../contract/operation-schemas.ts";
import { API_PREFIX, errorsOf, operationOf, OPERATIONS } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { PROOF_TOKEN_EXAMPLE } from "../../contract/persons.ts";
import { APPROVAL_TOKEN_EXAMPLE } from "../../contract/secrets.ts";
import { maxEnvelopeBytes } from "../../domain/envelopes.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import { parseTrustedProxies } from "../gate/addresses.ts";
import { healthRoutes } from "../resources/health.ts";
import { toLimits } from "../resources/limits.ts";
import { operationRoutes } from "../resources/operation-routes.ts";
import { commonHeaders, headerRef, problemExamples, problemResponses, RESPONSE_HEADERS } from "./responses.ts";
import { isObject, namedSchemas, schemaRef, toOpenApiSchema } from "./schemas.ts";
import type { Json, JsonObject } from "./schemas.ts";
import { describeUploads, UPLOAD_ERRORS } from "./uploads.ts";

/** The tags of the document, in its order. */
const TAGS: { name: Tag; description: string }[] = [
  { name: "Secrets", description: "Envelopes on their way from one client to another." },
  { name: "Requests", description: "Links through which people without an account hand in secrets." },
  { name: "Events", description: "The changes of a team's secrets and requests." },
  { name: "Credential", description: "What a credential may do." },
  { name: "Health", description: "The state of the server, for supervisors and load balancers." },
];

export interface ApiDescriptionOptions {
  /** The limits in the schemas come from it. */
  readonly policy: ServerPolicy;
  readonly version: string;
  /** The URL at which the server is reached, such as `https://handoff.example`, or `/`. */
  readonly baseUrl: string;
}

const DESCRIPTION = `Send and receive secrets, encrypted end to end. Clients encrypt. The server keeps ciphertexts, gives each out as often
as its sender allowed, and then deletes it.

The server accepts only envelopes; with \`--require-encrypted\`, only age files. No operation takes a plaintext, passphrase or private key.
What this document does not describe is rejected: unknown parameters, other members, other media types. No error repeats what was sent.

Answers grow within v1: new members, and new values where a schema says so (\`x-extensible-enum\`). Clients ignore what they do not know.`;

/**
 * The OpenAPI 3.0.3 document of the API, which the plugin makes from the routes of the operations. It writes some
 * keywords that 3.0.3 does not have: they are replaced here, and headers and errors added, which the routes do not
 * declare.
 */
export async function describeApi(options: ApiDescriptionOptions): Promise<JsonObject> {
  const { policy } = options;
  const app = new Elysia()
    .use(operationRoutes(API_PREFIX, () => ({ handle: () => undefined })))
    .use(
      healthRoutes(NO_STORE, { version: options.version, installation: () => undefined, trustedProxies: NO_PROXIES }),
    )
    .use(swagger({ specPath: SPEC_PATH, documentation: { ...descriptionOf(options), tags: TAGS } }));
  const response = await app.handle(new Request(`http://localhost${SPEC_PATH}`));
  const document: JsonObject = JSON.parse(await response.text());
  const limits = toLimits(policy, null);
  for (const id of OPERATION_IDS) {
    const { method, path } = OPERATIONS[id];
    const item = at(document, "paths", API_PREFIX + path);
    item[method.toLowerCase()] = finishOperation(id, at(item, method.toLowerCase()), limits);
  }
  for (const path of ["/health/live", "/health/ready"]) finishHealth(at(document, "paths", path, "get"));
  const schemas = namedSchemas();
  at(schemas, "Envelope", "properties", "ciphertext")["maxLength"] = maxEnvelopeBytes(policy, "secret");
  at(schemas, "NoteEnvelope", "properties", "ciphertext")["maxLength"] = maxEnvelopeBytes(policy, "note");
  Object.assign(at(document, "paths"), describeUploads());
  return {
    ...document,
    components: {
      schemas,
      headers: RESPONSE_HEADERS,
      examples: problemExamples(UPLOAD_ERRORS),
      parameters: {
        IdempotencyKey: IDEMPOTENCY_KEY,
        ClaimIdempotencyKey: CLAIM_IDEMPOTENCY_KEY,
        Proof: PROOF,
        Approval: APPROVAL,
        LastEventId: LAST_EVENT_ID,
      },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const SPEC_PATH = "/openapi.json";

// The document comes from the routes, which are never called for it.
const NO_STORE = { findTroubles: () => Promise.resolve([]) };
const NO_PROXIES = parseTrustedProxies([]);

function descriptionOf({ version, baseUrl }: ApiDescriptionOptions) {
  return {
    info: {
      title: "handoff",
      version,
      description: DESCRIPTION,
      license: { name: "All rights reserved" },
    },
    servers: [{ url: baseUrl, description: "This server." }],
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

const PROOF: JsonObject = {
  name: "Handoff-Proof",
  in: "header",
  required: false,
  description: "The token of a complete proof, where `for` names people.",
  schema: { type: "string", maxLength: 100 },
  example: PROOF_TOKEN_EXAMPLE,
};

const APPROVAL: JsonObject = {
  name: "Handoff-Approval",
  in: "header",
  required: false,
  description: "The token of an ask for approval, where `approval` names somebody.",
  schema: { type: "string", maxLength: 100 },
  example: APPROVAL_TOKEN_EXAMPLE,
};

const LAST_EVENT_ID: JsonObject = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "For a stream: the ID of the last event already seen. It counts in place of `after`.",
  schema: { type: "string", pattern: `^${idPattern("event")}$` },
  example: exampleId("event"),
};

const SECURITY_SCHEMES: JsonObject = {
  apiKey: bearer(
    "hak_…",
    "An API key. It may do what the scopes of its identity allow, inside its team. `x-required-scopes` of an operation names the one it needs, or those of which it needs one.",
  ),
  claimToken: bearer("hct_…", "The claim token in the link of one secret. It works for that secret alone."),
  submitToken: bearer("hst_…", "The submit token in one request link. It works for that request alone."),
};

function bearer(bearerFormat: string, description: string): JsonObject {
  return { type: "http", scheme: "bearer", bearerFormat, description: `${description} Never in the query string.` };
}

/** An operation as the document has it, from `raw`, the plugin's description of its route. */
function finishOperation(id: OperationId, raw: JsonObject, limits: CredentialLimits): JsonObject {
  const { method, takesBody } = operationOf(id);
  const { needsIdempotencyKey, isUnrepeatable, takesProof, takesApproval, hasStream } = schemasOf(id);
  const { parameters: written, ...described } = raw;
  const parameters = list(written).map((parameter) => describeParameter(id, parameter, limits));
  const keyParameter = needsIdempotencyKey ? "ClaimIdempotencyKey" : "IdempotencyKey";
  if (method === "POST" && !isUnrepeatable) parameters.push({ $ref: `#/components/parameters/${keyParameter}` });
  if (takesProof) parameters.push({ $ref: "#/components/parameters/Proof" });
  if (takesApproval) parameters.push({ $ref: "#/components/parameters/Approval" });
  if (hasStream) parameters.push({ $ref: "#/components/parameters/LastEventId" });
  return {
    ...described,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(takesBody ? { requestBody: describeBody(raw) } : {}),
    responses: { ...successResponse(id, raw), ...problemResponses(errorsOf(id)) },
  };
}

function describeParameter(id: OperationId, raw: JsonObject, limits: CredentialLimits): JsonObject {
  const { name = "", in: place = "", required = false, description = "", examples } = raw;
  const schema = { ...at({ schema: toOpenApiSchema(raw["schema"] ?? {}, "server") }, "schema") };
  const bounds = place === "query" ? schemasOf(id).limits?.[text(name)] : undefined;
  if (bounds) {
    const standard = typeof bounds.default === "number" ? bounds.default : limits[bounds.default];
    Object.assign(schema, { maximum: limits[bounds.maximum], default: standard });
  }
  const example = Array.isArray(examples) ? examples[0] : undefined;
  return { name, in: place, required, description, schema, ...(example === undefined ? {} : { example }) };
}

function describeBody(raw: JsonObject): JsonObject {
  const schema = at(raw, "requestBody", "content", "application/json", "schema");
  return { required: true, content: jsonOf(text(schema["$id"])) };
}

function successResponse(id: OperationId, raw: JsonObject): JsonObject {
  const { success } = schemasOf(id);
  const headers = commonHeaders();
  if (OPERATIONS[id].method === "POST") headers["Idempotency-Replayed"] = headerRef("IdempotencyReplayed");
  if (!("schema" in success)) return { [success.status]: { description: success.description, headers } };
  const { $id = "", description = "" } = at(raw, "responses", String(success.status));
  if (success.hasLocation) headers["Location"] = headerRef("Location");
  return { [success.status]: { description, headers, content: jsonOf(text($id)) } };
}

/** Replaces the schemas of the answers of a health route by references, and adds the error that any route can give. */
function finishHealth(operation: JsonObject): void {
  const responses = at(operation, "responses");
  for (const status of Object.keys(responses)) {
    const { $id = "", description = "" } = at(responses, status);
    const headers = { "X-Request-Id": headerRef("RequestId") };
    responses[status] = { description, headers, content: jsonOf(text($id)) };
  }
  Object.assign(responses, problemResponses(["invalid_header"]));
}

function jsonOf(schema: string): JsonObject {
  return { "application/json": { schema: schemaRef(schema) } };
}

/** The object under `path` in `from`. Throws when there is none, because a route does not describe its operation. */
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
