import { afterEach, beforeEach, expect, test } from "bun:test";
import { addressOf, NO_FILTER, viewOf } from "../../../src/web/activity/filters.ts";
import type { View } from "../../../src/web/activity/filters.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

let tab: TestTab;
beforeEach(() => void (tab = openTab("https://handoff.example/below/activity")));
afterEach(() => tab[Symbol.dispose]());

test("a view is in the fragment, which no server sees, and comes back from it", () => {
  const views: readonly View[] = [
    { filter: NO_FILTER, id: undefined },
    { filter: { ...NO_FILTER, search: "für & Müller #1 +" }, id: "sec_1" },
    { filter: { search: "x", standing: "needed", kind: "asked", ticket: "OPS-4711", days: 7 }, id: undefined },
  ];
  for (const view of views) {
    const address = new URL(addressOf(view));
    expect([address.pathname, address.search]).toEqual(["/below/activity", ""]);
    // An empty fragment would scroll, and none load the page again.
    expect(address.hash.length).toBeGreaterThan(1);
    expect(viewOf(address.hash)).toEqual(view);
  }
});

test("older addresses still lead to their items, and nonsense leads to all", () => {
  const filterOf = (hash: string) => viewOf(hash).filter;
  expect(filterOf("#asked")).toEqual({ ...NO_FILTER, kind: "asked" });
  expect(filterOf("#OPS-4711")).toEqual({ ...NO_FILTER, ticket: "OPS-4711" });
  for (const hash of ["", "#", "#all", "#state=x&kind=y&ticket=no ticket&days=2", "#<script>"]) {
    expect([hash, viewOf(hash)]).toEqual([hash, { filter: NO_FILTER, id: undefined }]);
  }
});
