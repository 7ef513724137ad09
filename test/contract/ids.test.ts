import { expect, test } from "bun:test";
import { exampleId, ID_PREFIXES, isId } from "../../src/contract/ids.ts";
import type { IdKind } from "../../src/contract/ids.ts";

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];

test("an id is recognized by its form, and its kind by its prefix", () => {
  for (const kind of KINDS) {
    expect(isId(exampleId(kind), "any")).toBe(true);
    expect(KINDS.filter((each) => isId(exampleId(kind), each))).toEqual([kind]);
  }
  expect(isId(exampleId("secret").replace("sec_", "new_"), "any")).toBe(true);
});

test("text around or inside an id makes it invalid", () => {
  const id = exampleId("secret");
  const wrong = [
    "",
    "sec_",
    id.slice(0, -1),
    `${id}0`,
    `${id}\n`,
    ` ${id}`,
    id.toUpperCase(),
    `${id.slice(0, -1)}w`,
    `${id}#1.key`,
  ];
  for (const each of wrong)
    expect({ each, isId: isId(each, "any") || isId(each, "secret") }).toEqual({ each, isId: false });
});
