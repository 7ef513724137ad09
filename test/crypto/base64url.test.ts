import { afterEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { decodeBase64url, encodeBase64url } from "../../src/crypto/base64url.ts";

const { fromBase64 } = Uint8Array;
const { toBase64 } = Uint8Array.prototype;

afterEach(() => {
  Object.assign(Uint8Array, { fromBase64 });
  Object.assign(Uint8Array.prototype, { toBase64 });
});

/** Takes away what browsers of 2024 don't have. */
function forgetBase64(): void {
  Object.assign(Uint8Array, { fromBase64: undefined });
  Object.assign(Uint8Array.prototype, { toBase64: undefined });
}

describe.each([
  { where: "with the language's own methods", has: true },
  { where: "in browsers of 2024", has: false },
])("$where", ({ has }) => {
  test("bytes of any length are encoded as other programs do, and decoded again", () => {
    if (!has) forgetBase64();
    for (const length of [...Array.from({ length: 70 }).keys(), 0x8000, 0x8001, 100_000]) {
      const bytes = new Uint8Array(randomBytes(length));
      const text = encodeBase64url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString("base64url"));
      expect(decodeBase64url(text)).toEqual(bytes);
    }
  });

  test("what is not canonical is refused: padding, white space, other alphabets, and bits that belong to no byte", () => {
    if (!has) forgetBase64();
    expect(decodeBase64url("-_8")).toEqual(Uint8Array.of(251, 255));
    for (const text of ["A", "AA==", "AA=", "A A", "AAAA\n", "+/8", "AB", "-_9", "AAAAAB", "AAé"]) {
      expect({ text, bytes: decodeBase64url(text) }).toEqual({ text, bytes: undefined });
    }
  });
});
