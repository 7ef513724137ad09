import { expect, test } from "bun:test";
import { assert, property, string } from "fast-check";
import { formatTable } from "../../../src/cli/terminal/tables.ts";
import { formatJson, printable, redact } from "../../../src/cli/terminal/terminal.ts";

/**
 * C0 but for tab and line feed, DEL, C1, what turns the direction or cannot be seen, and the ends of lines of Unicode.
 */
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const COMMANDING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
const units = string({ unit: "binary" });

test("what is shown has nothing that could command a terminal or deceive a reader", () => {
  assert(property(units, (text) => !COMMANDING.test(printable(text))));
  assert(property(units, (text) => !COMMANDING.test(formatJson(text))));
  for (const code of [0, 7, 8, 0xb, 0x1b, 0x7f, 0x80, 0x9b, 0x202e, 0x2066, 0x2028, 0x2029, 0xfeff]) {
    const character = String.fromCharCode(code);
    expect(printable(`a${character}b`)).toBe("a\uFFFDb");
    expect(formatJson([character])).toBe(`["\\u${code.toString(16).padStart(4, "0")}"]\n`.replace("\\u0008", "\\b"));
  }
  expect(printable("tab\tand\nline, é 漢字 🙂")).toBe("tab\tand\nline, é 漢字 🙂");
});

test("JSON says the same to a program as before it was escaped", () => {
  assert(property(units, (text) => JSON.parse(formatJson({ [text]: [text] }))[text][0] === text));
});

test("a cell of a table is on one line", () => {
  expect(formatTable(["A", "B"], [["x\n\u001b[1Ay", "z"]])).toBe("A        B\nx \uFFFD[1Ay  z\n");
});

test("links and tokens are masked, and what a link looks like is not", () => {
  const seed = "AbCdEfGhIjKlMnOpQrSt-_";
  for (const link of [
    `https://handoff.example/s/sec_1#1.${seed}`,
    `https://handoff.example/s/sec_1#1p.${seed}`,
    `https://handoff.example/s/sec_1%231.${seed}`,
    `https://handoff.example/r/req_1#1.${seed}.${seed}`,
    `'<https://handoff.example/c/req_1#1.AGE-SECRET-KEY-1Q>'`,
    `#1.${seed}`,
  ]) {
    expect(redact(`unknown command ${link} here`)).toBe("unknown command [link] here");
  }
  expect(redact("AGE-SECRET-KEY-1QQQ hak_0123456789")).toBe("[key] [token]");
  const example = "it has to look like https://handoff.example/s/sec_…#1.…";
  expect(redact(example)).toBe(example);
});
