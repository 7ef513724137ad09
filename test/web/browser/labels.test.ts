import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import type * as Labels from "../../../src/web/browser/labels.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ANN = "idn_ann";
const BOB = "idn_bob";
const NOW = Date.parse("2026-11-21T09:30:00Z");

let tab: TestTab;
beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
  tab = openTab();
});
afterEach(() => {
  tab[Symbol.dispose]();
  jest.useRealTimers();
});

let loads = 0;
/** The modules of a page that was just loaded, with empty memory. */
const load = (): Promise<typeof Labels> => import(`../../../src/web/browser/labels.ts?load=${++loads}`);
const listed = async (page: typeof Labels, person = ANN) => Object.fromEntries(await page.listLabels(person));

test("a label outlives the page, belongs to one person, and can be changed and removed", async () => {
  const page = await load();
  expect(await page.keepLabel(ANN, "sec_1", "  router, for Ann ")).toBeTrue();
  await page.keepLabel(BOB, "sec_1", "not Ann's");
  await page.keepLabel(ANN, "req_1", "𝒳".repeat(81));
  const next = await load();
  expect(await listed(next)).toEqual({ sec_1: "router, for Ann", req_1: "𝒳".repeat(80) });
  expect(await listed(next, BOB)).toEqual({ sec_1: "not Ann's" });
  await next.keepLabel(ANN, "sec_1", "another");
  await next.keepLabel(ANN, "req_1", "  ");
  for (const each of [page, next]) expect(await listed(each)).toEqual({ sec_1: "another" });
});

test("labels of items that the server no longer lists are deleted, and newer ones stay", async () => {
  const page = await load();
  await page.keepLabel(ANN, "sec_old", "old");
  await page.keepLabel(ANN, "sec_listed", "listed");
  await page.keepLabel(BOB, "sec_bob", "Bob's");
  jest.setSystemTime(NOW + 1000);
  const askedAt = Date.now();
  await page.keepLabel(ANN, "sec_new", "new");
  await page.pruneLabels(ANN, new Set(["sec_listed"]), askedAt);
  expect(await listed(await load())).toEqual({ sec_listed: "listed", sec_new: "new" });
  expect(await listed(page, BOB)).toEqual({ sec_bob: "Bob's" });
});

test("signing out deletes the labels of that person only", async () => {
  const page = await load();
  await page.keepLabel(ANN, "sec_1", "Ann's");
  await page.keepLabel(BOB, "sec_2", "Bob's");
  expect(await page.forgetLabels(ANN)).toBeTrue();
  expect([...tab.database.keys()]).toEqual([JSON.stringify([BOB, "sec_2"])]);
  expect([await listed(page), await listed(page, BOB)]).toEqual([{}, { sec_2: "Bob's" }]);
});

test("where the browser stores nothing, labels last as long as the page, without an error", async () => {
  const page = await load();
  tab.refuseStorage();
  expect(await page.keepLabel(ANN, "sec_1", "router")).toBeFalse();
  expect(await listed(page)).toEqual({ sec_1: "router" });
  await page.pruneLabels(ANN, new Set(["sec_1"]), Date.now());
  expect(await listed(page)).toEqual({ sec_1: "router" });
  expect(await listed(await load())).toEqual({});
  expect(await page.forgetLabels(ANN)).toBeFalse();
  expect(await listed(page)).toEqual({});
});
