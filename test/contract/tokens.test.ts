import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { encodeToken, isTokenShaped, parseTokenKind, TOKEN_PREFIXES } from "../../src/contract/tokens.ts";
import type { TokenKind } from "../../src/contract/tokens.ts";

const KINDS = Object.keys(TOKEN_PREFIXES) as TokenKind[];
const entropy = fc.uint8Array({ minLength: 24, maxLength: 24 });

// Frozen: every client derives the same tokens from the same bytes.
const VECTORS: readonly (readonly [kind: TokenKind, hex: string, token: string])[] = [
  ["claim", "00".repeat(24), "hct_000000000000000000000000000000004WxP0Q"],
  ["apiKey", "ff".repeat(24), "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG"],
  ["submit", "000102030405060708090a0b0c0d0e0f1011121314151617", "hst_00A7dl5PEW67zZCpFU9uKaHnGgOvQKAR1f8rBg"],
];

test("the encoding of tokens never changes", () => {
  for (const [kind, hex, token] of VECTORS) expect(encodeToken(kind, Uint8Array.fromHex(hex))).toBe(token);
});

test("a token shows its kind, and its checksum is CRC-32 of the characters before it", () => {
  fc.assert(
    fc.property(fc.constantFrom(...KINDS), entropy, (kind, bytes) => {
      const token = encodeToken(kind, bytes);
      expect(token).toHaveLength(42);
      expect(parseTokenKind(token)).toBe(kind);
      const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
      const sum = Array.from(token.slice(36)).reduce((value, digit) => value * 62 + digits.indexOf(digit), 0);
      expect(sum).toBe(Bun.hash.crc32(token.slice(0, 36)));
    }),
  );
});

test("one mistyped character is always detected", () => {
  fc.assert(
    fc.property(entropy, fc.nat(41), fc.stringMatching(/^[0-9A-Za-z_]$/), (bytes, index, character) => {
      const token = encodeToken("apiKey", bytes);
      fc.pre(token[index] !== character);
      expect(parseTokenKind(token.slice(0, index) + character + token.slice(index + 1))).toBeUndefined();
    }),
  );
});

test("text of another shape is no token", () => {
  const token = encodeToken("claim", new Uint8Array(24));
  for (const other of ["", "hct_", token.slice(1), `${token}0`, ` ${token}`, `${token}\n`, token.toUpperCase()]) {
    expect({ other, kind: parseTokenKind(other), shaped: isTokenShaped(other) }).toEqual({
      other,
      kind: undefined,
      shaped: false,
    });
  }
  expect(isTokenShaped(`hct_${"x".repeat(38)}`)).toBe(true);
  expect(() => encodeToken("claim", new Uint8Array(23))).toThrow(RangeError);
});
