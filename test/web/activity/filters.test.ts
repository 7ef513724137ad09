import { afterEach, beforeEach, expect, test } from "bun:test";
import { exampleId } from "../../../src/contract/ids.ts";
import type { PendingAsk } from "../../../src/contract/secrets.ts";
import { addressOf, findAll, NO_FILTER, viewOf } from "../../../src/web/activity/filters.ts";
import type { Filter, View } from "../../../src/web/activity/filters.ts";
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

test("asks count as what needs somebody, where nothing else of the filter leaves them out", () => {
  const ask = (reference: string | null, days: number): PendingAsk => ({
    id: exampleId("ask"),
    secret_id: exampleId("secret"),
    created_at: "2026-11-21T09:20:00.000Z",
    sender: null,
    words: ["maple", "river", "nine"],
    address: null,
    identity: null,
    reference,
    asked_at: new Date(Date.now() - days * 86_400_000).toISOString(),
    expires_at: "2026-11-21T10:30:00.000Z",
  });
  const asks = [ask("OPS-1", 0), ask("OPS-1", 20), ask(null, 0)];
  const found = (filter: Partial<Filter>) => {
    const { asks: count, counts } = findAll({ items: [], asks }, { ...NO_FILTER, ...filter });
    expect(counts.get("needed") ?? 0).toBe(count);
    return count;
  };
  expect(found({})).toBe(3);
  expect(found({ standing: "ended" })).toBe(3);
  expect(found({ kind: "sent", search: " " })).toBe(3);
  expect(found({ kind: "asked" })).toBe(0);
  expect(found({ ticket: "OPS-1" })).toBe(2);
  expect(found({ ticket: "OPS-1", days: 7 })).toBe(1);
  expect(found({ search: "ops" })).toBe(0);
});
