import { expect, test } from "bun:test";
import { toShownNote } from "../../../src/web/parts/shown-notes.ts";

test("a note keeps its lines, and shows a mark for control and direction characters", () => {
  expect(toShownNote("one\ttwo\nthree\r\nfour")).toBe("one\ttwo\nthree\nfour");
  for (const misleading of ["\u202e", "\u202a", "\u2066", "\u2069", "\u0000", "\u001b", "\u007f", "\u009b", "\r"]) {
    expect(toShownNote(`a${misleading}b`)).toBe("a\uFFFDb");
  }
  expect(toShownNote("שלום, علی\u200cرضا")).toBe("שלום, علی\u200cرضا");
});
