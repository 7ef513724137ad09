import { expect, test } from "bun:test";
import { ERROR_CODES } from "../../../src/contract/error-codes.ts";
import { SCOPES } from "../../../src/contract/scopes.ts";
import { EVENT_TYPES } from "../../../src/contract/states.ts";
import { createJudge, operationsOf, schemasIn, servedSpec } from "../../support/openapi.ts";
import type { Document } from "../../support/openapi.ts";
import { startTestServer } from "../../support/server.ts";

/** Every object in `from`, with its path. */
function* nodesOf(from: Document, place = ""): Generator<{ place: string; node: Document }> {
  if (from === null || typeof from !== "object") return;
  yield { place, node: from };
  for (const [name, child] of Object.entries<Document>(from)) {
    if (name !== "example" && name !== "examples") yield* nodesOf(child, `${place}/${name}`);
  }
}

async function openSpec() {
  await using server = await startTestServer();
  const spec = await servedSpec(server);
  const operations = operationsOf(spec).map(({ operation }) => operation);
  const { schemas } = spec.components;
  const only = (names: Iterable<string>) => Object.fromEntries([...names].map((name) => [name, schemas[name]]));
  return {
    spec,
    operations,
    sent: only(
      schemasIn(
        spec,
        operations.map(({ requestBody, parameters }) => [requestBody, parameters]),
      ),
    ),
    answered: only(
      schemasIn(
        spec,
        operations.map(({ responses }) => responses),
      ),
    ),
  };
}

test("schemas of requests are closed, and those of answers allow additional members", async () => {
  const { spec, sent, answered } = await openSpec();
  expect(Object.keys(sent).filter((name) => name in answered)).toEqual([]);
  expect([...Object.keys(sent), ...Object.keys(answered)].toSorted()).toEqual(
    Object.keys(spec.components.schemas).toSorted(),
  );
  for (const { place, node } of nodesOf(sent)) {
    if (node.type === "object") expect({ place, more: node.additionalProperties }).toEqual({ place, more: false });
    expect(node).not.toHaveProperty("x-extensible-enum");
  }
  for (const { place, node } of nodesOf(answered)) {
    // Explicit, because some generators take a missing value for false.
    if (node.type === "object") expect({ place, more: node.additionalProperties }).toEqual({ place, more: true });
    if (place.endsWith("/properties")) continue;
    for (const name of ["enum", "pattern", "maxLength", "minLength", "allOf", "anyOf", "oneOf"]) {
      expect({ place, has: name in node && name }).toEqual({ place, has: false });
    }
  }
});

test("choices in answers are named and allow future values, and those in calls do neither", async () => {
  const { spec, operations, sent, answered } = await openSpec();
  const judge = createJudge(spec);
  const choices = {
    SecretState: ["available", "claimed", "expired", "revoked"],
    RequestState: ["open", "paused", "fulfilled", "expired", "revoked"],
    Scope: [...SCOPES],
    ErrorCode: ERROR_CODES,
    EventType: [...EVENT_TYPES],
  };
  for (const [name, values] of Object.entries(choices)) {
    expect(answered[name]).toMatchObject({ type: "string", "x-extensible-enum": values });
    expect(judge({ $ref: `#/components/schemas/${name}` }, "of_tomorrow")).toEqual([]);
  }
  // openapi-generator makes constants of the values of a named choice, and Go has each name once in a package.
  const sentChoices = [...nodesOf({ sent, operations })].filter(
    ({ node }) => Array.isArray(node.enum) && node.type === "string",
  );
  expect(sentChoices.filter(({ place }) => /^\/sent\/\w+$/.test(place))).toEqual([]);
  expect(sentChoices.map(({ node }) => node.enum)).toContainEqual(choices.SecretState);
  for (const { node } of sentChoices) expect(judge(node, "of_tomorrow")).not.toEqual([]);
});

test("every number is a whole one, so that clients in Java and Go have integers", async () => {
  const { spec } = await openSpec();
  const numbers = [...nodesOf(spec)].filter(({ node }) => node.type === "number" || node.type === "integer");
  expect(numbers.filter(({ node }) => node.type !== "integer")).toEqual([]);
  expect(numbers.length).toBeGreaterThan(20);
  const sizes = numbers.filter(({ place }) => place.endsWith("_bytes"));
  expect(sizes.filter(({ node }) => node.format !== "int64")).toEqual([]);
  expect(sizes.length).toBeGreaterThan(3);
  expect(spec.components.schemas.Envelope.properties.version).toMatchObject({ type: "integer", enum: [1] });
  expect(spec.components.schemas.StoredEnvelope.properties.version).toMatchObject({ type: "integer", minimum: 1 });
  const typed = [...nodesOf(spec.components.schemas)].filter(({ node }) => Array.isArray(node.enum));
  for (const { place, node } of typed) {
    const kinds = new Set(node.enum.map((value: unknown) => (Number.isInteger(value) ? "integer" : typeof value)));
    expect({ place, kinds: [...kinds] }).toEqual({ place, kinds: [node.type] });
  }
});

test("exactly the nullable schemas accept null", async () => {
  const { spec } = await openSpec();
  const judge = createJudge(spec);
  const nullable = [...nodesOf(spec.components.schemas)].filter(({ node }) => node.nullable === true);
  // Without a type beside it, nullable has no effect in 3.0.3.
  for (const { place, node } of nullable) expect({ place, type: typeof node.type }).toEqual({ place, type: "string" });
  const { Invitation, Secret } = spec.components.schemas;
  const invitation = { $ref: "#/components/schemas/Invitation" };
  expect(judge(invitation, { ...Invitation.example, note: null })).toEqual([]);
  expect(judge(invitation, { ...Invitation.example, note: {} })).not.toEqual([]);
  expect(judge(invitation, { ...Invitation.example, recipient: null })).not.toEqual([]);
  expect(judge({ $ref: "#/components/schemas/Secret" }, { ...Secret.example, created_by: null })).toEqual([]);
});

test("each operation names its kinds of credential, and each error has an example", async () => {
  const { spec, operations } = await openSpec();
  const taken = Object.fromEntries(
    operations.map(({ operationId, security }) => [operationId, security.flatMap(Object.keys)]),
  );
  expect(taken).toMatchObject({
    createSecret: ["apiKey"],
    claimSecret: ["apiKey", "claimToken"],
    submitSecret: ["submitToken"],
    getCredential: ["apiKey", "claimToken", "submitToken"],
  });
  expect(Object.keys(spec.components.securitySchemes)).toEqual(["apiKey", "claimToken", "submitToken"]);
  expect(spec.components.headers.RequestId.required).toBe(true);
  const shown = new Set<string>();
  for (const { operationId, responses } of operations) {
    for (const [status, response] of Object.entries<Document>(responses)) {
      expect(response.headers["X-Request-Id"]).toEqual({ $ref: "#/components/headers/RequestId" });
      // The storage's state is an answer there, and no error.
      if (Number(status) < 400 || (operationId === "getReadiness" && status === "503")) continue;
      const { examples } = response.content["application/problem+json"];
      for (const code of Object.keys(examples)) {
        shown.add(code);
        expect(spec.components.examples[code].value.status).toBe(Number(status));
        expect(response.description).toContain(`\`${code}\``);
      }
    }
  }
  // Errors that no operation of the document answers with.
  expect(ERROR_CODES.filter((code) => !shown.has(code))).toEqual([
    "sign_in_too_old",
    "method_not_allowed",
    "provider_unavailable",
  ]);
});
