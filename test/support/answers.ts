import { expect } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { OPERATION_IDS, schemasOf } from "../../src/contract/operation-schemas.ts";
import { OPERATIONS, SESSION_PATH } from "../../src/contract/operations.ts";
import { prefixOf } from "../../src/http/gate/routes.ts";

/**
 * Expects an answer of the API to be what the schema of its operation says, without a member more: the types of the
 * handlers promise it, and the server does not look again.
 */
export function expectDescribed(
  method: string,
  url: string,
  answer: { readonly status: number; readonly json: unknown; readonly text: string },
): void {
  const [path = ""] = url.split("?");
  const prefix = prefixOf(path);
  if (!prefix || path === SESSION_PATH) return;
  const operation = OPERATION_IDS.find((id) => {
    const pattern = new RegExp(`^${prefix}${OPERATIONS[id].path.replace("{id}", "[^/]+")}$`);
    return OPERATIONS[id].method === method && pattern.test(path);
  });
  if (operation === undefined) throw new Error("no operation was called");
  const { success } = schemasOf(operation);
  expect({ operation, status: answer.status }).toEqual({ operation, status: success.status });
  if (!("schema" in success)) return expect(answer.text).toBe("");
  const errors = [...Value.Errors(success.schema, answer.json)].map(({ path: pointer, message }) => ({
    pointer,
    message,
  }));
  expect({ operation, errors }).toEqual({ operation, errors: [] });
}
