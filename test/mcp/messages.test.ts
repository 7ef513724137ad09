import { expect, test } from "bun:test";
import { array, assert, asyncProperty, integer, string } from "fast-check";
import { readMessages } from "../../src/mcp/messages.ts";

const LIMIT = 1024 * 1024;

/** The messages of a stream in these pieces. */
async function read(pieces: readonly (string | Uint8Array)[], maxBytes = LIMIT) {
  const tooLong: (string | number | undefined)[] = [];
  const messages: string[] = [];
  const input = async function* () {
    for (const piece of pieces) yield Buffer.from(piece as string);
  };
  for await (const each of readMessages(input(), { maxBytes, onTooLong: (id) => void tooLong.push(id) })) {
    messages.push(each.toString());
  }
  return { messages, tooLong };
}

test("messages are whole, however the stream is split", async () => {
  const lines = array(string({ unit: "binary", maxLength: 20 }).map((text) => `${text.replaceAll("\n", "")}\n`));
  await assert(
    asyncProperty(lines, integer({ min: 1, max: 9 }), async (all, size) => {
      const bytes = Buffer.from(all.join(""));
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const whole = all.map((each) => Buffer.from(each).toString());
      expect(await read(pieces)).toEqual({ messages: whole, tooLong: [] });
    }),
  );
  expect((await read(["not ended"])).messages).toEqual([]);
});

test("the id of a message that is too long is found where possible, and the next messages are read", async () => {
  const x = "x".repeat(LIMIT);
  const deep = { arguments: { id: 7, text: x, more: [{ id: 8 }] } };
  const cases: readonly (readonly [string, string | number | undefined])[] = [
    [JSON.stringify({ jsonrpc: "2.0", id: 5, method: "m", params: deep }), 5],
    [JSON.stringify({ method: "m", jsonrpc: "2.0", id: "a-b", params: deep }), "a-b"],
    [JSON.stringify({ method: "m", params: deep, jsonrpc: "2.0", id: 0 }, null, 1).replaceAll("\n", " "), 0],
    [JSON.stringify({ method: "m", params: deep, id: "z", jsonrpc: "2.0" }), undefined],
    [JSON.stringify({ method: "m", params: deep }), undefined],
    [JSON.stringify({ params: { id: 3, x }, method: "m" }), undefined],
    [JSON.stringify({ method: "m", params: { x, last: ',"id":9}' } }), undefined],
    [JSON.stringify({ method: '","id":4,', params: { x } }), undefined],
    [JSON.stringify({ method: "m", params: { x }, 'no "id': 9 }), undefined],
    [x, undefined],
  ];
  for (const [text, id] of cases) {
    for (const size of [LIMIT * 2, 64 * 1024]) {
      const all = `${text}\n{"next":1}\n`;
      const pieces = all.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(await read(pieces)).toEqual({ messages: ['{"next":1}\n'], tooLong: [id] });
    }
  }
});
