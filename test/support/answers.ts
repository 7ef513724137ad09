import { expect } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { ACCOUNT_SCHEMAS, LOGIN_SCHEMAS } from "../../src/contract/credentials.ts";
import { OPERATION_IDS, schemasOf } from "../../src/contract/operation-schemas.ts";
import {
  ACCOUNT_OPERATIONS,
  APP_PREFIX,
  LOGIN_OPERATIONS,
  MAIL_SIGN_IN,
  OIDC_SIGN_IN,
  operationOf,
  PASSKEY_SIGN_IN,
  SESSION_PATH,
} from "../../src/contract/operations.ts";
import { prefixOf } from "../../src/http/gate/routes.ts";

const OF_API = OPERATION_IDS.map((id) => ({ id, operation: operationOf(id), success: schemasOf(id).success }));
const LOGIN_IDS = Object.keys(LOGIN_OPERATIONS) as (keyof typeof LOGIN_OPERATIONS)[];
const OF_LOGINS = LOGIN_IDS.map((id) => ({
  id,
  operation: LOGIN_OPERATIONS[id],
  success: LOGIN_SCHEMAS[id].success,
}));
const ACCOUNT_IDS = Object.keys(ACCOUNT_OPERATIONS) as (keyof typeof ACCOUNT_OPERATIONS)[];
const OF_ACCOUNT = ACCOUNT_IDS.map((id) => ({
  id,
  operation: ACCOUNT_OPERATIONS[id],
  success: ACCOUNT_SCHEMAS[id].success,
}));

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
  const ways = [SESSION_PATH, PASSKEY_SIGN_IN.path, OIDC_SIGN_IN.path, MAIL_SIGN_IN.path];
  if (!prefix || ways.includes(path)) return;
  const known = prefix === APP_PREFIX ? [...OF_API, ...OF_ACCOUNT] : [...OF_API, ...OF_LOGINS];
  const called = known.find(({ operation }) => {
    const pattern = new RegExp(`^${prefix}${operation.path.replace("{id}", "[^/]+")}$`);
    return operation.method === method && pattern.test(path);
  });
  if (called === undefined) throw new Error("no operation was called");
  const { id: operation, success } = called;
  expect({ operation, status: answer.status }).toEqual({ operation, status: success.status });
  if (!("schema" in success)) return expect(answer.text).toBe("");
  const errors = [...Value.Errors(success.schema, answer.json)].map(({ path: pointer, message }) => ({
    pointer,
    message,
  }));
  expect({ operation, errors }).toEqual({ operation, errors: [] });
}
