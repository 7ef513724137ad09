import { expect, test } from "bun:test";
import { splitUnseen } from "../../../src/web/viewing/unseen-characters.ts";

test("characters that nobody sees are told apart, and together the parts are the text", () => {
  for (const [text, parts] of [
    ["", [""]],
    ["pass word\tone\r\ntwo", ["pass word\tone\r\ntwo"]],
    ["pa\u200bss", ["pa", "\u200b", "ss"]],
    ["\u202eabc\u202c", ["", "\u202e", "abc", "\u202c", ""]],
    ["\u2066a\u2069\ufeff", ["", "\u2066", "a", "\u2069", "", "\ufeff", ""]],
    ["a\u200db", ["a", "\u200d", "b"]],
    ["a\u0000\u001b", ["a", "\u0000", "", "\u001b", ""]],
    ["a\u2028b\u00adc\u3164", ["a", "\u2028", "b", "\u00ad", "c", "\u3164", ""]],
    ["\u{e0041}", ["", "\u{e0041}", ""]],
    // An emoji of several, and a joiner that Persian and Hindi need.
    ["👩🏽\u200d💻 ❤\ufe0f", ["👩🏽\u200d💻 ❤\ufe0f"]],
    ["👩\u200d", ["👩", "\u200d", ""]],
    ["می\u200cخواهم क्\u200dष", ["می\u200cخواهم क्\u200dष"]],
  ] as const) {
    const found = splitUnseen(text);
    expect({ text, found: [...found] }).toEqual({ text, found: [...parts] });
    expect(found.join("")).toBe(text);
  }
});
