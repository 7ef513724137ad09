import { expect, test } from "bun:test";
import { exampleId } from "../../src/contract/ids.ts";
import type { Content, ContentFile } from "../../src/crypto/contents.ts";
import { LinkError } from "../../src/crypto/link-faults.ts";
import { formatHint, hintOf, parseHint } from "../../src/crypto/link-hints.ts";
import { formatSecretLink, parseSecretLink } from "../../src/crypto/secret-links.ts";

const ID = exampleId("secret");
const seed = new Uint8Array(16).fill(0xa5);
const linkOf = (needsPassphrase = false) =>
  formatSecretLink({ baseUrl: "https://handoff.example", id: ID, seed, needsPassphrase });

test("a link with a hint opens the same secret as one without", () => {
  for (const [hint, end] of [
    [{ hasText: true, files: 0 }, ".t"],
    [{ hasText: false, files: 3 }, ".3"],
    [{ hasText: true, files: 3 }, ".t3"],
    [{ hasText: false, files: 10_000 }, ".10000"],
  ] as const) {
    for (const needsPassphrase of [false, true]) {
      const link = { baseUrl: "https://handoff.example", id: ID, seed, needsPassphrase };
      expect(formatSecretLink({ ...link, hint })).toBe(`${linkOf(needsPassphrase)}${end}`);
      expect(parseSecretLink(`${linkOf(needsPassphrase)}${end}`)).toEqual({ ...link, hint });
      expect(parseSecretLink(linkOf(needsPassphrase))).toEqual({ ...link, hint: undefined });
    }
  }
  for (const nothing of [undefined, { hasText: false, files: 0 }]) expect(formatHint(nothing)).toBe("");
});

test("a wrong or later hint is ignored when the key is whole; text that isn't a hint is a fault", () => {
  for (const end of [".0", ".t0", ".03", ".3t", ".tt", ".x", ".t3k2", ".99999999", "."]) {
    expect({ end, link: parseSecretLink(linkOf() + end) }).toMatchObject({ end, link: { seed, hint: undefined } });
  }
  const faultOf = (link: string) => {
    try {
      return parseSecretLink(link);
    } catch (error) {
      return error instanceof LinkError ? error.fault : error;
    }
  };
  for (const end of [".T", ".t-3", ".t.3", ".t&a=b", `.${"a".repeat(17)}`, "t3", "3"]) {
    expect({ end, fault: faultOf(linkOf() + end) }).toEqual({ end, fault: "extra" });
  }
  // A hint doesn't complete a cut-off link.
  for (const end of [".t", ".3", ".t3"]) expect(faultOf(linkOf().slice(0, -1) + end)).toBe("incomplete");
  for (const text of ["", "T", "t 3"]) expect(parseHint(text)).toBe("extra");
});

test("the hint counts text and files, and no folders", () => {
  const file = (name: string, isFolder = false): ContentFile => ({
    name,
    bytes: new Uint8Array(),
    isExecutable: false,
    isFolder,
  });
  const files = [file("a/", true), file("a/b"), file("a/empty", true), file("c")];
  const cases: readonly (readonly [Content, string])[] = [
    [{ kind: "text", text: "x" }, ".t"],
    [{ kind: "binary", bytes: new Uint8Array() }, ".1"],
    [{ kind: "files", files }, ".2"],
    [{ kind: "both", text: "x", files }, ".t2"],
    [{ kind: "both", text: "x", files: [] }, ".t"],
    [{ kind: "files", files: [file("empty", true)] }, ""],
  ];
  for (const [content, end] of cases) expect(formatHint(hintOf(content))).toBe(end);
});
