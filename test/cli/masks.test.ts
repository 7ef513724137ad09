import { expect, test } from "bun:test";
import { array, assert, constantFrom, property, string } from "fast-check";
import { createMasker } from "../../src/cli/masks.ts";

/** What is shown of a text that comes in these pieces. */
function mask(values: readonly string[], pieces: readonly string[]): string {
  const masker = createMasker(values);
  return pieces.map((piece) => masker.push(piece)).join("") + masker.end();
}

test("however a text is cut, no value is seen in it, and what is around them is as it was", () => {
  const text = string({ unit: constantFrom("a", "b", "=", ".", "\n", "ö"), maxLength: 12 });
  assert(
    property(array(text, { maxLength: 6 }), string({ minLength: 6, maxLength: 9 }), (pieces, value) => {
      const whole = [...pieces, value, ...pieces].join("");
      const shown = mask([value], Array.from(whole));
      expect(shown).not.toContain(value);
      // In one piece or letter by letter: the same is shown.
      expect(mask([value], [whole])).toBe(shown);
    }),
  );
  expect(mask(["secret"], ["a sec", "ret b sec"])).toBe("a [masked] b sec");
});

test("the common spellings of a value are masked too, and each longer line of it", () => {
  const value = 'p"ä ss/wörd?';
  for (const spelling of [
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    Buffer.from(value).toString("base64"),
    Buffer.from(value).toString("base64url"),
    Buffer.from(value).toString("hex"),
  ]) {
    expect({ spelling, shown: mask([value], [`<${spelling}>`]) }).toMatchObject({
      shown: expect.stringMatching(/^<\[masked\]=*>$/),
    });
  }
  expect(mask(["first line\r\nsecond line\r\n"], ["second line, first line"])).toBe("[masked], [masked]");
  expect(mask(["one\ntwo"], ["one, two, one\ntwo"])).toBe("one, two, [masked]");
});

test("of values within each other the longest is masked, and an empty one masks nothing", () => {
  expect(mask(["pass", "password"], ["my password"])).toBe("my [masked]");
  expect(mask(["", "x-value"], ["nothing here"])).toBe("nothing here");
  expect(mask([], ["nothing here"])).toBe("nothing here");
});
