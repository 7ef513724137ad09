import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { decodePieces, isCiphertext } from "../../src/contract/ciphertexts.ts";
import { CIPHERTEXT_PATTERN } from "../../src/contract/patterns.ts";

const PATTERN = new RegExp(CIPHERTEXT_PATTERN);
const PIECE_CHARS = 65_536;

/** Base64url text of about this length, with another text inserted somewhere. */
const texts = fc
  .tuple(
    fc.constantFrom(0, 1, 2, 3, 4, 100, PIECE_CHARS - 1, PIECE_CHARS, PIECE_CHARS + 1, 2 * PIECE_CHARS + 3),
    fc.constantFrom(
      "",
      "A",
      "-_",
      "+/",
      "=",
      ".",
      " ",
      "\n",
      "\0",
      "é",
      "\u{1F600}",
      "\ud800",
      "two words",
      "==",
      "a\r",
    ),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([length, foreign, place]) => {
    const at = Math.floor(length * place);
    return "A".repeat(at) + foreign + "A".repeat(length - at);
  });

test("isCiphertext agrees with the pattern for small and large texts", () => {
  fc.assert(
    fc.property(texts, (text) => expect(isCiphertext(text)).toBe(PATTERN.test(text))),
    { numRuns: 1000 },
  );
});

test("the decoded pieces of a text together are its bytes", () => {
  for (const length of [1, 2, 3, 100, 49_151, 49_152, 49_153, 200_000]) {
    const bytes = Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 31) % 251));
    const pieces = decodePieces(bytes.toString("base64url"))
      .map((piece) => Buffer.from(piece))
      .toArray();
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  }
});
