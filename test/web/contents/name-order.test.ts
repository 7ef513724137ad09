import { expect, test } from "bun:test";
import { compareNames } from "../../../src/web/contents/name-order.ts";

test("names with numbers are sorted by the numbers, and capitals stand beside small letters", () => {
  const names = ["a10", "b", "a2", "B2", "a1", "é", "f"];
  expect(names.toSorted(compareNames)).toEqual(["a1", "a2", "a10", "b", "B2", "é", "f"]);
});
