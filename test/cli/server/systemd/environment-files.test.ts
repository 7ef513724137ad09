import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnvironment, readEnvironmentFile } from "../../../../src/cli/server/systemd/environment-files.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

const parse = (text: string | Uint8Array) => parseEnvironment(Buffer.from(text as string), "/etc/handoff/env");

/** Files, and what systemd 252 made of them in the environment of a service. */
const FILES: readonly (readonly [text: string, variables: Readonly<Record<string, string>>])[] = [
  ['A="a\\"b"\nB=1\n', { A: 'a"b', B: "1" }],
  ["A='it''s'\n", { A: "its" }],
  ["A='a\\'\nB=1", { A: "a\\", B: "1" }],
  ["A=one \\\n two\nB=1\n", { A: "one  two", B: "1" }],
  ['A="one \\\n two\\n"\n', { A: "one  two\\n" }],
  ["A=x\\", { A: "x" }],
  ['A="q" "r"s"t"\n', { A: 'qrs"t"' }],
  ["A=\\ x\\  \nB=1", { A: " x ", B: "1" }],
  ["A = 1 \nB=\t 2 # 3\t\n", { A: "1", B: "2 # 3" }],
  ["A=1\r\nB=2\rC=é", { A: "1", B: "2", C: "é" }],
  ["; A=0\n  #A=0\nA=\nB==\n", { A: "", B: "=" }],
];

test.each(FILES)("%p is read as systemd reads it", (text, variables) => {
  expect(parse(text)).toEqual({ variables, faults: [], isIgnored: false });
});

const LINES: readonly (readonly [text: string, variables: Readonly<Record<string, string>>, fault: RegExp])[] = [
  ["A=1\nexport B=2\nC=3", { A: "1", C: "3" }, /', line 2: what is before its = isn't the name of a variable/],
  ["A=1\n\n\nthis is no line\n", { A: "1" }, /', line 4: there is no = in it, so systemd ignores it/],
  ["\uFEFFA=1\nB=2", { B: "2" }, /', line 1: what is before its = isn't the name/],
  ["# A \\\nB=1\nC=2", { C: "2" }, /', line 1: this comment ends in \\, so systemd takes the next line/],
  ['A=1\nB="2\nC=3\n', { A: "1", B: "2\nC=3\n" }, /', line 2: its quotes are never closed/],
  ['A="1\nB="2"\nC=3', { A: '1\nB=2"', C: "3" }, /', line 1: its quotes are only closed in line 2/],
];

test.each(LINES)("in %p a line is reported that systemd ignores, or joins to others", (text, variables, fault) => {
  const { faults, ...read } = parse(text);
  expect(read).toEqual({ variables, isIgnored: false });
  expect(faults).toEqual([expect.stringMatching(fault)]);
});

test("a byte that isn't UTF-8 in a name or value, or a zero byte, loses the whole file, and its line is named", () => {
  const latin = (text: string) => Buffer.from(text, "latin1");
  for (const [bytes, line, what] of [
    [latin("A=1\n\nB=caf\xe9\nC=\xe9"), 3, "bytes that aren't UTF-8"],
    [latin("A=1\nB\xe9=2\n"), 2, "bytes that aren't UTF-8"],
    [latin("A=1\nB=2\nC=\0"), 3, "a zero byte"],
  ] as const) {
    expect(parse(bytes)).toEqual({
      variables: {},
      faults: [
        expect.stringContaining(`'/etc/handoff/env', line ${line}: it has ${what}, so systemd ignores the whole`),
      ],
      isIgnored: true,
    });
  }
  expect(parse(latin("# caf\xe9\nA=1"))).toEqual({ variables: { A: "1" }, faults: [], isIgnored: false });
});

test("a file that isn't there has no variables, and a directory in its place is reported", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "env");
  expect(readEnvironmentFile(path)).toEqual({ variables: {}, faults: [], isIgnored: false });
  writeFileSync(path, "A=1\n");
  expect(readEnvironmentFile(path).variables).toEqual({ A: "1" });
  mkdirSync(join(folder.path, "folder"));
  expect(readEnvironmentFile(join(folder.path, "folder"))).toMatchObject({
    isIgnored: true,
    faults: [expect.stringContaining("it's a directory")],
  });
});
