import { expect, test } from "bun:test";
import { array, assert, constantFrom, property, string } from "fast-check";
import { createMasker, createMasks, endOf } from "../../../src/cli/processes/masks.ts";

/** What is shown of a text that comes in these pieces. */
function mask(values: readonly string[], pieces: readonly string[]): string {
  const masker = createMasker(createMasks(values));
  return pieces.map((piece) => masker.push(piece)).join("") + masker.end();
}

test("however a text is cut, no value is seen in it, and it does not matter how it was cut", () => {
  const text = string({ unit: constantFrom("a", "b", "=", ".", "\n", "ö"), maxLength: 12 });
  assert(
    property(
      array(text, { maxLength: 6 }),
      string({ minLength: 6, maxLength: 30 }).filter((value) => value.trim() !== ""),
      (pieces, value) => {
        const whole = [...pieces, value, ...pieces].join("");
        const shown = mask([value], Array.from(whole));
        expect(shown).not.toContain(value);
        expect(mask([value], [whole])).toBe(shown);
      },
    ),
  );
  expect(mask(["secret"], ["a sec", "ret b sec"])).toBe("a [masked] b sec");
});

test("the common spellings of a value are masked too, and each longer line of it", () => {
  const value = "p\"ä ss/wörd?'s😀";
  for (const spelling of [
    value,
    encodeURIComponent(value),
    "p%22%c3%a4%20ss%2fw%c3%b6rd%3f's%f0%9f%98%80",
    "p%22%C3%A4+ss%2Fw%C3%B6rd%3F%27s%F0%9F%98%80",
    "p%22%c3%a4+ss%2fw%c3%b6rd%3f%27s%f0%9f%98%80",
    JSON.stringify(value).slice(1, -1),
    String.raw`p\"\u00e4 ss/w\u00f6rd?'s\ud83d\ude00`,
    String.raw`p\"\u00e4 ss\/w\u00f6rd?'s\ud83d\ude00`,
    JSON.stringify(value).slice(1, -1).replace("/", "\\/"),
    Buffer.from(value).toString("base64"),
  ]) {
    const shown = mask([value], [`<${spelling}>`]);
    expect({ spelling, shown }).toEqual({ spelling, shown: expect.stringMatching(/^<\[masked\]=*>$/) });
  }
  expect(mask(["first line\r\nsecond line\r\n"], ["second line, first line"])).toBe("[masked], [masked]");
  expect(mask(["12345\n67890"], ["67890 12345"])).toBe("[masked] [masked]");
  expect(mask(["a\nb c"], ["a, b c, a\nb c"])).toBe("a, b c, [masked]\n[masked]");
});

test("a value is masked where it is a part of what was encoded, wrapped, cut, or laid over another", () => {
  const value = "correct-horse-battery-staple-0123456789";
  const basic = Buffer.from(`user:${value}`).toString("base64");
  expect(mask([value], [`Authorization: Basic ${basic}`])).toMatch(/^Authorization: Basic \w{7,8}\[masked\]\w?=*$/);
  const wrapped = Buffer.from(value.repeat(4)).toString("base64").replace(/.{76}/g, "$&\n");
  expect(mask([value.repeat(4)], [wrapped])).toMatch(/^(\[masked\]\w?=*\n?)+$/);
  expect(mask([value], [value.slice(0, -1)])).toBe("[masked]");
  expect(mask(["abcdefgh", "efghSECRETTAIL"], ["abcdefghSECRETTAIL"])).toBe("[masked]");
  expect(mask(["pass", "password"], ["my password"])).toBe("my [masked]");
  expect(mask(["", "x-value"], ["nothing here"])).toBe("nothing here");
  expect(mask([], ["nothing here"])).toBe("nothing here");
});

test("a value of fewer than four characters is masked only where it stands alone, however the text is cut", () => {
  const text = "a cat, a=a\nab ba a_ 7a\na";
  for (const pieces of [[text], Array.from(text), ["a cat, a", "=a\nab ba ", "a_ 7a\n", "a"]]) {
    expect(mask(["a"], pieces)).toBe("[masked] cat, [masked]=[masked]\nab ba a_ 7a\n[masked]");
  }
  expect(mask(["711"], ["4711 711 7112"])).toBe("4711 [masked] 7112");
  expect(mask(["4711"], ["x47119"])).toBe("x[masked]9");
});

test("the end of a masked text begins with no part of a mask", () => {
  const text = "a [masked] b";
  const ends = Array.from({ length: text.length + 2 }, (_, length) => endOf(text, length));
  expect(new Set(ends)).toEqual(new Set(["", "b", " b", "[masked] b", " [masked] b", text]));
});

test("no value makes it slow", () => {
  const masker = createMasker(createMasks([`${"a".repeat(100_000)}b`]));
  const piece = "a".repeat(64 * 1024);
  // Comparing it everywhere would take longer than any test may.
  for (let count = 0; count < 64; count++) masker.push(piece);
  expect(masker.end()).toBe("[masked]");
});
