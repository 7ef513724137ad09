import { expect, test } from "bun:test";
import { refusalOf, withoutDump } from "../../src/mcp/refusals.ts";

const refuse = (line: string | Uint8Array) => refusalOf(typeof line === "string" ? Buffer.from(line) : line);

const REFUSED: readonly (readonly [line: string, id: string | number | null, code: number])[] = [
  ["{", null, -32700],
  ["", null, -32700],
  ["[]", null, -32600],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', null, -32600],
  ["null", null, -32600],
  ['"text"', null, -32600],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
  ['{"id":7,"method":"ping"}', 7, -32600],
  ['{"jsonrpc":"1.0","id":"a","method":"ping"}', "a", -32600],
  ['{"jsonrpc":"2.0","id":7,"method":1}', 7, -32600],
  ['{"jsonrpc":"2.0","id":7}', 7, -32600],
  ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', 7, -32602],
  ['{"jsonrpc":"2.0","id":7,"method":"ping","params":null}', 7, -32602],
];

test("an invalid message is answered in our own words, with its id if it has one", () => {
  for (const [line, id, code] of REFUSED) {
    const refusal = refuse(line);
    expect({ line, refusal }).toMatchObject({ line, refusal: { jsonrpc: "2.0", id, error: { code } } });
  }
  expect(refuse(new Uint8Array([0x22, 0xff, 0x22]))).toMatchObject({ error: { code: -32700 } });
});

test("messages that may be valid aren't refused, answers to our own requests included", () => {
  for (const message of [
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: "a", method: "ping", params: {} },
    { jsonrpc: "2.0", method: "notifications/cancelled" },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 1, error: { code: 1, message: "" } },
  ]) {
    expect(refuse(JSON.stringify(message))).toBeUndefined();
  }
});

test("an error that repeats a schema is cut to a sentence, and other messages are unchanged", () => {
  const errorOf = (message: string) => ({ jsonrpc: "2.0", id: 1, error: { code: -32602, message } }) as const;
  for (const dump of ["Invalid: [{...}]", "a\nb", "expected { name }"]) {
    expect(withoutDump(errorOf(dump))).toEqual(errorOf("The parameters of this method are not valid."));
  }
  const short = errorOf("There is no such tool.");
  expect(withoutDump(short)).toBe(short);
  const result = { jsonrpc: "2.0", id: 1, result: { text: "[" } } as const;
  expect(withoutDump(result)).toBe(result);
});
