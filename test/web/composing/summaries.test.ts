import { expect, test } from "bun:test";
import { generatePassword } from "../../../src/crypto/generators.ts";
import { summarizeContent } from "../../../src/web/composing/summaries.ts";

const summaryOf = (text: string, ...names: string[]) =>
  summarizeContent({ text, files: names.map((name) => ({ name, size: 1 }) as never) });

test("a summary has the kind and the size of the content, and none of its text", () => {
  expect(summaryOf("HOST=db\nUSER=ann\r\nPASSWORD=x\n\n")).toEqual({ kind: "text", lines: 3 });
  expect(summaryOf("two words")).toEqual({ kind: "text", lines: 1 });
  expect(summaryOf("", "contract.pdf", "a.txt")).toEqual({ kind: "files", count: 2, firstName: "contract.pdf" });
  expect(summaryOf("see the file", "contract.pdf")).toEqual({ kind: "files", count: 1, firstName: "contract.pdf" });
});

test("a word of 8 to 128 characters is a password, and an address is none", () => {
  expect(summaryOf(` ${"x".repeat(8)}\n`)).toEqual({ kind: "password", characters: 8 });
  expect(summaryOf("𝒳".repeat(128))).toEqual({ kind: "password", characters: 128 });
  expect(summaryOf(generatePassword().text)).toEqual({ kind: "password", characters: 20 });
  for (const text of ["x".repeat(7), "x".repeat(129), "longer\nlonger", "https://handoff.example/"]) {
    expect([text, summaryOf(text).kind]).toEqual([text, "text"]);
  }
});
