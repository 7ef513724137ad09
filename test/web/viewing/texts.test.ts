import { expect, test } from "bun:test";
import {
  countLines,
  hasRigidLines,
  isLongText,
  shownPart,
  withoutLastLineEnd,
} from "../../../src/web/viewing/texts.ts";

test("copied text lacks its last line break only", () => {
  const ends: readonly (readonly [string, string])[] = [
    ["a\n", "a"],
    ["a\r\n", "a"],
    ["a\n\n", "a\n"],
    ["a\nb", "a\nb"],
    ["\n", ""],
    [" a ", " a "],
  ];
  for (const [text, copied] of ends) expect(withoutLastLineEnd(text)).toBe(copied);
});

test("lines are counted as a reader sees them", () => {
  expect(["", "\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "\n\n"].map(countLines)).toEqual([0, 1, 1, 1, 2, 2, 2]);
});

test("a key in PEM keeps its lines, and other text wraps", () => {
  const pem = "-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n";
  expect([pem, "two\nlines"].map(hasRigidLines)).toEqual([true, false]);
});

test("a very long text is cut to what can be laid out, and never inside a character", () => {
  expect([isLongText("a".repeat(50_000)), isLongText("a".repeat(50_001))]).toEqual([false, true]);
  expect(shownPart("a".repeat(50_001))).toHaveLength(50_000);
  const emoji = "\u{1F511}";
  expect(shownPart(`${"a".repeat(49_999)}${emoji}`)).toBe("a".repeat(49_999));
  expect(shownPart(`${"a".repeat(49_998)}${emoji}b`)).toBe(`${"a".repeat(49_998)}${emoji}`);
});
