import { afterEach, beforeEach, expect, test } from "bun:test";
import { dropCode, findKeptCode, keepCode, takeCode } from "../../../src/web/pages/login-codes.ts";
import { formatCode, parseCode } from "../../../src/web/pages/typed-codes.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

let tab: TestTab;
beforeEach(() => void (tab = openTab()));
afterEach(() => {
  dropCode();
  tab[Symbol.dispose]();
});

test("a code is eight letters, whatever their case, their width and the dashes and spaces between them", () => {
  for (const text of ["BCDF-GHJK", "bcdfghjk", " bcdf ghjk ", "BCDF–GHJK", "Bcdf‐Ghjk", "ｂｃｄｆ－ｇｈｊｋ"]) {
    expect([text, parseCode(text)]).toEqual([text, "bcdfghjk"]);
  }
  for (const text of ["", "BCDF-GHJ", "BCDF-GHJKL", "BCDF-GHJ1", "bcdf/ghjk", "ßcdfghjk"]) {
    expect([text, parseCode(text)]).toEqual([text, undefined]);
  }
  expect(formatCode("bcdfghjk")).toBe("BCDF-GHJK");
});

test("the code of a link leaves the address, and stays in the tab until it is dropped", () => {
  for (const fragment of ["#BCDF-GHJK", "#bcdfghjk", "#BCDF-GHJK.", "#BCDF-GHJK%20"]) {
    tab.go(`https://handoff.example/login${fragment}`);
    takeCode();
    expect([fragment, tab.address(), findKeptCode()]).toEqual([fragment, "https://handoff.example/login", "bcdfghjk"]);
    takeCode();
    expect(findKeptCode()).toBe("bcdfghjk");
    dropCode();
    expect(findKeptCode()).toBeUndefined();
  }
});

test("what is no code leaves the address too, and an earlier code where it is", () => {
  keepCode("bcdfghjk");
  for (const fragment of ["#", "#BCDF", "#BCDF-GHJKL", "#1.abc"]) {
    tab.go(`https://handoff.example/login${fragment}`);
    takeCode();
    expect([fragment, tab.address(), findKeptCode()]).toEqual([fragment, "https://handoff.example/login", "bcdfghjk"]);
  }
});
