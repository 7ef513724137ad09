import { expect, test } from "bun:test";
import { exampleId } from "../../src/contract/ids.ts";
import { linkKindOf, linkPath } from "../../src/contract/links.ts";

test("the kind of a link is recognized by its path, however it was copied", () => {
  const paths = [
    linkPath("secret", exampleId("secret")),
    linkPath("request", exampleId("request")),
    linkPath("backup", exampleId("request")),
  ];
  for (const before of [
    "https://handoff.example",
    "HTTPS://handoff.example/team",
    "<http://[::1]:8020",
    "handoff.example",
    "",
  ]) {
    for (const after of ["", "/", "#1.key", "#1.key>", "\n"]) {
      const kinds = paths.map((path) => linkKindOf(`  ${before}${path}${after}`));
      expect({ before, after, kinds }).toEqual({ before, after, kinds: ["secret", "request", "backup"] });
    }
  }
  expect(linkKindOf("https://handoff.example/c/req_")).toBe("backup");
});

test("text without the path of a link in its place is no link", () => {
  const link = `https://handoff.example${linkPath("secret", exampleId("secret"))}`;
  for (const other of [
    "",
    "status",
    exampleId("secret"),
    "https://handoff.example/s/",
    `https://handoff.example/?at=${link}`,
    `see ${link}`,
    `#${link}`,
  ]) {
    expect({ other, kind: linkKindOf(other) }).toEqual({ other, kind: undefined });
  }
});
