import { expect, test } from "bun:test";
import { MAX_PERSON_NAME_LENGTH, parsePersonName } from "../../src/contract/names.ts";

test("a name has letters of any script, and is stored trimmed, composed and with single spaces", () => {
  for (const [text, name] of [
    ["Ann Lee", "Ann Lee"],
    ["  Ann\u00a0  Lee ", "Ann Lee"],
    ["Jose\u0301 Nu\u0301n\u0303ez", "José Núñez"],
    ["O'Brien-Łukasz, 3rd (Ops)", "O'Brien-Łukasz, 3rd (Ops)"],
    ["山田 太郎", "山田 太郎"],
    ["عائشة", "عائشة"],
    // This name needs a joiner.
    ["علی\u200cرضا", "علی\u200cرضا"],
    ["𠮷".repeat(MAX_PERSON_NAME_LENGTH), "𠮷".repeat(MAX_PERSON_NAME_LENGTH)],
  ] as const) {
    expect(parsePersonName(text)).toBe(name);
    expect(parsePersonName(name)).toBe(name);
  }
});

test("a name with control, direction or invisible characters is invalid", () => {
  const wrong = [
    "",
    "   ",
    "7",
    "🙂",
    "\u200c\u200d",
    "Ann\u0007",
    "Ann\u001b[2J",
    "Ann\nLee",
    "Ann\tLee",
    "Ann\u0000",
    "Ann\u202eeeL",
    "\u2066Ann",
    "Ann\u200f",
    "Ann\u200b",
    "Ann\ufeffLee",
    "Ann\u00ad",
    "Ann\u2028Lee",
    "Ann\ud800",
    "Ann\ue000",
    "Ann\u{e0041}",
    "Ann\ufe0f Lee",
    "Ann\u034f",
    "Ann\u115f",
    "\u1160Ann",
    "Ann\u17b4",
    "Ann\uffa0",
    "Ann\u3164Lee",
    "Ann\u2800",
    "Ann\u{e0100}",
    // A joiner in a script that needs none.
    "Ann\u200dLee",
    "Ann\u200c",
    "علی\u200c رضا",
    "x".repeat(MAX_PERSON_NAME_LENGTH + 1),
  ];
  for (const text of wrong) expect({ text, name: parsePersonName(text) }).toEqual({ text, name: undefined });
});
