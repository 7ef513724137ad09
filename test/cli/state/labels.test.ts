import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findLabel, keepLabel, parseLabel } from "../../../src/cli/state/labels.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";

const URL = "https://handoff.example";
const ID = exampleId("secret");
const DAY = 86_400;

function setUp() {
  const folder = temporaryFolder();
  const terminal = createTestTerminal({ env: { XDG_STATE_HOME: folder.path } });
  const labels = join(folder.path, "handoff", "labels");
  return { terminal, labels, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** As many ids as wanted, all different. */
const idsOf = (count: number) => Array.from({ length: count }, (_, n) => ID.slice(0, -4) + String(n).padStart(4, "0"));

test("a label is found for its server and id alone, and its file is for its owner", () => {
  using place = setUp();
  expect(keepLabel(place.terminal, URL, ID, "router, for Ann")).toBe("router, for Ann");
  expect(findLabel(place.terminal, URL, ID)).toBe("router, for Ann");
  expect(findLabel(place.terminal, "https://other.example", ID)).toBeNull();
  expect(findLabel(place.terminal, URL, exampleId("request"))).toBeNull();
  const [name = ""] = readdirSync(place.labels);
  expect(statSync(join(place.labels, name)).mode & 0o777).toBe(0o600);
  expect(statSync(place.labels).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(place.labels, name), "utf8")).toBe("router, for Ann\n");
  expect(keepLabel(place.terminal, URL, exampleId("request"), undefined)).toBeNull();
  expect(readdirSync(place.labels)).toHaveLength(1);
});

test("a label is one line of 80 characters at most, whatever they are, and nothing but spaces is none", () => {
  expect(parseLabel(undefined)).toBeUndefined();
  expect(parseLabel(" \n\t ")).toBeUndefined();
  expect(parseLabel(" router,\n\tfor  Ann\u2028")).toBe("router, for Ann");
  expect(parseLabel("🎫".repeat(80))).toBe("🎫".repeat(80));
  for (const long of ["🎫".repeat(81), "x".repeat(1024 * 1024)])
    expect(() => parseLabel(long)).toThrow("80 characters");
});

test("the newest thousand labels are kept, and none for longer than anything is listed", () => {
  using place = setUp();
  const ids = idsOf(1001);
  for (const [n, id] of ids.slice(0, 1000).entries()) {
    keepLabel(place.terminal, URL, id, `label ${n}`);
    const [name = ""] = readdirSync(place.labels).filter((each) => each.startsWith(id));
    const writtenAt = Date.now() / 1000 - DAY + n;
    utimesSync(join(place.labels, name), writtenAt, writtenAt);
  }
  expect(findLabel(place.terminal, URL, ids[0] ?? "")).toBe("label 0");
  keepLabel(place.terminal, URL, ids[1000] ?? "", "one more");
  expect(readdirSync(place.labels)).toHaveLength(1000);
  expect([0, 1, 1000].map((n) => findLabel(place.terminal, URL, ids[n] ?? ""))).toEqual([null, "label 1", "one more"]);
  for (const name of readdirSync(place.labels)) {
    const longAgo = Date.now() / 1000 - 210 * DAY - 60;
    utimesSync(join(place.labels, name), longAgo, longAgo);
  }
  keepLabel(place.terminal, URL, ID, "the last one");
  expect(readdirSync(place.labels)).toHaveLength(1);
}, 30_000);

test("where labels cannot be kept or read, that is said, or there is none", () => {
  using place = setUp();
  const terminal = createTestTerminal({ env: { XDG_STATE_HOME: "/proc/nothing" } });
  expect(keepLabel(terminal, URL, ID, "router")).toBeNull();
  expect(terminal.said).toEqual([expect.stringMatching(/^The label wasn't kept\. Can't write '.*'/)]);
  expect(findLabel(terminal, URL, ID)).toBeNull();

  keepLabel(place.terminal, URL, ID, "router");
  const path = join(place.labels, readdirSync(place.labels)[0] ?? "");
  writeFileSync(path, `${"x".repeat(5000)}\nmore`);
  expect(findLabel(place.terminal, URL, ID)).toBe("x".repeat(80));
  writeFileSync(path, "");
  expect(findLabel(place.terminal, URL, ID)).toBeNull();
  mkdirSync(`${path}x`);
  expect(findLabel(place.terminal, URL, `${ID}x`)).toBeNull();
  // The secret was sent, and only its label is lost.
  chmodSync(dirname(place.labels), 0o777);
  expect(keepLabel(place.terminal, URL, ID, "router")).toBeNull();
  expect(place.terminal.said).toEqual([expect.stringMatching(/^The label wasn't kept\. Others can change/)]);
});
