import { schemasOf } from "../../contract/operation-schemas.ts";
import { operationOf } from "../../contract/operations.ts";
import type { Callers, OperationId } from "../../contract/operations.ts";

/** The part of an operation's description in the OpenAPI document that its schemas do not have. */
export function detailOf(id: OperationId) {
  const { callers } = operationOf(id);
  const { tag, summary, description } = schemasOf(id);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...describeCallers(callers, description),
  };
}

/** What the document says about the callers of an operation, and the description of it. */
export function describeCallers(callers: Callers, description: string) {
  return {
    security: securityOf(callers),
    "x-required-scopes": scopesOf(callers),
    description: `${description}\n\nNeeds ${needsOf(callers).join(", or ")}.`,
  };
}

/** The kinds of credential that an operation takes, any one of them. */
function securityOf(callers: Callers): Record<string, string[]>[] {
  const { scope, token } = callers === "any" ? { scope: "any", token: "any" } : callers;
  return [
    ...(scope === undefined ? [] : [{ apiKey: [] }]),
    ...(token === "claim" || token === "any" ? [{ claimToken: [] }] : []),
    ...(token === "submit" || token === "any" ? [{ submitToken: [] }] : []),
  ];
}

/** The scopes of which a key needs one. */
function scopesOf(callers: Callers): string[] {
  if (callers === "any") return [];
  return [callers.scope, callers.orScope].filter((scope) => scope !== undefined);
}

/** The credentials and scopes of which a caller needs one. */
function needsOf(callers: Callers): string[] {
  if (callers === "any") return ["any live credential"];
  return [
    ...scopesOf(callers).map((scope) => `the scope \`${scope}\``),
    ...(callers.token === undefined ? [] : [`the ${callers.token} token of the link`]),
  ];
}
