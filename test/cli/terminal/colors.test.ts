import { afterEach, expect, test } from "bun:test";
import { paintLine, paintState, useColors } from "../../../src/cli/terminal/colors.ts";
import { formatTable } from "../../../src/cli/terminal/tables.ts";
import { createTestTerminal } from "../../support/terminals.ts";

afterEach(() => useColors("never", createTestTerminal()));

test("colors go to a terminal alone, and not where NO_COLOR or the terminal says no", () => {
  for (const [choice, env, isTerminal, expected] of [
    ["auto", {}, { out: true, err: true }, [true, true]],
    ["auto", {}, { err: true }, [false, true]],
    ["auto", { NO_COLOR: "1" }, { out: true, err: true }, [false, false]],
    // no-color.org: an empty one does not count.
    ["auto", { NO_COLOR: "" }, { out: true, err: true }, [true, true]],
    ["auto", { TERM: "dumb" }, { out: true, err: true }, [false, false]],
    ["always", { NO_COLOR: "1" }, {}, [true, true]],
    ["never", {}, { out: true, err: true }, [false, false]],
  ] as const) {
    useColors(choice, createTestTerminal({ env, isTerminal }));
    const isColored = [paintState("open"), paintLine("handoff: no")].map((text) => text.includes("\u001b["));
    expect({ choice, env, isTerminal, isColored }).toEqual({ choice, env, isTerminal, isColored: [...expected] });
  }
});

test("a state that a server makes up is shown as it is", () => {
  useColors("always", createTestTerminal());
  for (const state of ["constructor", "__proto__", "toString", ""]) expect(paintState(state)).toBe(state);
});

test("people read the words for states, in the same columns", () => {
  expect([paintState("available"), paintState("claimed"), paintState("revoked")]).toEqual([
    "waiting",
    "opened",
    "revoked",
  ]);
  expect(formatTable(["STATE", "NOTE"], [["available", "claimed"]])).toBe("STATE    NOTE\nwaiting  claimed\n");
});

test("a colored table has the same columns as a plain one", () => {
  const table = () =>
    formatTable(
      ["ID", "STATE", "ENDS"],
      [
        ["a", "open", "now"],
        ["b", "expired", "open"],
      ],
    );
  const plain = table();
  useColors("always", createTestTerminal());
  const colored = table();
  expect(colored).not.toBe(plain);
  expect(Bun.stripANSI(colored)).toBe(plain);
  expect(colored.split("\n")[2]).toEndWith(" open");
});
