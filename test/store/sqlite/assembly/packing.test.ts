import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { pack, unpack } from "../../../../src/store/sqlite/assembly/packing.ts";

const LARGE_BYTES = 64 * 1024;

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.constantFrom(LARGE_BYTES - 1, LARGE_BYTES).map((length) => new Uint8Array(length).fill(7)),
);
// JSON has no -0.
const number = fc.double().map((value) => value + 0);
const leaf = fc.oneof(fc.string(), fc.constant('"$bytes":"'), number, fc.boolean(), fc.constant(null), bytes);
const { data } = fc.letrec((tie) => ({
  data: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("data"), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie("data"), { maxKeys: 4 }),
  ),
}));

test("unpacked data equals the original, which packing leaves unchanged", () => {
  fc.assert(
    fc.property(fc.array(data), (value) => {
      const before = structuredClone(value);
      const { packed, moved } = pack(value);
      expect(unpack(structuredClone(packed))).toEqual(before);
      expect(value).toEqual(before);
      expect(moved).toEqual(typeof packed === "string" ? [] : packed.large.map(({ buffer }) => buffer));
    }),
  );
});

test("data without large bytes is packed as text, which is cheaper to send than an object", () => {
  expect(typeof pack({ id: 1, hash: new Uint8Array(32), list: [null, "text"] }).packed).toBe("string");
});

test("large bytes are transferred, and small ones are copied", () => {
  const [large, small] = [new Uint8Array(LARGE_BYTES).fill(1), new Uint8Array(10).fill(2)];
  const { packed, moved } = pack({ large, small });
  const received = unpack(structuredClone(packed, { transfer: moved }));
  expect(received).toEqual({ large: new Uint8Array(LARGE_BYTES).fill(1), small: new Uint8Array(10).fill(2) });
  expect(large.length).toBe(0);
  expect(small).toEqual(new Uint8Array(10).fill(2));
});

test("a large slice of a larger buffer is copied, and the buffer stays usable", () => {
  const buffer = new Uint8Array(2 * LARGE_BYTES).fill(3);
  const { packed, moved } = pack([buffer.subarray(0, LARGE_BYTES)]);
  structuredClone(packed, { transfer: moved });
  expect(buffer).toEqual(new Uint8Array(2 * LARGE_BYTES).fill(3));
});
