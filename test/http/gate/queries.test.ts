import { expect, test } from "bun:test";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { createToken } from "../../../src/domain/values/tokens.ts";
import { findCredentials } from "../../../src/http/gate/queries.ts";

test("of many keys in a query the first four are looked up, each once", () => {
  const keys = Array.from({ length: 6 }, () => createToken("apiKey", systemRandom));
  const search = [...keys, ...keys].map((key) => `a=Bearer+${key}`).join("&");
  expect(findCredentials(search)).toEqual({ found: true, tokens: keys.slice(0, 4) });
});
